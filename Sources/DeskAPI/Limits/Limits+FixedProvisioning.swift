import DeskModel
import DeskSCIM

extension Limits {
    static let provisioning: [LimitRow] = [
        LimitRow(
            "ProvisionedPerson.mostOfBusiness", "\(ProvisionedPerson.mostOfBusiness)",
            bounds: "People of a business whom an identity provider keeps", beyond: "400 `tooMany`"),
        LimitRow(
            "ProvisionedPerson.nameBytes", "\(ProvisionedPerson.nameBytes)",
            bounds: "A `userName`, an `externalId` and an address of SCIM, UTF-8",
            beyond: "400 `invalidValue`"),
        LimitRow(
            "SCIMRoutes.bodyBytes", "\(SCIMRoutes.bodyBytes)", bounds: "A body of SCIM",
            beyond: "413"),
        LimitRow(
            "SCIMPage.most", "\(SCIMPage.most)", bounds: "Resources of an answer of SCIM",
            beyond: "the next page has them"),
    ]
}

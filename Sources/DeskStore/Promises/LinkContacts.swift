public import DeskModel

/// Links two contacts of different businesses, or parts them.
///
/// Refused as `notFound` without one of the two, for one business, and
/// where the author has none of the permitted roles in both businesses now: who may not see a contact
/// learns nothing of it. As `alreadyMerged` for a contact that was merged into another, and as `unusable`
/// for one link too many.
public struct LinkContacts: WriteStep {
    let contact: ContactID
    let business: BusinessID
    let other: ContactID
    let otherBusiness: BusinessID
    let isLinked: Bool
    let permitted: Set<Role>
    let author: Author
    let time: Timestamp

    /// Says who links whom, or with `isLinked` false parts them.
    public init(
        _ contact: ContactID, of business: BusinessID, with other: ContactID,
        of otherBusiness: BusinessID, isLinked: Bool, permitted: Set<Role>, by author: Author,
        at time: Timestamp
    ) {
        self.contact = contact
        self.business = business
        self.other = other
        self.otherBusiness = otherBusiness
        self.isLinked = isLinked
        self.permitted = permitted
        self.author = author
        self.time = time
    }

    /// Answers with the link as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> ContactLink {
        try decision.link(self)
    }
}

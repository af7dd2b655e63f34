import DeskModel

extension Limits {
    static let approvals: [LimitRow] = [
        LimitRow(
            "Approval.mostWaiting", "\(Approval.mostWaiting)",
            bounds: "Requests of a business that wait for a second person's approval",
            beyond: "422 `invalid`"),
        LimitRow(
            "Approval.mostOfPerson", "\(Approval.mostOfPerson)",
            bounds: "Requests of one person that wait for an approval", beyond: "422 `invalid`"),
        LimitRow(
            "Approval.mostOfKey", "\(Approval.mostOfKey)",
            bounds: "Requests of one key that wait for an approval", beyond: "422 `invalid`"),
        LimitRow(
            "Approval.textBytes", "\(Approval.textBytes)",
            bounds: "Why an approval is asked for, and what is said of it, UTF-8",
            beyond: "422 `invalid`"),
        LimitRow(
            "Approval.detailBytes", "\(Approval.detailBytes)",
            bounds: "What a second person is shown of a request, as JSON",
            beyond: "422 `invalid`"),
        LimitRow(
            "Approval.wait", hours(Approval.wait),
            bounds: "Hours that a request waits for an approval",
            beyond: "it is asked for anew"),
        LimitRow(
            "Approval.life", hours(Approval.life),
            bounds: "Hours in which an approved request can be carried out",
            beyond: "it is asked for anew"),
        LimitRow(
            "Approval.repeats", hours(Approval.repeats),
            bounds:
                "Hours in which one that does the same each time can be repeated, such as an export that broke off",
            beyond: "it is asked for anew"),
    ]

    private static func hours(_ span: Duration) -> String {
        "\(span.components.seconds / 3_600)"
    }
}

import DeskModel
import DeskStore

extension Limits {
    /// What bounds the erasure of content by its age.
    static let retention: [LimitRow] = [
        LimitRow(
            "Retention.days", "\(Retention.days.lowerBound) to \(Retention.days.upperBound)",
            bounds: "Days after which a business has content erased",
            beyond: "422"),
        LimitRow(
            "RetentionCount.mostPlaces", "\(RetentionCount.mostPlaces)",
            bounds: "Positions of the log that a preview of retention looks at, for 3 s at most",
            beyond: "`isComplete` is false: at least so many"),
        LimitRow(
            "RetentionWorker.patience", "\(RetentionWorker.patience.components.seconds)",
            bounds: "Seconds that a sweep pauses before a commit, however long the last one lasted",
            beyond: "the commit is made"),
        LimitRow(
            "LegalHold.most", "\(LegalHold.most)", bounds: "Legal holds of a business",
            beyond: "422 `invalid`"),
        LimitRow(
            "LegalHold.reasonCharacters", "\(LegalHold.reasonCharacters)",
            bounds: "Characters of the reason of a legal hold", beyond: "422 `invalid`"),
    ]
}

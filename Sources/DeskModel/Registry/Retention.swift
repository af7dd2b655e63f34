/// After how many days a business has the content of messages and notes erased by itself.
public struct Retention: Hashable, Sendable {
    /// The numbers of days that can be chosen.
    public static let days = 30...3_650
    /// How long what erases more than before waits, so that a slip can be withdrawn.
    public static let grace = Duration.seconds(86_400)

    /// How far the erasing has come.
    public struct Progress: Hashable, Sendable {
        /// Nothing is erased yet.
        public static let start = Progress(position: .start, note: 0, through: nil)

        /// No message up to this position has content that is older than the others say.
        public var position: Position
        /// The same of notes, by the numbers of their rows.
        public var note: Int64
        /// Everything from before this moment was looked at; nil before the first time.
        public var through: Timestamp?

        /// Puts the three together.
        public init(position: Position, note: Int64, through: Timestamp?) {
            self.position = position
            self.note = note
            self.through = through
        }
    }

    /// Whose content it is.
    public let business: BusinessID
    /// What is older is erased.
    public let days: Int
    /// When it was chosen.
    public let changedAt: Timestamp
    /// Nothing is erased before this moment.
    public let beginsAt: Timestamp
    /// How far the erasing has come.
    public var progress: Progress

    /// Puts a choice together.
    public init(
        of business: BusinessID, days: Int, changedAt: Timestamp, beginsAt: Timestamp,
        progress: Progress = .start
    ) {
        self.business = business
        self.days = days
        self.changedAt = changedAt
        self.beginsAt = beginsAt
        self.progress = progress
    }

    /// What is from before this moment is erased.
    public func limit(at now: Timestamp) -> Timestamp {
        now.advanced(by: .seconds(-days * 86_400))
    }

    /// When a choice of other days begins, made at a moment in the place of one.
    ///
    /// What erases no more than what has begun goes on at once; all else waits for `grace`.
    public static func beginning(
        ofDays days: Int, at now: Timestamp, after before: Retention?
    ) -> Timestamp {
        guard let before else { return now.advanced(by: grace) }
        if days == before.days { return before.beginsAt }
        if before.beginsAt <= now, days > before.days { return before.beginsAt }
        return now.advanced(by: grace)
    }
}

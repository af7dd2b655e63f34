/// How one attempt to send to a delivery target ended.
public struct DeliveryAttempt: Hashable, Sendable {
    /// Longest explanation kept, in bytes of UTF-8.
    public static let maximumDetailBytes = 1_024
    /// Most bytes of an answer that are kept.
    public static let maximumAnswerBytes = 1_024

    /// When it ended, by the wall clock.
    public let time: Timestamp
    /// The status that was answered; nil when no answer came.
    public let status: Int?
    /// What happened, in a sentence without message text or secrets; cut at 1,024 bytes.
    public let detail: String
    /// How long it lasted; nil where that is not kept.
    public let milliseconds: Int?
    /// The beginning of the answer's body; nil where it is not kept.
    public let answer: [UInt8]?

    /// Puts an attempt together.
    public init(
        time: Timestamp, status: Int?, detail: String, milliseconds: Int? = nil,
        answer: [UInt8]? = nil
    ) {
        self.milliseconds = milliseconds
        self.answer = answer.map { Array($0.prefix(Self.maximumAnswerBytes)) }
        self.time = time
        self.status = status
        self.detail =
            detail.utf8.count <= Self.maximumDetailBytes
            ? detail : String(decoding: detail.utf8.prefix(Self.maximumDetailBytes), as: UTF8.self)
    }
}

/// One event on its way to one delivery target; named by the target and the event's position.
public struct Delivery: Hashable, Sendable {
    /// How far it came.
    public enum State: String, Sendable, CaseIterable {
        /// It is still to be tried.
        case pending
        /// The target accepted it.
        case delivered
        /// The last attempt failed, or the target will never accept it.
        case dead
    }

    /// The target.
    public let outbox: OutboxID
    /// The event.
    public let position: Position
    /// The conversation whose order it keeps; nil keeps no order.
    public let conversation: ConversationID?
    /// How far it came.
    public var state: State
    /// How many attempts were made.
    public var attempts: Int
    /// Not to be tried before; by the outbox's clock.
    public var due: Timestamp
    /// The last attempt.
    public var last: DeliveryAttempt?
    /// The term of the lease under which an attempt is under way; nil when none is.
    ///
    /// A claim of a term that has ended is void: the attempt may have reached the target, and is made
    /// again.
    public var claim: Int64?

    /// A delivery that was not tried yet, or one as it was kept.
    public init(
        outbox: OutboxID, position: Position, conversation: ConversationID?,
        state: State = .pending, attempts: Int = 0, due: Timestamp, last: DeliveryAttempt? = nil,
        claim: Int64? = nil
    ) {
        self.outbox = outbox
        self.position = position
        self.conversation = conversation
        self.state = state
        self.attempts = attempts
        self.due = due
        self.last = last
        self.claim = claim
    }
}

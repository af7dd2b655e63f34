/// Until when a customer who waits is to be answered, by the service levels of the business.
public struct AnswerDue: Hashable, Sendable {
    /// Which answer it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// The first one, of a conversation that the customer began or opened again.
        case first
        /// Any other.
        case next
    }

    /// Which answer is awaited.
    public let kind: Kind
    /// When it is due; nil while that is not known, not promised, or paused.
    public var at: Timestamp?

    /// Puts the two together.
    public init(_ kind: Kind, at time: Timestamp? = nil) {
        self.kind = kind
        at = time
    }
}

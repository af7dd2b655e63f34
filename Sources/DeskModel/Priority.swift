/// How urgent agents say a conversation is.
public enum Priority: String, Hashable, Sendable, CaseIterable {
    /// No agent said.
    case none
    /// Can wait.
    case low
    /// As any other.
    case normal
    /// Before others.
    case high
    /// At once.
    case urgent
}

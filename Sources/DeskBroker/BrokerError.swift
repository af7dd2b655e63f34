public import DeskModel
public import DeskStore

/// Why the broker did not do what it was asked.
public enum BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request was understood and refused.
    case refused(Refusal)
    /// The store could not keep its promise; a repeat with the same id settles what happened.
    case store(StoreError)

    /// Codes only; safe to log.
    public var description: String {
        switch self {
        case .refused(let refusal): "BrokerError(\(refusal.code))"
        case .store(let error): "\(error)"
        }
    }
}

/// Which bucket of requests a call draws from.
public enum RateClass: Sendable {
    /// None: reading, or a signal that others bound.
    case free
    /// The principal's writes; on public routes the requests of the address.
    case write
    /// Changes of a customer's settings: a bucket of their own.
    case settings
    /// Payloads that are validated and not stored: a bucket of their own.
    case validation
    /// Searches: a bucket of their own.
    case search
    /// The handler draws itself, since it may need several at once.
    case own
}

extension RateSubject {
    /// The bucket that a route of this class draws from.
    func counted(by rate: RateClass) -> RateSubject {
        switch (rate, self) {
        case (.settings, .customer(let conversation)): .settings(conversation)
        case (.validation, _): .validation(self)
        case (.search, _): .search(self)
        default: self
        }
    }
}

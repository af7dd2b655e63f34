/// What an `Idempotency-Key` does on a route.
public enum Repeating: Sendable {
    /// Nothing: the route only reads, or a repeat is harmless by nature.
    case harmless
    /// The first answer is stored and sent again.
    case remembered
    /// The handler commits the key together with what it stores.
    case own
    /// The key is refused: the answer holds a secret, and secrets are not stored.
    case refused
}

/// One limit as people read it: what it is called, what it is, what it bounds, what happens beyond it.
public struct LimitRow: Hashable, Sendable {
    /// Its name; the unit is in the name or in `bounds`.
    public let name: String
    /// Its value as text.
    public let value: String
    /// What it bounds, as docs/limits.md says it.
    public let bounds: String
    /// What happens beyond it.
    public let beyond: String

    /// Puts a row together.
    public init(_ name: String, _ value: String, bounds: String, beyond: String) {
        self.name = name
        self.value = value
        self.bounds = bounds
        self.beyond = beyond
    }
}

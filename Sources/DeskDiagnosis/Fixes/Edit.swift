/// One replacement in a text, in bytes of the text as posted.
public struct Edit: Hashable, Sendable {
    /// First byte that is replaced.
    public let start: Int
    /// The byte after the last one that is replaced; equal to `start` where text is only put in.
    public let end: Int
    /// The text that replaces the range, as UTF-8.
    public let replacement: String

    /// Puts an edit together.
    public init(start: Int, end: Int, replacement: String) {
        precondition(0 <= start && start <= end, "an edit from \(start) to \(end)")
        self.start = start
        self.end = end
        self.replacement = replacement
    }

    /// Whether both touch the same place; two texts put in at one place do, for one of them would
    /// have to know of the other.
    package func collides(with other: Edit) -> Bool {
        start == other.start || start < other.end && other.start < end
    }
}

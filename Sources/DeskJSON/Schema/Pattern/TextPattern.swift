/// A pattern that a whole text has to match; matching runs in time linear in the text.
public struct TextPattern: Sendable {
    private let pattern: Pattern

    /// Compiles an ECMA-262 pattern.
    ///
    /// Limit: 506 bytes of pattern. Nil for a longer one, for what is no pattern, and for what a
    /// linear-time engine cannot do.
    public init?(_ source: String) {
        // Safe: the caller needs no reason; the lint of the message reports it.
        guard (try? Pattern(source)) != nil, let whole = try? Pattern("^(?:\(source))$") else {
            return nil
        }
        pattern = whole
    }

    /// Whether the whole text matches.
    public func matches(_ text: String) -> Bool { pattern.occurs(in: Array(text.utf8)) }
}

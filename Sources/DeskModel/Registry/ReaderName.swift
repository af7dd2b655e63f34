/// Names a reader of the log for its whole life: its cursor lies under it.
public struct ReaderName: Hashable, Sendable, CustomStringConvertible {
    /// A short word of ours, such as `reports`.
    public let text: String

    /// Names a reader.
    public init(_ text: String) { self.text = text }

    /// The same as `text`; safe to log.
    public var description: String { text }
}

/// Something that a test did not expect, said in words.
public struct Unexpected: Error, CustomStringConvertible {
    /// What was found.
    public let description: String

    /// Names what was found.
    public init(_ description: String) { self.description = description }
}

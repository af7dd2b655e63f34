/// A parsed JSON text: its original bytes and an index of its values.
///
/// Values are decoded on demand; copying a document copies a reference.
public struct JSONDocument: Sendable {
    let tape: Tape

    /// Parses strictly after RFC 8259.
    ///
    /// Limit: those given, each its own error; the depth of the text costs no stack.
    /// - Throws: the first fault with its place and a sentence.
    public init(
        parsing bytes: [UInt8], limits: JSONLimits = .standard
    ) throws(JSONError) {
        tape = try Tape.parse(bytes, limits: limits)
    }

    /// Parses the UTF-8 of a text.
    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        tape = try Tape.parse(Array(text.utf8), limits: limits)
    }

    /// The original text.
    public var bytes: [UInt8] { tape.bytes }

    /// The outermost value.
    public var root: JSONValue { JSONValue(tape: tape, index: 0) }

    /// The number of values in it, keys not counted.
    public var valueCount: Int { tape.nodes.lazy.filter { $0.kind != Node.Kind.key }.count }

    /// Line and column of a byte offset.
    public func position(at offset: Int) -> JSONPosition {
        JSONPosition(offset: offset, in: tape.bytes)
    }
}

/// One member of an object.
public struct JSONMember: Sendable {
    private let tape: Tape
    private let entry: Int

    init(tape: Tape, entry: Int) {
        self.tape = tape
        self.entry = entry
    }

    /// The key, decoded.
    public var key: String { tape.text(of: entry) }

    /// The key's UTF-8, decoded.
    public var keyBytes: [UInt8] { tape.decodedBytes(of: entry) }

    /// The key's bytes within the document, quotes included.
    public var keyRange: Range<Int> {
        Int(tape.nodes[entry].start)..<Int(tape.nodes[entry].end)
    }

    /// The value.
    public var value: JSONValue { JSONValue(tape: tape, index: entry + 1) }

    /// Whether the key is exactly these bytes; makes no `String`.
    public func keyEquals(_ text: String) -> Bool { tape.equals(entry, text) }

    /// Whether the key is exactly these bytes; for names in tables, which cost no count so.
    public func keyEquals(_ name: StaticString) -> Bool { tape.equals(entry, name) }
}

/// The members of an object in the order of the text.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let tape: Tape
    private var entry: Int
    private let end: Int

    /// How many members there are.
    public let count: Int

    init(of value: JSONValue) {
        tape = value.tape
        entry = value.index + 1
        let isObject = value.kind == .object
        end = isObject ? Int(value.node.next) : entry
        count = isObject ? value.count : 0
    }

    /// The same as ``count``.
    public var underestimatedCount: Int { count }

    /// The next member.
    public mutating func next() -> JSONMember? {
        guard entry < end else { return nil }
        defer { entry = Int(tape.nodes[entry + 1].next) }
        return JSONMember(tape: tape, entry: entry)
    }
}

/// The elements of an array in order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let tape: Tape
    private var entry: Int
    private let end: Int

    /// How many elements there are.
    public let count: Int

    init(of value: JSONValue) {
        tape = value.tape
        entry = value.index + 1
        let isArray = value.kind == .array
        end = isArray ? Int(value.node.next) : entry
        count = isArray ? value.count : 0
    }

    /// The same as ``count``.
    public var underestimatedCount: Int { count }

    /// The next element.
    public mutating func next() -> JSONValue? {
        guard entry < end else { return nil }
        defer { entry = Int(tape.nodes[entry].next) }
        return JSONValue(tape: tape, index: entry)
    }
}

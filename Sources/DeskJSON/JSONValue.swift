public import DeskBytes

/// What a JSON value can be.
public enum JSONKind: String, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean
    /// A number of any form.
    case number
    /// A text.
    case string
    /// A list of values.
    case array
    /// Members with keys.
    case object
}

/// One value of a document: a cheap view that decodes on demand.
///
/// Every getter of a certain kind is nil for a value of another kind.
public struct JSONValue: Sendable {
    let tape: Tape
    let index: Int

    var node: Node { tape.nodes[index] }

    /// The kind of the value.
    public var kind: JSONKind {
        switch node.kind {
        case Node.Kind.null: .null
        case Node.Kind.no, Node.Kind.yes: .boolean
        case Node.Kind.number: .number
        case Node.Kind.array: .array
        case Node.Kind.object: .object
        default: .string
        }
    }

    /// The document it is part of.
    public var document: JSONDocument { JSONDocument(tape: tape) }

    /// Its bytes within the document; a string's quotes are part of it.
    public var range: Range<Int> { Int(node.start)..<Int(node.end) }

    /// Its original text.
    public var rawBytes: ArraySlice<UInt8> { tape.bytes[range] }

    /// Its original text.
    public var rawText: String { String(decoding: rawBytes, as: UTF8.self) }

    /// Line and column of its first byte.
    public var position: JSONPosition { JSONPosition(offset: range.lowerBound, in: tape.bytes) }

    /// Whether it is `null`.
    public var isNull: Bool { node.kind == Node.Kind.null }

    /// Its truth value.
    public var bool: Bool? {
        switch node.kind {
        case Node.Kind.yes: true
        case Node.Kind.no: false
        default: nil
        }
    }

    /// A number that is whole and fits; `1.0` and `1e2` are whole.
    public var int: Int? {
        guard node.kind == Node.Kind.number else { return nil }
        if let value = shortInt { return value }
        return Decimal(rawBytes).int
    }

    /// The nearest double; nil when the number is too large for one.
    public var double: Double? {
        guard node.kind == Node.Kind.number else { return nil }
        if let value = shortInt { return Double(value) }
        guard let value = Double(rawText), value.isFinite else { return nil }
        return value
    }

    /// A number's original text.
    public var numberText: String? { node.kind == Node.Kind.number ? rawText : nil }

    /// A string, decoded.
    public var string: String? { node.kind == Node.Kind.string ? tape.text(of: index) : nil }

    /// A string's UTF-8, decoded.
    public var stringBytes: [UInt8]? {
        node.kind == Node.Kind.string ? tape.decodedBytes(of: index) : nil
    }

    /// A string as a key that compares by bytes.
    public var byteString: ByteString? { stringBytes.map { ByteString($0) } }

    /// Whether it is a string of exactly these bytes; makes no `String`.
    public func equals(_ text: String) -> Bool {
        node.kind == Node.Kind.string && tape.equals(index, text)
    }

    /// The number of elements or members; 0 for a scalar.
    public var count: Int { node.count }

    /// The member with this key, compared as bytes; with duplicate keys allowed, the last.
    public subscript(key: String) -> JSONValue? {
        guard node.kind == Node.Kind.object else { return nil }
        return tape.lastKey(key, ofObject: index).map { JSONValue(tape: tape, index: $0 + 1) }
    }

    /// The element at this place, from 0.
    public subscript(place: Int) -> JSONValue? {
        guard node.kind == Node.Kind.array, place >= 0, place < node.count else { return nil }
        var child = index + 1
        for _ in 0..<place { child = Int(tape.nodes[child].next) }
        return JSONValue(tape: tape, index: child)
    }

    /// Whether a key within it, at any depth, is exactly these bytes; makes no `String`.
    public func holdsKey(_ name: StaticString) -> Bool { tape.holdsKey(name, below: index) }

    /// A hash that equal strings share; nil for a string with escapes and for anything else.
    public var fingerprint: UInt32? {
        guard node.kind == Node.Kind.string, !node.hasEscape else { return nil }
        return tape.fingerprint(of: index)
    }

    /// The value as a separate document, whose offsets count from its first byte.
    ///
    /// The same as parsing ``rawBytes``, for the price of a copy where the limits cannot be met.
    /// - Throws: what parsing would throw.
    public func detached(limits: JSONLimits = .standard) throws(JSONError) -> JSONDocument {
        let part = tape.part(at: index)
        guard part.isSurelyWithin(limits) else {
            return try JSONDocument(parsing: part.bytes, limits: limits)
        }
        return JSONDocument(tape: part)
    }

    /// The elements of an array in order; empty for anything else.
    public var elements: JSONElements { JSONElements(of: self) }

    /// The members of an object in the order of the text; empty for anything else.
    public var members: JSONMembers { JSONMembers(of: self) }

    /// A whole number of at most 18 digits without fraction and exponent.
    private var shortInt: Int? {
        guard !node.hasFraction else { return nil }
        var value = 0
        let text = rawBytes
        guard text.count <= 18 else { return nil }
        for byte in text where byte != 0x2D { value = value * 10 + Int(byte &- 0x30) }
        return text.first == 0x2D ? -value : value
    }
}

extension JSONDocument {
    init(tape: Tape) { self.tape = tape }
}

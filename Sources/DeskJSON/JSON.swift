/// A JSON value to be written: built in code, ordered as built.
public enum JSON: Sendable {
    /// Members in this order; that keys differ is the builder's promise.
    case object([(String, JSON)])
    /// Elements in this order.
    case array([JSON])
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number by its text, which follows JSON's grammar.
    case number(String)
    /// A truth value.
    case bool(Bool)
    /// Nothing.
    case null
    /// JSON text spliced in as it is.
    case raw([UInt8])

    /// The compact text.
    public func bytes() -> [UInt8] {
        var out: [UInt8] = []
        append(to: &out)
        return out
    }

    /// The compact text as a `String`.
    public func text() -> String { String(decoding: bytes(), as: UTF8.self) }

    /// Appends the compact text.
    public func append(to out: inout [UInt8]) {
        switch self {
        case .object(let members):
            out.append(0x7B)
            for (place, member) in members.enumerated() {
                if place > 0 { out.append(0x2C) }
                JSONWriter.append(member.0, to: &out)
                out.append(0x3A)
                member.1.append(to: &out)
            }
            out.append(0x7D)
        case .array(let elements):
            out.append(0x5B)
            for (place, element) in elements.enumerated() {
                if place > 0 { out.append(0x2C) }
                element.append(to: &out)
            }
            out.append(0x5D)
        case .string(let text): JSONWriter.append(text, to: &out)
        case .integer(let value): JSONWriter.append(value, to: &out)
        case .number(let text): out.append(contentsOf: text.utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: out.append(contentsOf: "null".utf8)
        case .raw(let bytes): out.append(contentsOf: bytes)
        }
    }

    /// The indented text, two spaces a level; `raw` parts stay as they are.
    public func prettyBytes() -> [UInt8] {
        var out: [UInt8] = []
        appendPretty(to: &out, level: 0)
        return out
    }

    private func appendPretty(to out: inout [UInt8], level: Int) {
        func breakLine(_ level: Int) {
            out.append(0x0A)
            out.append(contentsOf: repeatElement(0x20, count: level * 2))
        }
        switch self {
        case .object(let members) where !members.isEmpty:
            out.append(0x7B)
            for (place, member) in members.enumerated() {
                if place > 0 { out.append(0x2C) }
                breakLine(level + 1)
                JSONWriter.append(member.0, to: &out)
                out.append(contentsOf: [0x3A, 0x20])
                member.1.appendPretty(to: &out, level: level + 1)
            }
            breakLine(level)
            out.append(0x7D)
        case .array(let elements) where !elements.isEmpty:
            out.append(0x5B)
            for (place, element) in elements.enumerated() {
                if place > 0 { out.append(0x2C) }
                breakLine(level + 1)
                element.appendPretty(to: &out, level: level + 1)
            }
            breakLine(level)
            out.append(0x5D)
        case .object, .array, .string, .integer, .number, .bool, .null, .raw: append(to: &out)
        }
    }
}

extension JSON {
    /// Copies a parsed value; numbers keep their text, and parts nested more than 256 deep stay
    /// raw, so that no text can exhaust the stack.
    public init(_ value: JSONValue) { self.init(value, depth: 0) }

    private init(_ value: JSONValue, depth: Int) {
        guard depth < 256 else {
            self = .raw(Array(value.rawBytes))
            return
        }
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .bool(value.bool == true)
        case .number: self = .number(value.rawText)
        case .string: self = .string(value.string ?? "")
        case .array: self = .array(value.elements.map { JSON($0, depth: depth + 1) })
        case .object:
            self = .object(value.members.map { ($0.key, JSON($0.value, depth: depth + 1)) })
        }
    }

    /// A double's shortest text; null for infinities and NaN, which JSON lacks.
    public static func double(_ value: Double) -> JSON {
        guard value.isFinite else { return .null }
        let text = value.description
        return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// The text or null.
    public static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// The value of a member, when this is an object that has it; keys are compared as bytes.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0.utf8.elementsEqual(key.utf8) }?.1
    }

    /// Adds a member at the end of an object; anything else stays as it is.
    public mutating func add(_ key: String, _ value: JSON) {
        guard case .object(var members) = self else { return }
        members.append((key, value))
        self = .object(members)
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An object in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

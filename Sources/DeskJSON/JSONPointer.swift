import DeskBytes

/// A path into a document after RFC 6901.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The steps, decoded; compared as bytes.
    private var steps: [ByteString]

    /// The path to the outermost value.
    public init() { steps = [] }

    /// A path of these keys and places.
    public init(_ tokens: [String]) { steps = tokens.map { ByteString($0) } }

    /// Reads `""` or `/…/…` with `~0` and `~1`; nil for anything else.
    public init?(parsing text: String) {
        var steps: [ByteString] = []
        var step: [UInt8]?
        var pending = false
        for byte in text.utf8 {
            if pending {
                guard byte == 0x30 || byte == 0x31 else { return nil }
                step?.append(byte == 0x30 ? 0x7E : 0x2F)
                pending = false
            } else if byte == 0x2F {
                if let step { steps.append(ByteString(step)) }
                step = []
            } else {
                guard step != nil else { return nil }
                if byte == 0x7E { pending = true } else { step?.append(byte) }
            }
        }
        guard !pending else { return nil }
        if let step { steps.append(ByteString(step)) }
        self.steps = steps
    }

    /// The steps, decoded.
    public var tokens: [String] { steps.map { $0.text } }

    /// The path one step further, to a key.
    public func appending(_ key: String) -> JSONPointer {
        var longer = self
        longer.steps.append(ByteString(key))
        return longer
    }

    /// The path one step further, to an element.
    public func appending(_ place: Int) -> JSONPointer { appending(String(place)) }

    /// The path as text.
    public var description: String {
        var text: [UInt8] = []
        for step in steps {
            text.append(0x2F)
            for byte in step.bytes {
                switch byte {
                case 0x7E: text.append(contentsOf: [0x7E, 0x30])
                case 0x2F: text.append(contentsOf: [0x7E, 0x31])
                default: text.append(byte)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension JSONValue {
    /// The value the path leads to from here.
    public func find(_ pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            guard let next = value.step(token) else { return nil }
            value = next
        }
        return value
    }

    /// The path from the document's outermost value to this one.
    public var pointer: JSONPointer {
        var path: [String] = []
        var value = document.root
        while value.index < index {
            guard let next = value.childHolding(index, &path) else { break }
            value = next
        }
        return JSONPointer(path)
    }

    private func step(_ token: String) -> JSONValue? {
        switch kind {
        case .object: return self[token]
        case .array:
            // RFC 6901, section 4: no sign, no leading zero.
            let digits = Array(token.utf8)
            guard !digits.isEmpty, digits.count < 10, digits.allSatisfy(ASCII.isDigit),
                digits.count == 1 || digits[0] != 0x30, let place = Int(token)
            else { return nil }
            return self[place]
        case .null, .boolean, .number, .string: return nil
        }
    }

    private func childHolding(_ target: Int, _ path: inout [String]) -> JSONValue? {
        if kind == .object {
            for member in members where target < Int(member.value.node.next) {
                path.append(member.key)
                return member.value
            }
        } else {
            for (place, element) in elements.enumerated() where target < Int(element.node.next) {
                path.append(String(place))
                return element
            }
        }
        return nil
    }
}

extension JSONDocument {
    /// The value the path leads to.
    public func find(_ pointer: JSONPointer) -> JSONValue? { root.find(pointer) }

    /// The innermost value whose bytes, or whose key's bytes, hold the offset; the outermost value
    /// for an offset outside it.
    public func innermost(at offset: Int) -> JSONValue {
        var best = 0
        for (index, node) in tape.nodes.enumerated() {
            guard Int(node.start) <= offset else { break }
            if offset < Int(node.end) { best = node.kind == Node.Kind.key ? index + 1 : index }
        }
        return JSONValue(tape: tape, index: best)
    }

    /// The path to the innermost value at the offset.
    public func pointer(at offset: Int) -> JSONPointer { innermost(at: offset).pointer }
}

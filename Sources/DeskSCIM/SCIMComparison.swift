import DeskBytes
import DeskJSON
import DeskModel

/// One comparison of a filter, `userName eq "ada"`.
struct SCIMComparison: Sendable {
    /// The operators of RFC 7644 that have a value.
    enum Operator: String, Sendable {
        case eq, ne, co, sw, ew, gt, ge, lt, le

        /// Whether it asks for a part of a text.
        var isOfText: Bool { self == .co || self == .sw || self == .ew }
        /// Whether it asks for an order.
        var isOfOrder: Bool { self == .gt || self == .ge || self == .lt || self == .le }
    }

    /// What is compared with.
    enum Literal: Sendable {
        case text(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    let name: SCIMName
    let comparison: Operator
    let literal: Literal
    /// The literal's text as it is compared, otherwise nothing.
    private let bytes: [UInt8]
    /// Whether texts differ by case.
    private let isCaseExact: Bool

    /// A comparison of an attribute, which is within another one in a value path.
    ///
    /// A moment of any offset and precision becomes one as `meta` has it, whose texts sort.
    init(_ name: SCIMName, _ comparison: Operator, _ literal: Literal, within outer: String?) {
        let sub = outer == nil ? name.subAttribute ?? "value" : name.attribute
        let isSingle = outer == nil && name.subAttribute == nil
        let path = "\(outer ?? name.attribute).\(sub)"
        var literal = literal
        if case .text(let text) = literal, SCIMNames.isMoment(path), !comparison.isOfText,
            let moment = Timestamp(text)
        {
            literal = .text(moment.text)
        }
        self.name = name
        self.comparison = comparison
        self.literal = literal
        isCaseExact =
            name.schema == nil
            && (SCIMNames.isCaseExact(path) || (isSingle && SCIMNames.isCaseExact(name.attribute)))
        if case .text(let text) = literal {
            bytes = isCaseExact ? Array(text.utf8) : Self.folded(text)
        } else {
            bytes = []
        }
    }

    /// What the attribute has where the comparison with `eq` holds.
    ///
    /// Texts are as they were sent, but the texts "True" and "False" of Microsoft Entra are truth values
    /// where the attribute has these.
    var json: JSON {
        switch literal {
        case .text(let text):
            guard SCIMNames.isBoolean(name.attribute), let truth = JSON.string(text).truth else {
                return .string(text)
            }
            return .bool(truth)
        case .number(let number): return .double(number)
        case .bool(let value): return .bool(value)
        case .null: return .null
        }
    }

    /// Whether any of the values of the attribute compares so; no value is like `null`.
    func matches(_ values: [JSON]) -> Bool {
        values.isEmpty ? matches(.null) : values.contains { matches($0) }
    }

    private func matches(_ value: JSON) -> Bool {
        if comparison == .eq { return isEqual(value) }
        if comparison == .ne { return !isEqual(value) }
        switch (literal, value) {
        case (.text, .string(let text)):
            return isInOrder(isCaseExact ? Array(text.utf8) : Self.folded(text))
        case (.number(let right), _):
            guard let left = Self.number(value) else { return false }
            return isInOrder(left, right)
        default: return false
        }
    }

    private func isEqual(_ value: JSON) -> Bool {
        switch literal {
        case .text(let right):
            if case .bool(let left) = value { return JSON.string(right).truth == left }
            guard case .string(let left) = value else { return false }
            if isCaseExact { return left.utf8.elementsEqual(bytes) }
            return ASCII.equalsIgnoringCase(left.utf8, right.utf8)
                || (!left.utf8.allSatisfy { $0 < 0x80 } && Self.folded(left) == bytes)
        case .number(let right): return Self.number(value) == right
        // Microsoft Entra sends and asks for the texts "True" and "False".
        case .bool(let right): return value.truth == right
        case .null: return value.isNull
        }
    }

    private func isInOrder(_ text: [UInt8]) -> Bool {
        switch comparison {
        case .co: Self.contains(text, bytes)
        case .sw: text.starts(with: bytes)
        case .ew: text.reversed().starts(with: bytes.reversed())
        case .eq, .ne: false
        case .lt: text.lexicographicallyPrecedes(bytes)
        case .ge: !text.lexicographicallyPrecedes(bytes)
        case .gt: bytes.lexicographicallyPrecedes(text)
        case .le: !bytes.lexicographicallyPrecedes(text)
        }
    }

    private func isInOrder(_ left: Double, _ right: Double) -> Bool {
        switch comparison {
        case .gt: left > right
        case .ge: left >= right
        case .lt: left < right
        case .le: left <= right
        case .eq, .ne, .co, .sw, .ew: false
        }
    }

    private static func number(_ value: JSON) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let text): Double(text)
        case .string, .bool, .null, .array, .object, .raw: nil
        }
    }

    /// The text without case, in no language's way.
    private static func folded(_ text: String) -> [UInt8] {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? ASCII.lowercased(text.utf8) : Array(text.lowercased().utf8)
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { start in
            text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
        }
    }
}

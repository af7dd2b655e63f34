/// A value of an attribute.
public enum AttributeValue: Hashable, Sendable {
    /// A text, a day, a choice or an address.
    case text(String)
    /// A number.
    case number(Double)

    /// Longest text in bytes of UTF-8.
    public static let maximumBytes = 200
    /// Largest number, and with a minus smallest: up to here whole numbers are exact.
    public static let maximumNumber = 1e15

    /// The form in which rows and archives have it: a letter for the type, then the text.
    public var stored: String {
        switch self {
        case .text(let text): "t" + text
        case .number(let number): "n" + Self.written(number)
        }
    }

    /// Reads the stored form; nil for anything else.
    public init?(stored text: String) {
        // Behind the first byte, not the first character: a mark may follow that combines with it.
        let rest = String(Substring(text.unicodeScalars.dropFirst()))
        switch text.utf8.first {
        case UInt8(ascii: "t"): self = .text(rest)
        case UInt8(ascii: "n"):
            guard let number = Double(rest), number.isFinite else { return nil }
            self = .number(number)
        default: return nil
        }
    }

    /// The number as JSON writes it, whole ones without a fraction.
    public static func written(_ number: Double) -> String {
        guard number == number.rounded(), abs(number) <= maximumNumber else { return "\(number)" }
        return String(Int64(number))
    }
}

/// The change of one value: before and after; nil for none.
public struct AttributeStep: Hashable, Sendable {
    /// Of which attribute.
    public let key: String
    /// Before.
    public let from: AttributeValue?
    /// After.
    public let to: AttributeValue?

    /// Puts a change together.
    public init(key: String, from: AttributeValue?, to: AttributeValue?) {
        self.key = key
        self.from = from
        self.to = to
    }

    /// What is different between two sets of values, by the keys' order.
    public static func all(
        from before: [String: AttributeValue], to after: [String: AttributeValue]
    ) -> [AttributeStep] {
        Set(before.keys).union(after.keys).sorted()
            .map { AttributeStep(key: $0, from: before[$0], to: after[$0]) }
            .filter { $0.from != $0.to }
    }
}

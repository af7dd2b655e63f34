/// What a business keeps of each of its conversations or contacts beside what the server knows: a typed
/// value under a key.
///
/// Nothing is deleted: a retired definition is given no further values, and those that are there stay
/// readable and can be removed.
public struct AttributeDefinition: Hashable, Sendable {
    /// What has the values.
    public enum Subject: String, Sendable, CaseIterable {
        /// Conversations.
        case conversation
        /// Contacts.
        case contact
    }

    /// What the values are.
    public enum Kind: String, Sendable, CaseIterable {
        /// A text of one line or several.
        case text
        /// A finite number.
        case number
        /// A day of the calendar, `2026-11-23`.
        case date
        /// One of the definition's choices.
        case choice
        /// An address, `http` or `https`.
        case link
    }

    /// Most definitions of a business for each subject, retired ones included; one more is refused.
    public static let most = 30
    /// Most choices of one definition; one more is refused.
    public static let mostChoices = 50
    /// Longest name, and longest choice, in bytes of UTF-8.
    public static let maximumNameBytes = 120
    /// Longest key in bytes.
    public static let maximumKeyBytes = 40

    /// Its name on the server.
    public let id: AttributeID
    /// Whose it is.
    public let business: BusinessID
    /// What has the values.
    public let subject: Subject
    /// What programs call it; fixed for ever, and unique for the business and the subject.
    public let key: String
    /// What the values are; fixed for ever.
    public let kind: Kind
    /// What people call it.
    public var name: String
    /// What can be chosen; choices are added and never removed.
    public var choices: [String]
    /// Its place in lists; those with the same are sorted by name.
    public var order: Int
    /// Whether it is given no further values.
    public var isRetired: Bool

    /// Describes a definition.
    public init(
        id: AttributeID, business: BusinessID, subject: Subject, key: String, kind: Kind,
        name: String, choices: [String] = [], order: Int = 0, isRetired: Bool = false
    ) {
        self.id = id
        self.business = business
        self.subject = subject
        self.key = key
        self.kind = kind
        self.name = name
        self.choices = choices
        self.order = order
        self.isRetired = isRetired
    }

    /// Whether a text can be a key: a lower-case letter, then lower-case letters, digits and `_`.
    public static func isKey(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...maximumKeyBytes).contains(bytes.count), let first = bytes.first,
            (0x61...0x7A).contains(first)
        else { return false }
        return bytes.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }

    /// Whether a value is one that the definition allows.
    public func allows(_ value: AttributeValue) -> Bool {
        switch (kind, value) {
        case (.number, .number(let number)):
            return number.isFinite && abs(number) <= AttributeValue.maximumNumber
        case (.text, .text(let text)):
            return Self.isShort(text)
                && !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        case (.date, .text(let text)): return Self.isDay(text)
        case (.choice, .text(let text)):
            return choices.contains { $0.utf8.elementsEqual(text.utf8) }
        case (.link, .text(let text)): return Self.isShort(text) && Self.isLink(text)
        case (.number, .text), (.text, .number), (.date, .number), (.choice, .number),
            (.link, .number):
            return false
        }
    }

    private static func isShort(_ text: String) -> Bool {
        (1...AttributeValue.maximumBytes).contains(text.utf8.count)
    }

    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year >= 1, (1...12).contains(month), (1...31).contains(day)
        else { return false }
        let date = CivilDate(year: year, month: month, day: day)
        return CivilDate(daysSince1970: date.daysSince1970) == date
    }

    private static func isLink(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        guard let host = rest.utf8.first, host != UInt8(ascii: "/"), host != UInt8(ascii: "?"),
            host != UInt8(ascii: "#")
        else { return false }
        return rest.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar != "\"" && scalar != "<" && scalar != ">"
                && scalar != "\\" && !(0x7F...0xA0).contains(scalar.value)
                && !scalar.properties.isWhitespace && !scalar.properties.isBidiControl
        }
    }
}

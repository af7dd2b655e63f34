import DeskBytes

/// Removes from texts what a model need not know, before they leave the server: numbers of payment cards,
/// e-mail addresses and phone numbers.
///
/// Each is replaced by a placeholder, the same for the same value, so that a text still makes sense. What
/// comes back is given its addresses and phone numbers again by ``restore(_:)``; card numbers never.
public struct Blanking: Sendable {
    /// What can be blanked.
    public enum Kind: String, Sendable, CaseIterable {
        /// Numbers of payment cards: 13 to 19 digits with a right check digit (ISO/IEC 7812).
        case cards
        /// E-mail addresses.
        case emails
        /// Phone numbers in international or national form.
        case phones

        /// The word in placeholders.
        var word: String {
            switch self {
            case .cards: "card"
            case .emails: "e-mail"
            case .phones: "phone"
            }
        }
    }

    private struct Value: Sendable {
        let kind: Kind
        let text: [UInt8]
        let placeholder: String
    }

    private let kinds: Set<Kind>
    private var values: [Value] = []

    /// Blanks these kinds.
    public init(_ kinds: Set<Kind>) { self.kinds = kinds }

    /// How many different values of a kind were blanked.
    public func count(of kind: Kind) -> Int { values.count { $0.kind == kind } }

    /// The text with placeholders.
    public mutating func blank(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var found: [(range: Range<Int>, kind: Kind)] = []
        if kinds.contains(.emails) {
            found += EmailScan.ranges(in: bytes).map { ($0, .emails) }
        }
        if kinds.contains(.cards) || kinds.contains(.phones) {
            for number in NumberScan.numbers(in: bytes) where kinds.contains(number.kind) {
                guard !found.contains(where: { $0.range.overlaps(number.range) }) else { continue }
                found.append(number)
            }
        }
        var blanked: [UInt8] = []
        var end = 0
        for (range, kind) in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            blanked += bytes[end..<range.lowerBound]
            blanked += placeholder(of: Array(bytes[range]), kind).utf8
            end = range.upperBound
        }
        blanked += bytes[end...]
        return String(decoding: blanked, as: UTF8.self)
    }

    /// The text with its addresses and phone numbers in place of their placeholders.
    ///
    /// What is put back holds no quotation mark and no backslash, so that it may stand in a JSON string.
    public func restore(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        var restored = Array(text.utf8)
        for value in values where value.kind != .cards {
            restored = replace(Array(value.placeholder.utf8), by: value.text, in: restored)
        }
        return String(decoding: restored, as: UTF8.self)
    }

    private mutating func placeholder(of text: [UInt8], _ kind: Kind) -> String {
        if let known = values.first(where: { $0.kind == kind && $0.text == text }) {
            return known.placeholder
        }
        let placeholder = "[\(kind.word) \(count(of: kind) + 1)]"
        values.append(Value(kind: kind, text: text, placeholder: placeholder))
        return placeholder
    }

    private func replace(_ part: [UInt8], by text: [UInt8], in whole: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var place = 0
        while place < whole.count {
            if whole[place...].starts(with: part) {
                out += text
                place += part.count
            } else {
                out.append(whole[place])
                place += 1
            }
        }
        return out
    }
}

/// What is shortened before it leaves the server.
extension Blanking {
    /// Most messages of a conversation that a model is shown, the newest ones.
    public static let mostMessages = 40
    /// Bytes of one message after which it is cut.
    public static let mostBytesOfMessage = 2_000
    /// Bytes of all messages together; earlier ones are left out.
    public static let mostBytes = 24_000

    /// The newest lines of a conversation that may be shown, cut where they are long.
    public static func shorten(_ lines: [Line]) -> [Line] {
        var room = mostBytes
        var kept: [Line] = []
        for line in lines.suffix(mostMessages).reversed() {
            let short = Line(line.speaker, shorten(line.text, to: mostBytesOfMessage))
            room -= short.text.utf8.count
            guard room >= 0 else { break }
            kept.append(short)
        }
        return kept.reversed()
    }

    /// A text of at most so many bytes and the mark of what is left out.
    public static func shorten(_ text: String, to most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: most)
        while text.unicodeScalars.index(after: text.startIndex) < end,
            end.samePosition(in: text.unicodeScalars) == nil
        {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end]) + "…"
    }
}

/// One message of a conversation as a model is shown it: without names.
public struct Line: Sendable, Hashable {
    /// Who wrote it.
    public enum Speaker: String, Sendable {
        /// The customer.
        case customer = "Customer"
        /// The business: any agent or program of it.
        case business = "Business"
    }

    /// Who wrote it.
    public let speaker: Speaker
    /// What people read of it.
    public let text: String

    /// Puts the two together.
    public init(_ speaker: Speaker, _ text: String) {
        self.speaker = speaker
        self.text = text
    }
}

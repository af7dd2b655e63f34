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

    private struct Value: Hashable, Sendable {
        let kind: Kind
        let text: [UInt8]
    }

    private let kinds: Set<Kind>
    /// Found by value and by placeholder: a conversation may hold tens of thousands of numbers.
    private var placeholders: [Value: [UInt8]] = [:]
    private var values: [[UInt8]: Value] = [:]
    private var counts: [Kind: Int] = [:]

    /// Blanks these kinds.
    public init(_ kinds: Set<Kind>) { self.kinds = kinds }

    /// How many different values of a kind were blanked.
    public func count(of kind: Kind) -> Int { counts[kind, default: 0] }

    /// The text with placeholders.
    public mutating func blank(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return Self.text(bytes, with: found(in: bytes)) { value in placeholder(of: value) }
    }

    /// The text with the placeholders of what was blanked before; whatever else it has stays.
    func blankKnown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return Self.text(bytes, with: found(in: bytes)) { value in
            placeholders[value] ?? value.text
        }
    }

    /// What of the kinds stands in a text, in order.
    private func found(in bytes: [UInt8]) -> [(range: Range<Int>, kind: Kind)] {
        var found: [(range: Range<Int>, kind: Kind)] = []
        if kinds.contains(.emails) {
            found += EmailScan.ranges(in: bytes).map { ($0, .emails) }
        }
        if kinds.contains(.cards) || kinds.contains(.phones) {
            found = Self.merged(
                found, NumberScan.numbers(in: bytes).filter { kinds.contains($0.kind) })
        }
        return found
    }

    /// The text with something else in the places of values.
    private static func text(
        _ bytes: [UInt8], with found: [(range: Range<Int>, kind: Kind)],
        _ replacement: (Value) -> [UInt8]
    ) -> String {
        var blanked: [UInt8] = []
        var end = 0
        for (range, kind) in found {
            blanked += bytes[end..<range.lowerBound]
            blanked += replacement(Value(kind: kind, text: Array(bytes[range])))
            end = range.upperBound
        }
        blanked += bytes[end...]
        return String(decoding: blanked, as: UTF8.self)
    }

    /// The text with its addresses and phone numbers in place of their placeholders.
    ///
    /// What is put back holds no quotation mark and no backslash, so that it may stand in a JSON string.
    public func restore(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let (opening, closing) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        var restored: [UInt8] = []
        var place = 0
        while let start = bytes[place...].firstIndex(of: opening) {
            restored += bytes[place..<start]
            let near = bytes[start...].prefix(Self.mostBytesOfPlaceholder)
            if let end = near.firstIndex(of: closing),
                let value = values[Array(bytes[start...end])], value.kind != .cards
            {
                restored += value.text
                place = end + 1
            } else {
                restored.append(opening)
                place = start + 1
            }
        }
        return String(decoding: restored + bytes[place...], as: UTF8.self)
    }

    /// The placeholders in a text, each once, whether something was blanked by them or not.
    static func placeholders(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let leads = Kind.allCases.map { Array("[\($0.word) ".utf8) }
        var found: [String] = []
        for place in bytes.indices where bytes[place] == UInt8(ascii: "[") {
            let near = bytes[place...].prefix(mostBytesOfPlaceholder)
            guard let lead = leads.first(where: { near.starts(with: $0) }),
                let end = near.firstIndex(of: UInt8(ascii: "]"))
            else { continue }
            let number = near[(place + lead.count)..<end]
            guard !number.isEmpty, number.allSatisfy({ ASCII.isDigit($0) }) else { continue }
            let placeholder = String(decoding: bytes[place...end], as: UTF8.self)
            if !found.contains(placeholder) { found.append(placeholder) }
            if found.count == mostPlaceholdersNamed { break }
        }
        return found
    }

    /// Placeholders that are looked for in one text; more say nothing new.
    private static let mostPlaceholdersNamed = 20
    /// More than any placeholder has.
    private static let mostBytesOfPlaceholder = 32

    private mutating func placeholder(of value: Value) -> [UInt8] {
        if let known = placeholders[value] { return known }
        counts[value.kind, default: 0] += 1
        let placeholder = Array("[\(value.kind.word) \(count(of: value.kind))]".utf8)
        placeholders[value] = placeholder
        values[placeholder] = value
        return placeholder
    }

    /// Both in one order, without the numbers that lie in an address.
    private static func merged(
        _ addresses: [(range: Range<Int>, kind: Kind)], _ numbers: [(range: Range<Int>, kind: Kind)]
    ) -> [(range: Range<Int>, kind: Kind)] {
        var merged: [(range: Range<Int>, kind: Kind)] = []
        var rest = addresses[...]
        for number in numbers {
            while let address = rest.first, address.range.upperBound <= number.range.lowerBound {
                merged.append(rest.removeFirst())
            }
            if rest.first.map({ !$0.range.overlaps(number.range) }) ?? true {
                merged.append(number)
            }
        }
        return merged + rest
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
        case customer
        /// The business: any agent or program of it.
        case business
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

import DeskBytes

/// Removes from texts what a model need not know, before they leave the server: numbers of payment cards
/// and bank accounts, e-mail addresses and phone numbers.
///
/// Each is replaced by a placeholder, the same for the same value, so that a text still makes sense. What
/// comes back is given its addresses and phone numbers again by ``restore(_:)``; card numbers never. A
/// placeholder that a person typed is a value too, with a placeholder of its own: otherwise it would come back
/// as someone's number.
public struct Blanking: Sendable {
    /// What can be blanked.
    public enum Kind: String, Sendable, CaseIterable {
        /// Numbers of payment cards, 13 to 19 digits with a right check digit (ISO/IEC 7812), and of bank accounts in
        /// international form (IBAN, ISO 13616).
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
        /// What was written; of numbers of cards and accounts the values of their digits and letters.
        let text: [UInt8]
        /// Whether it is what a person typed in the form of a placeholder.
        let isTyped: Bool

        /// Whether it is put back: only numbers of cards are not.
        var isRestored: Bool { isTyped || kind != .cards }
    }

    /// A value in a text.
    private struct Place {
        let range: Range<Int>
        let kind: Kind
        var isTyped = false
    }

    private let kinds: Set<Kind>
    /// Found by value and by placeholder: a conversation may hold tens of thousands of numbers.
    private var placeholders: [Value: [UInt8]] = [:]
    private var values: [[UInt8]: Value] = [:]
    /// The last number of a placeholder of each kind.
    private var numbers: [Kind: Int] = [:]
    private var counts: [Kind: Int] = [:]

    /// Blanks these kinds.
    public init(_ kinds: Set<Kind>) { self.kinds = kinds }

    /// How many different values of a kind were blanked; typed placeholders are none.
    public func count(of kind: Kind) -> Int { counts[kind, default: 0] }

    /// The text with placeholders.
    public mutating func blank(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return Self.text(bytes, with: found(in: bytes)) { value, _ in placeholder(of: value) }
    }

    /// The text with the placeholders of what was blanked before; whatever else it has stays.
    func blankKnown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        return Self.text(bytes, with: found(in: bytes)) { value, written in
            placeholders[value] ?? Array(written)
        }
    }

    /// What of the kinds stands in a text, in order.
    private func found(in bytes: [UInt8]) -> [Place] {
        guard !kinds.isEmpty else { return [] }
        var found: [Place] = []
        if kinds.contains(.emails) {
            found += EmailScan.ranges(in: bytes).map { Place(range: $0, kind: .emails) }
        }
        if kinds.contains(.cards) || kinds.contains(.phones) {
            let numbers = NumberScan.numbers(in: bytes).filter { kinds.contains($0.kind) }
            found = Self.merged(found, numbers.map { Place(range: $0.range, kind: $0.kind) })
        }
        // A number within brackets is a number: what is typed around it stays.
        return Self.merged(found, Self.typed(in: bytes).filter { kinds.contains($0.kind) })
    }

    /// The text with something else in the places of values.
    private static func text(
        _ bytes: [UInt8], with found: [Place],
        _ replacement: (Value, ArraySlice<UInt8>) -> [UInt8]
    ) -> String {
        var blanked: [UInt8] = []
        var end = 0
        for place in found {
            blanked += bytes[end..<place.range.lowerBound]
            let written = bytes[place.range]
            // What never comes back is the same however it is grouped.
            let isNumber = place.kind == .cards && !place.isTyped
            let text = isNumber ? AccountScan.values(of: Array(written)) : Array(written)
            blanked += replacement(
                Value(kind: place.kind, text: text, isTyped: place.isTyped), written)
            end = place.range.upperBound
        }
        blanked += bytes[end...]
        return String(decoding: blanked, as: UTF8.self)
    }

    /// The text with its addresses and phone numbers, and what was typed, in place of their placeholders.
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
                let value = values[Array(bytes[start...end])], value.isRestored
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

    /// The placeholders in what a model wrote that ``restore(_:)`` would leave there, each once: those of cards, and
    /// those that stand for nothing.
    func left(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var left: [String] = []
        for place in Self.typed(in: bytes) where kinds.contains(place.kind) {
            let placeholder = Array(bytes[place.range])
            if values[placeholder]?.isRestored == true { continue }
            let name = String(decoding: placeholder, as: UTF8.self)
            if !left.contains(name) { left.append(name) }
            if left.count == Self.mostPlaceholdersNamed { break }
        }
        return left
    }

    /// What has the form of a placeholder in a text, in order.
    private static func typed(in bytes: [UInt8]) -> [Place] {
        let leads = Kind.allCases.map { (kind: $0, bytes: Array("[\($0.word) ".utf8)) }
        var found: [Place] = []
        for start in bytes.indices where bytes[start] == UInt8(ascii: "[") {
            let near = bytes[start...].prefix(mostBytesOfPlaceholder)
            guard let lead = leads.first(where: { near.starts(with: $0.bytes) }),
                let end = near.firstIndex(of: UInt8(ascii: "]"))
            else { continue }
            let number = near[(start + lead.bytes.count)..<end]
            guard !number.isEmpty, number.allSatisfy({ ASCII.isDigit($0) }) else { continue }
            found.append(Place(range: start..<(end + 1), kind: lead.kind, isTyped: true))
        }
        return found
    }

    /// Placeholders that are named of one text; more say nothing new.
    private static let mostPlaceholdersNamed = 20
    /// More than any placeholder has.
    private static let mostBytesOfPlaceholder = 32

    private mutating func placeholder(of value: Value) -> [UInt8] {
        if let known = placeholders[value] { return known }
        numbers[value.kind, default: 0] += 1
        if !value.isTyped { counts[value.kind, default: 0] += 1 }
        let number = numbers[value.kind, default: 0]
        let placeholder = Array("[\(value.kind.word) \(number)]".utf8)
        placeholders[value] = placeholder
        values[placeholder] = value
        return placeholder
    }

    /// Both in one order, without those of the second that lie in one of the first.
    private static func merged(_ first: [Place], _ second: [Place]) -> [Place] {
        var merged: [Place] = []
        var rest = first[...]
        for place in second {
            while let next = rest.first, next.range.upperBound <= place.range.lowerBound {
                merged.append(rest.removeFirst())
            }
            if rest.first.map({ !$0.range.overlaps(place.range) }) ?? true {
                merged.append(place)
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

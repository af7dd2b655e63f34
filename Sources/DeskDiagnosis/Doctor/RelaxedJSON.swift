import DeskBytes
import DeskJSON

/// Reads one value of a text that is nearly JSON, and writes it as JSON.
///
/// Knows the slips of editors, of other languages and of logs; whatever else is wrong ends the
/// reading. What it wrote is parsed again before anyone believes it.
/// Limit: one pass over the text, nesting of `JSONLimits.standard.depth`.
struct RelaxedJSON {
    /// A slip that was fixed, where it occurred first, and how often it did.
    struct Slip {
        let kind: Defect.Kind
        let range: Range<Int>
        var count = 1
    }

    let text: [UInt8]
    /// Whether a typographic mark may close what a straight one has opened.
    let mixesQuotes: Bool
    /// The first byte that is not read yet.
    var place: Int
    /// The value as JSON.
    var out: [UInt8] = []
    private(set) var slips: [Slip] = []

    /// Reads the value that begins at `start`; nil when there is none.
    ///
    /// The bytes that were read count against the budget, whether the text was JSON or not.
    static func read(
        _ text: [UInt8], from start: Int, mixesQuotes: Bool, budget: inout Int
    ) -> RelaxedJSON? {
        var reader = RelaxedJSON(text: text, mixesQuotes: mixesQuotes, place: start)
        let isRead = reader.readBlank() && reader.readValue(depth: 0)
        budget -= reader.place - start
        guard isRead, Doctor.container(reader.out) != nil else { return nil }
        return reader
    }

    /// The ways to read a text: with its quotation marks apart, and mixed where it has such marks.
    static func ways(_ text: [UInt8]) -> [Bool] {
        text.contains { $0 == 0xE2 || $0 == 0xEF || $0 == 0xC2 } ? [false, true] : [false]
    }

    init(text: [UInt8], mixesQuotes: Bool, place: Int) {
        self.text = text
        self.mixesQuotes = mixesQuotes
        self.place = place
    }

    /// Notes a slip.
    mutating func note(_ kind: Defect.Kind, _ range: Range<Int>) {
        if let index = slips.firstIndex(where: { $0.kind == kind }) {
            slips[index].count += 1
        } else {
            slips.append(Slip(kind: kind, range: range))
        }
    }

    /// The byte at a place, 0 at the end.
    func byte(_ place: Int) -> UInt8 { place < text.count ? text[place] : 0 }

    private mutating func readValue(depth: Int) -> Bool {
        guard depth < JSONLimits.standard.depth else { return false }
        switch byte(place) {
        case UInt8(ascii: "{"): return readMembers(depth: depth)
        case UInt8(ascii: "["): return readElements(depth: depth)
        default:
            if let mark = quotationMark(at: place) { return readString(openedBy: mark) }
            return readWord()
        }
    }

    private mutating func readMembers(depth: Int) -> Bool {
        copy()
        guard readBlank() else { return false }
        while byte(place) != UInt8(ascii: "}") {
            guard readKey(), readBlank(), byte(place) == UInt8(ascii: ":") else { return false }
            copy()
            guard readBlank(), readValue(depth: depth + 1), readBlank() else { return false }
            guard readComma(before: UInt8(ascii: "}")) else { return false }
        }
        copy()
        return true
    }

    private mutating func readElements(depth: Int) -> Bool {
        copy()
        guard readBlank() else { return false }
        while byte(place) != UInt8(ascii: "]") {
            guard readValue(depth: depth + 1), readBlank() else { return false }
            guard readComma(before: UInt8(ascii: "]")) else { return false }
        }
        copy()
        return true
    }

    /// Reads the comma after an element, and leaves out one before the end.
    private mutating func readComma(before end: UInt8) -> Bool {
        if byte(place) == end { return true }
        guard byte(place) == UInt8(ascii: ",") else { return false }
        let comma = place
        let written = out.count
        copy()
        guard readBlank() else { return false }
        if byte(place) == end {
            out.remove(at: written)
            note(.trailingComma, comma..<comma + 1)
        }
        return true
    }

    private mutating func readKey() -> Bool {
        if let mark = quotationMark(at: place) { return readString(openedBy: mark) }
        let start = place
        while ASCII.isAlphanumeric(byte(place)) || byte(place) == UInt8(ascii: "_")
            || byte(place) == UInt8(ascii: "$")
        { place += 1 }
        guard place > start, !ASCII.isDigit(text[start]) else { return false }
        note(.bareKeys, start..<place)
        out.append(UInt8(ascii: "\""))
        out += text[start..<place]
        out.append(UInt8(ascii: "\""))
        return true
    }

    private mutating func readWord() -> Bool {
        let start = place
        while ASCII.isAlphanumeric(byte(place)) || "+-.".utf8.contains(byte(place)) { place += 1 }
        let word = text[start..<place]
        guard !word.isEmpty else { return false }
        for (python, json) in [("True", "true"), ("False", "false"), ("None", "null")]
        where word.elementsEqual(python.utf8) {
            note(.pythonWords, start..<place)
            out += json.utf8
            return true
        }
        // Numbers and JSON's own words; the parser judges them.
        out += word
        return true
    }

    /// Copies one byte.
    mutating func copy() {
        out.append(text[place])
        place += 1
    }
}

import DeskJSON
import DeskModel

/// The scanner of one script line: its text and the position read so far.
struct ScriptLine {
    let number: Int
    private let scalars: [Unicode.Scalar]
    private(set) var place = 0

    init(_ text: Substring.UnicodeScalarView, number: Int) {
        var scalars = Array(text)
        while scalars.last.map(Self.isSpace) == true { scalars.removeLast() }
        self.scalars = scalars
        self.number = number
    }

    /// The column where its text begins.
    var start: Int { (scalars.firstIndex { !Self.isSpace($0) } ?? 0) + 1 }
    var isEmpty: Bool { place >= scalars.count }
    var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }
    /// The unread rest of the line.
    var rest: String { Self.text(scalars[min(place, scalars.count)...]) }
    /// The column of the next character, counted from 1.
    var column: Int { place + 1 }

    mutating func skipSpaces() {
        while let scalar = next, Self.isSpace(scalar) { place += 1 }
    }

    /// Reads one character if it is the next one.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    /// Reads letters, digits, `-` and `_`; empty when the next character is another one.
    mutating func takeName() -> String {
        take { scalar in
            (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value)
                || (0x61...0x7A).contains(scalar.value) || scalar == "-" || scalar == "_"
        }
    }

    /// Reads up to the next space.
    mutating func takeWord() -> String { take { !Self.isSpace($0) } }

    /// Reads up to one of some characters, without the spaces before it.
    mutating func takeText(upTo ends: [Unicode.Scalar] = []) -> String {
        var text = take { !ends.contains($0) }
        while text.unicodeScalars.last.map(Self.isSpace) == true {
            text.unicodeScalars.removeLast()
        }
        return text
    }

    mutating func takeRest() -> String {
        defer { place = scalars.count }
        return rest
    }

    /// A word if it is the next one and a space or the end follows; otherwise nothing is read.
    mutating func take(word: String) -> Bool {
        let begin = place
        let found = takeWord()
        if found.utf8.elementsEqual(word.utf8) {
            skipSpaces()
            return true
        }
        place = begin
        return false
    }

    /// A text in double quotes with JSON's escapes.
    mutating func takeQuoted() throws(ScriptFault) -> String {
        let begin = column
        var isEscaped = false
        var end = place + 1
        while end < scalars.count {
            let scalar = scalars[end]
            if scalar == "\"", !isEscaped { break }
            isEscaped = scalar == "\\" && !isEscaped
            end += 1
        }
        guard end < scalars.count else {
            throw ScriptFault(
                line: number, column: begin, found: "a quote that is not closed",
                allowed: "\"text\" with \\\" for a quote in it", fix: "Close the quote.")
        }
        let raw = Self.text(scalars[place...end])
        guard let document = try? JSONDocument(parsing: Array(raw.utf8)),  // Safe: reported below.
            let text = document.root.string
        else {
            throw ScriptFault(
                line: number, column: begin, found: Quoted.cut(raw),
                allowed: "a text with the escapes of JSON: \\\", \\\\, \\n, \\t, \\u0041",
                fix: "Write \\\\ for a backslash.")
        }
        place = end + 1
        return text
    }

    /// Reads one JSON value up to the end of the line or to a word that continues the sentence.
    mutating func takeJSON(before words: [String]) throws(ScriptFault) -> [UInt8] {
        let begin = place
        if next == "\"" {
            _ = try takeQuoted()
        } else {
            while !isEmpty, !words.contains(where: { starts(with: $0) }) {
                _ = takeWord()
                let end = place
                skipSpaces()
                if isEmpty || words.contains(where: { starts(with: $0) }) {
                    place = end
                    break
                }
            }
        }
        let raw = Array(Self.text(scalars[begin..<place]).utf8)
        guard (try? JSONDocument(parsing: raw)) != nil else {  // Safe: reported below.
            throw ScriptFault(
                line: number, column: begin + 1,
                found: raw.isEmpty
                    ? "no value" : Quoted.cut(String(decoding: raw, as: UTF8.self)),
                allowed: "a JSON value: 12, true, null, \"text\", {…} or […]",
                fix: "Write texts in double quotes.")
        }
        return raw
    }

    /// An error at a column of this line.
    func fault(
        at column: Int, _ found: String, allowed: String, _ fix: String
    ) -> ScriptFault {
        ScriptFault(line: number, column: column, found: found, allowed: allowed, fix: fix)
    }

    // MARK: Parts

    private func starts(with word: String) -> Bool {
        var copy = self
        return copy.take(word: word)
    }

    private mutating func take(while fits: (Unicode.Scalar) -> Bool) -> String {
        let begin = place
        while let scalar = next, fits(scalar) { place += 1 }
        return Self.text(scalars[begin..<place])
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}

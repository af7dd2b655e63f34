import DeskJSON

extension Doctor {
    /// A text that is JSON but for the slips of editors and of other languages.
    static func punctuation(of text: [UInt8]) -> Layer? {
        var budget = 2 * text.count
        for mixes in RelaxedJSON.ways(text) {
            guard
                let read = RelaxedJSON.read(
                    text, from: 0, mixesQuotes: mixes, budget: &budget),
                !read.slips.isEmpty, isBlank(text[read.place...])
            else { continue }
            let rest = Array(text[read.place...])
            return Layer(defects: slips(of: read), text: read.out + rest.filter(isSpace))
        }
        return nil
    }

    /// The defects of a reading, a kind each.
    static func slips(of read: RelaxedJSON) -> [Defect] {
        var lines = LineIndex(read.text)
        return read.slips.map { slip in
            let line = read.text[slip.range.lowerBound..<slipEnd(slip, in: read.text)]
            let times = slip.count == 1 ? "" : ", \(slip.count) times"
            return Defect(
                kind: slip.kind, pointer: nil, place: TextPlace(slip.range, in: &lines),
                found: String(shown: line) + times, repaired: words[slip.kind]?.fixed,
                isNote: false, sentence: words[slip.kind]?.sentence ?? slip.kind.rawValue)
        }
    }

    /// Whether nothing but white space, seen or unseen, is left.
    static func isBlank(_ rest: ArraySlice<UInt8>) -> Bool {
        var reader = RelaxedJSON(text: Array(rest), mixesQuotes: false, place: 0)
        return reader.readBlank() && reader.place == rest.count
    }

    /// A slip is shown with a little of what follows it on its line.
    private static func slipEnd(_ slip: RelaxedJSON.Slip, in text: [UInt8]) -> Int {
        var end = slip.range.upperBound
        let limit = min(text.count, max(end, slip.range.lowerBound + 24))
        while end < limit, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// What each slip is fixed to, and what it comes from.
    private static let words: [Defect.Kind: (fixed: String, sentence: String)] = [
        .smartQuotes: (
            "straight quotation marks",
            "Typographic quotation marks stand where JSON has straight ones: an editor or a chat "
                + "has changed them."
        ),
        .singleQuotes: (
            "straight quotation marks",
            "Texts stand between apostrophes, as Python and JavaScript print them: print JSON, "
                + "with json.dumps or JSON.stringify."
        ),
        .bareKeys: (
            "the key between quotation marks",
            "Keys stand without quotation marks: print JSON, with JSON.stringify."
        ),
        .trailingComma: (
            "no comma", "A comma stands after the last entry, where JSON allows none."
        ),
        .comment: ("no comment", "JSON has no comments."),
        .pythonWords: (
            "true, false or null",
            "Words of Python stand where JSON has its own: print JSON, with json.dumps."
        ),
        .invisibleCharacter: (
            "a space",
            "A character that cannot be seen stands between the values; it came with copying."
        ),
        .escapedSpace: (
            "a space", "Line ends are written as \\n between the values, as logs do."
        ),
        .rawControl: (
            "an escape", "A line end or another control character stands bare within a text."
        ),
        .badEscape: ("an escape of JSON", "A text has an escape that JSON does not know."),
        .loneSurrogate: (
            "\\ufffd",
            "An escape is half of a pair: the text was cut within a character beyond U+FFFF."
        ),
    ]
}

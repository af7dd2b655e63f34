/// One word of a text as the index knows it, and its place.
struct SearchWord {
    /// The folded word in UTF-8.
    var bytes: [UInt8]
    /// Its Unicode scalars in the text.
    var scalars: Range<Int>
}

/// Cuts texts into the words that can be found.
///
/// Words of letters, marks and digits are folded by `LetterFolding`, one letter that is written as two scalars too. Scripts without spaces, and
/// Hangul, are cut into overlapping pairs of letters, so that any two letters in a row are found;
/// the last letter of such a run is added once more by itself: 配送日 becomes 配送 送日 日. A pair's
/// beginning finds a single letter, wherever it is.
public enum SearchWords {
    /// Scalars of a text that are read; what comes after them cannot be found.
    public static let maximumScalars = 16_384
    /// Scalars of one word that count.
    static let maximumWordScalars = 64

    /// The words of a text in order.
    ///
    /// With `isQuery` the end of the text may be the middle of a run: no single letter closes it.
    static func cut(_ text: some StringProtocol, isQuery: Bool = false) -> [SearchWord] {
        var cutter = WordCutter(isQuery: isQuery)
        for (place, scalar) in text.unicodeScalars.prefix(maximumScalars).enumerated() {
            cutter.take(scalar, at: place)
        }
        return cutter.finish()
    }

    /// The words as the full-text index accepts them.
    ///
    /// The same words as those of `cut`. An ASCII character that belongs to no word ends one in any
    /// script, so that the pieces between such characters are independent and most are lower-cased
    /// only.
    package static func text(of text: String) -> String {
        var bytes = Array(text.utf8)
        for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) {
            bytes[index] |= 0x20
        }
        var words: [UInt8] = []
        words.reserveCapacity(bytes.count + bytes.count / 4 + 16)
        var room = maximumScalars
        var place = 0
        while place < bytes.count, room > 0 {
            guard isOfWord(bytes[place]) else {
                place += 1
                room -= 1
                continue
            }
            var end = place
            var isPlain = true
            while end < bytes.count, isOfWord(bytes[end]) {
                isPlain = isPlain && bytes[end] < 0x80
                end += 1
            }
            let piece = bytes[place..<end]
            if isPlain {
                if !words.isEmpty { words.append(0x20) }
                words.append(contentsOf: piece.prefix(min(room, maximumWordScalars)))
                room -= piece.count
            } else {
                append(piece, to: &words, room: &room)
            }
            place = end
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// Whether a byte is a digit or small letter of ASCII, or of another script.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x61 ? byte <= 0x7A || byte >= 0x80 : (0x30...0x39).contains(byte)
    }

    private static func append(_ piece: ArraySlice<UInt8>, to words: inout [UInt8], room: inout Int)
    {
        var cutter = WordCutter(isQuery: false)
        var taken = 0
        for scalar in String(decoding: piece, as: UTF8.self).unicodeScalars.prefix(room) {
            cutter.take(scalar, at: taken)
            taken += 1
        }
        room -= taken
        for word in cutter.finish() {
            if !words.isEmpty { words.append(0x20) }
            words.append(contentsOf: word.bytes)
        }
    }

    /// Whether a scalar belongs to a word.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
            default: return false
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber, .privateUse:
            return true
        default: return false
        }
    }

    /// Whether a letter belongs to a script that is cut into pairs.
    static func isPaired(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xE00: false
        // Thai, Lao, Myanmar, Hangul jamo, Khmer.
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
        // Han, kana, bopomofo, Hangul, half-width katakana.
        case 0x2E80...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B16F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

/// Cuts a text scalar by scalar.
private struct WordCutter {
    private struct Letter {
        var scalar: Unicode.Scalar
        var place: Range<Int>
    }

    let isQuery: Bool
    private var words: [SearchWord] = []
    private var word: SearchWord?
    private var wordScalars = 0
    /// The letter with which the word ends so far; nil when it has none or counts no more.
    private var letter: Unicode.Scalar?
    private var run: [Letter] = []

    init(isQuery: Bool) { self.isQuery = isQuery }

    mutating func take(_ scalar: Unicode.Scalar, at place: Int) {
        if let last = run.last, let joined = LetterFolding.joined(last.scalar, with: scalar) {
            run[run.count - 1] = Letter(
                scalar: joined, place: last.place.lowerBound..<place + 1)
            return
        }
        guard SearchWords.isWord(scalar) else { return endAll() }
        if SearchWords.isPaired(scalar) {
            endWord()
            run.append(Letter(scalar: LetterFolding.fold(scalar), place: place..<place + 1))
            return
        }
        endRun(isClosed: true)
        var grown = word ?? SearchWord(bytes: [], scalars: place..<place)
        if word == nil { (wordScalars, letter) = (0, nil) }
        grown.scalars = grown.scalars.lowerBound..<place + 1
        if let last = letter, let joined = LetterFolding.joined(last, with: scalar) {
            grown.bytes.removeLast(Self.utf8(last).count)
            grown.bytes.append(contentsOf: Self.utf8(joined))
            letter = joined
        } else if !LetterFolding.isMark(scalar) {
            let folded = LetterFolding.fold(scalar)
            letter = wordScalars < SearchWords.maximumWordScalars ? folded : nil
            if letter != nil { grown.bytes.append(contentsOf: Self.utf8(folded)) }
            wordScalars += 1
        }
        word = grown
    }

    mutating func finish() -> [SearchWord] {
        endWord()
        endRun(isClosed: !isQuery)
        return words
    }

    private mutating func endAll() {
        endWord()
        endRun(isClosed: true)
    }

    private mutating func endWord() {
        if let word, !word.bytes.isEmpty { words.append(word) }
        word = nil
    }

    /// Pairs up a run; a closed one ends on its last letter by itself.
    private mutating func endRun(isClosed: Bool) {
        guard let last = run.last else { return }
        for (first, second) in zip(run, run.dropFirst()) {
            words.append(
                SearchWord(
                    bytes: Array(Self.utf8(first.scalar)) + Array(Self.utf8(second.scalar)),
                    scalars: first.place.lowerBound..<second.place.upperBound))
        }
        if isClosed || run.count == 1 {
            words.append(SearchWord(bytes: Array(Self.utf8(last.scalar)), scalars: last.place))
        }
        run.removeAll(keepingCapacity: true)
    }

    private static func utf8(_ scalar: Unicode.Scalar) -> Unicode.UTF8.EncodedScalar {
        UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
}

/// A search query: words that all have to occur, and phrases between quotes.
///
/// Every text of allowed length that has a word is a query; there is no syntax to get wrong. A word
/// of three letters or more finds words that begin with it, a shorter one only itself.
public struct SearchQuery: Hashable, Sendable {
    /// Longest query in bytes of UTF-8; a longer one is refused.
    public static let maximumBytes = 256
    /// Most words and phrases of a query; one with more is refused.
    public static let maximumTerms = 16
    /// Letters from which on a word finds those that begin with it.
    public static let prefixLetters = 3

    /// Why a text is no query.
    public enum Fault: Error, Hashable, Sendable {
        /// It has no letter and no digit.
        case empty
        /// It has more than `maximumBytes` bytes or `maximumTerms` words.
        case tooLong
    }

    struct Term: Hashable, Sendable {
        /// The words that a row must contain.
        var words: [[UInt8]]
        /// Whether the last of them may go on.
        var isOpen: Bool
    }

    let terms: [Term]

    /// Reads a query as it was typed.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLong }
        var terms: [Term] = []
        for (part, isQuoted) in Self.parts(of: text) {
            guard let term = Self.term(part, isQuoted: isQuoted), !terms.contains(term) else {
                continue
            }
            terms.append(term)
        }
        guard !terms.isEmpty else { throw .empty }
        guard terms.count <= Self.maximumTerms else { throw .tooLong }
        self.terms = terms
    }

    /// The query in the language of FTS5: nothing but quoted words of letters, digits and marks.
    package var expression: String {
        terms.map { term in
            let words = term.words.map { String(decoding: $0, as: UTF8.self) }
            return "\"\(words.joined(separator: " "))\"\(term.isOpen ? " *" : "")"
        }.joined(separator: " AND ")
    }

    /// What must be there: words that follow each other, and whether the last of them may go on.
    package var phrases: [(words: [String], isOpen: Bool)] {
        terms.map { term in
            (term.words.map { String(decoding: $0, as: UTF8.self) }, term.isOpen)
        }
    }

    /// Every word that must be there, and whether it may go on.
    package var words: [(text: String, isOpen: Bool)] {
        phrases.flatMap { phrase in
            phrase.words.enumerated().map { place, word in
                (word, phrase.isOpen && place == phrase.words.count - 1)
            }
        }
    }

    private static func term(_ part: Substring, isQuoted: Bool) -> Term? {
        let words = SearchWords.cut(part, isQuery: true)
        guard let last = words.last else { return nil }
        let scalars = String(decoding: last.bytes, as: UTF8.self).unicodeScalars
        let isPaired = scalars.first.map { SearchWords.isPaired($0) } ?? false
        // A single letter of a paired script begins a pair or is a word of its own: both find it.
        let isOpen = isPaired ? scalars.count == 1 : !isQuoted && scalars.count >= prefixLetters
        return Term(words: words.map(\.bytes), isOpen: isOpen)
    }

    /// Cuts at white space, and at quotes of any width; a quote that is not closed goes to the end.
    private static func parts(of text: String) -> [(Substring, isQuoted: Bool)] {
        var parts: [(Substring, isQuoted: Bool)] = []
        var isQuoted = false
        var start = text.unicodeScalars.startIndex
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let isQuote = "\"\u{201C}\u{201D}\u{FF02}".unicodeScalars.contains(scalars[index])
            guard isQuote || (!isQuoted && scalars[index].properties.isWhitespace) else { continue }
            parts.append((Substring(scalars[start..<index]), isQuoted))
            start = scalars.index(after: index)
            if isQuote { isQuoted.toggle() }
        }
        parts.append((Substring(scalars[start...]), isQuoted))
        return parts
    }
}

extension SearchQuery {
    /// Where a text has what is looked for, in scalars and in order; nil unless all of it is there.
    func places(in words: [SearchWord]) -> [Range<Int>]? {
        var places: [Range<Int>] = []
        for term in terms {
            let found = Self.places(of: term, in: words)
            guard !found.isEmpty else { return nil }
            places += found
        }
        places.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var joined: [Range<Int>] = []
        for place in places {
            if let last = joined.last, place.lowerBound <= last.upperBound {
                joined[joined.count - 1] =
                    last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                joined.append(place)
            }
        }
        return joined
    }

    private static func places(of term: Term, in words: [SearchWord]) -> [Range<Int>] {
        let count = term.words.count
        guard words.count >= count else { return [] }
        return (0...(words.count - count)).compactMap { start in
            for step in 0..<count - 1 where words[start + step].bytes != term.words[step] {
                return nil
            }
            let last = words[start + count - 1]
            let sought = term.words[count - 1]
            let fits = term.isOpen ? last.bytes.starts(with: sought) : last.bytes == sought
            guard fits else { return nil }
            var end = last.scalars.upperBound
            // Of a pair that was found by its first letter only that letter is shown.
            if term.isOpen, SearchWords.isPair(last.bytes) { end = last.scalars.lowerBound + 1 }
            return words[start].scalars.lowerBound..<end
        }
    }
}

extension SearchWords {
    /// Whether a word is a pair or single letter of a script that is cut into pairs.
    static func isPair(_ word: [UInt8]) -> Bool {
        // These scripts begin at U+0E00, whose UTF-8 begins with E0.
        guard let first = word.first, first >= 0xE0 else { return false }
        return String(decoding: word, as: UTF8.self).unicodeScalars.first.map(isPaired) ?? false
    }
}

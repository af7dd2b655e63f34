package import DeskModel

extension Customer {
    /// The customer's name as people see it, as far as it can be searched: the name, or the last
    /// four letters and digits of the id for a customer without one.
    package var shownName: String {
        if let name, !name.isEmpty { return name }
        let letters = id.text.utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
        return String(decoding: letters.suffix(4), as: UTF8.self)
    }

    /// The folded words by which the name is found, each once.
    package var nameWords: [String] {
        var words: [String] = []
        for word in SearchWords.cut(shownName).prefix(NameSearch.maximumWords) {
            let text = String(decoding: word.bytes, as: UTF8.self)
            if !words.contains(text) { words.append(text) }
        }
        return words
    }

    /// Whether the name has all that is looked for.
    package func isNamed(_ query: SearchQuery) -> Bool {
        query.places(in: SearchWords.cut(shownName)) != nil
    }
}

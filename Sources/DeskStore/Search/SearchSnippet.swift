/// A part of a message's text around what was found.
public struct SearchSnippet: Hashable, Sendable {
    /// Longest snippet in characters, the dots for what is left out not counted.
    public static let maximumCharacters = 160
    /// Characters shown before the first place found.
    static let leadCharacters = 40

    /// The text, on one line.
    public let text: String
    /// What was found, in UTF-16 code units of `text`, in order.
    public let marks: [Range<Int>]

    /// Cuts the part out of a text that has all that is looked for; nil when it has not.
    public init?(of query: SearchQuery, in text: String) {
        guard let places = query.places(in: SearchWords.cut(text)), let first = places.first
        else { return nil }
        var shown = ""
        var marks: [Range<Int>] = []
        var scalar = 0
        var characters = 0
        var begins = 0
        // The characters before the first place decide where the snippet begins.
        var lead: [Int] = []
        for character in text {
            if scalar + character.unicodeScalars.count > first.lowerBound { break }
            lead.append(scalar)
            scalar += character.unicodeScalars.count
        }
        if lead.count > Self.leadCharacters { begins = lead[lead.count - Self.leadCharacters] }
        if begins > 0 { shown = "…" }
        scalar = 0
        var units = shown.utf16.count
        var rest = places[...]
        var isCut = false
        for character in text {
            let end = scalar + character.unicodeScalars.count
            defer { scalar = end }
            guard scalar >= begins else { continue }
            guard characters < Self.maximumCharacters else {
                isCut = true
                break
            }
            let piece = character.isWhitespace ? " " : String(character)
            let next = units + piece.utf16.count
            while let place = rest.first, place.upperBound <= scalar { rest = rest.dropFirst() }
            if let place = rest.first, place.lowerBound < end {
                if let last = marks.last, last.upperBound == units, place.lowerBound < scalar {
                    marks[marks.count - 1] = last.lowerBound..<next
                } else {
                    marks.append(units..<next)
                }
            }
            shown += piece
            units = next
            characters += 1
        }
        self.text = isCut ? shown + "…" : shown
        self.marks = marks
    }
}

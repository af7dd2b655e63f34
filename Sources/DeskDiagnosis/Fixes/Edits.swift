/// Applies edits to a text.
public enum Edits {
    /// The text with edits that do not overlap.
    public static func apply(_ edits: [Edit], to text: [UInt8]) -> [UInt8] {
        guard !edits.isEmpty else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + edits.reduce(0) { $0 + $1.replacement.utf8.count })
        var place = 0
        for edit in edits.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            precondition(
                place <= edit.start && edit.end <= text.count,
                "an edit from \(edit.start) to \(edit.end) in \(text.count) bytes at \(place)")
            result.append(contentsOf: text[place..<edit.start])
            result.append(contentsOf: edit.replacement.utf8)
            place = edit.end
        }
        result.append(contentsOf: text[place...])
        return result
    }
}

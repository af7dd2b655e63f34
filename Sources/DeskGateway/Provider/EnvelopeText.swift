import DeskJSON

/// Writes envelopes and puts new values into a payload's text, leaving every other byte as it is.
enum EnvelopeText {
    /// An object of texts that begins with `"v":1`.
    static func object(_ members: [(String, String)]) -> [UInt8] {
        JSON.object([("v", .integer(1))] + members.map { ($0.0, .string($0.1)) }).bytes()
    }

    /// The text with the bytes of some values replaced; the ranges must not overlap.
    static func replacing(
        _ edits: [(range: Range<Int>, text: [UInt8])], in text: [UInt8]
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var place = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            out += text[place..<edit.range.lowerBound]
            out += edit.text
            place = edit.range.upperBound
        }
        return out + text[place...]
    }
}

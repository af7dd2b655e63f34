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

    /// The text with a reference, a member of its root, exchanged for what it refers to, under another name.
    ///
    /// A null of that name, which stands for a member that is not there, goes: a name is in an object once.
    static func exchanging(
        _ reference: JSONMember, in root: JSONValue, for name: String, _ value: [UInt8],
        of text: [UInt8]
    ) -> [UInt8] {
        var edits = [
            (range: reference.keyRange, text: JSON.string(name).bytes()),
            (range: reference.value.range, text: value),
        ]
        if let twin = root.members.first(where: { $0.keyEquals(name) }) {
            edits.append((range: whole(twin, in: text), text: []))
        }
        return replacing(edits, in: text)
    }

    /// Where a member stands, with the comma that parts it from others.
    private static func whole(_ member: JSONMember, in text: [UInt8]) -> Range<Int> {
        let comma = UInt8(ascii: ",")
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let (begin, end) = (member.keyRange.lowerBound, member.value.range.upperBound)
        if let next = text[end...].firstIndex(where: { !isBlank($0) }), text[next] == comma {
            return begin..<next + 1
        }
        if let before = text[..<begin].lastIndex(where: { !isBlank($0) }), text[before] == comma {
            return before..<end
        }
        return begin..<end
    }
}

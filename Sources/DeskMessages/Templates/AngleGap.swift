import DeskBytes
import DeskJSON

/// A placeholder such as `<team-identifier>` that a copied payload still holds.
public struct AngleGap: Hashable, Sendable {
    /// The words between the angle brackets.
    public let name: String
    /// The text that holds it.
    public let pointer: String
    /// Its bytes in the payload, brackets included.
    public let range: Range<Int>

    /// Finds every placeholder in the texts of a payload, in the order of the text.
    ///
    /// A name begins with a letter and continues with letters, digits, hyphens and underscores, 2
    /// to 64 in all, so that neither a tag with attributes nor a comparison is mistaken for one. A
    /// text that is no JSON has none.
    public static func find(in payload: [UInt8]) -> [AngleGap] {
        guard let root = JSONValue.parsed(payload) else { return [] }
        var found: [AngleGap] = []
        collect(in: root, &found)
        return found
    }

    private static func collect(in value: JSONValue, _ found: inout [AngleGap]) {
        switch value.kind {
        case .object: for member in value.members { collect(in: member.value, &found) }
        case .array: for element in value.elements { collect(in: element, &found) }
        case .string: scan(value, &found)
        case .number, .boolean, .null: break
        }
    }

    private static func scan(_ value: JSONValue, _ found: inout [AngleGap]) {
        let raw = value.rawBytes
        var open: Int?
        for index in raw.indices {
            let byte = raw[index]
            if byte == UInt8(ascii: "<") {
                open = index
            } else if byte == UInt8(ascii: ">"), let start = open {
                let name = raw[(start + 1)..<index]
                if (2...64).contains(name.count), name.first.map(ASCII.isLetter) == true {
                    found.append(
                        AngleGap(
                            name: String(decoding: name, as: UTF8.self), pointer: value.path,
                            range: start..<index + 1))
                }
                open = nil
            } else if !ASCII.isAlphanumeric(byte), byte != UInt8(ascii: "-"),
                byte != UInt8(ascii: "_")
            {
                open = nil
            }
        }
    }
}

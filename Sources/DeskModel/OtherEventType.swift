/// The text of an event's type that this program does not know.
public struct OtherEventType: Hashable, Sendable {
    /// Longest text in bytes; a longer one is none that a program wrote.
    public static let maximumBytes = 64

    /// Lower-case letters, digits, `_` and `.`, beginning with a letter.
    public let text: String

    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumBytes, let first = bytes.first,
            (0x61...0x7A).contains(first),
            bytes.allSatisfy({ byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        self.text = text
    }
}

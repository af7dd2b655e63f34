import DeskBytes

/// An e-mail address, with the name that is shown for it.
public struct Mailbox: Sendable, Hashable {
    /// The name; empty for none.
    public let name: String
    /// The address: ASCII, as `name@example.com`.
    public let address: String

    /// A mailbox; nil when the address cannot stand in an e-mail of ASCII.
    ///
    /// The address is written as it is, so no byte of it may end a line or another part of a header.
    public init?(name: String = "", address: String) {
        let bytes = Array(address.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard (3...254).contains(bytes.count), parts.count == 2, (1...64).contains(parts[0].count),
            !parts[1].isEmpty,
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && !"<>,;:\"()[]\\".utf8.contains($0) })
        else { return nil }
        self.name = name
        self.address = address
    }

    /// Reads `name@example.com` or `Tea shop <name@example.com>`; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.last == UInt8(ascii: ">"), let begin = bytes.firstIndex(of: UInt8(ascii: "<"))
        else {
            self.init(address: text)
            return
        }
        let name = Self.trimmed(bytes[..<begin])
        guard name.count <= 100, name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.init(
            name: String(decoding: name, as: UTF8.self),
            address: String(decoding: bytes[(begin + 1)...].dropLast(), as: UTF8.self))
    }

    /// What stands behind the `@`.
    public var domain: String {
        String(decoding: address.utf8.drop { $0 != UInt8(ascii: "@") }.dropFirst(), as: UTF8.self)
    }

    /// The mailbox as a header has it (RFC 5322 3.4).
    var header: String {
        guard !name.isEmpty else { return address }
        return "\(HeaderText.phrase(name)) <\(address)>"
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop { $0 == 0x20 }
        while rest.last == 0x20 { rest.removeLast() }
        // Quoted as in a header, which is how people copy it.
        guard rest.count >= 2, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"")
        else { return rest }
        return rest.dropFirst().dropLast()
    }
}

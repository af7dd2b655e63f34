import DeskBytes

/// The host that an address names, whether it is a whole address or a host alone.
package struct HostOfAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads `https://host:port/path`, `host:port` or `host`; nil where there is no host.
    package init?(_ address: [UInt8]) {
        var rest = address[...]
        let scheme = Self.schemes.first { ASCII.lowercased(rest.prefix($0.count)) == $0 }
        rest = rest.dropFirst(scheme?.count ?? 0)
        let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        // What precedes an @ is no part of the host.
        let place = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 }
        var host = authority[(place ?? authority.startIndex)...]
        if host.first != UInt8(ascii: "["), let colon = host.lastIndex(of: UInt8(ascii: ":")) {
            host = host[..<colon]
        } else if let end = host.lastIndex(of: UInt8(ascii: "]")) {
            host = host[...end]
        }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        guard !host.isEmpty, host.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        bytes = ASCII.lowercased(host)
        // A word alone may be anything; a host by itself has a dot.
        guard scheme != nil || bytes.contains(UInt8(ascii: ".")) else { return nil }
    }

    /// The host in small letters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the host is this computer.
    var isLoopback: Bool {
        Self.loopback.contains(text) || text.hasPrefix("127.") && bytes.allSatisfy(Self.isOfIPv4)
    }

    private static func isOfIPv4(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static let schemes = ["https://", "http://"].map { Array($0.utf8) }
    private static let loopback: Set = ["localhost", "[::1]"]
}

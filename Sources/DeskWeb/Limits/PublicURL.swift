import DeskBytes

/// The address that the outside knows this server by; links and QR codes begin with it.
public struct PublicURL: Sendable, Hashable {
    /// Scheme, host and port, without a path: `https://chat.example.com`.
    public let origin: String
    /// Whether it is https.
    public let isSecure: Bool
    /// The host without its port, in lower case.
    public let host: String

    /// Reads `http://host[:port]` or `https://host[:port]`, a slash at the end allowed; else nil.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        let lower = ASCII.lowercased(bytes)
        isSecure = lower.starts(with: "https://".utf8)
        guard isSecure || lower.starts(with: "http://".utf8) else { return nil }
        let authority = lower.dropFirst(isSecure ? 8 : 7)
        guard !authority.isEmpty, authority.count <= 260,
            authority.allSatisfy({ ASCII.isAlphanumeric($0) || "-.:[]_".utf8.contains($0) }),
            let host = Self.host(of: authority)
        else { return nil }
        self.host = host
        origin = String(decoding: lower, as: UTF8.self)
    }

    /// Whether only this machine can follow it.
    public var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host name or address, without port, is of this machine's loopback.
    public static func isLoopback(_ host: String) -> Bool {
        let name = ASCII.lowercased(host.utf8)
        return name.elementsEqual("localhost".utf8) || name.elementsEqual("[::1]".utf8)
            || name.elementsEqual("::1".utf8)
            || (name.starts(with: "127.".utf8)
                && name.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
    }

    /// Whether a host, without port, is an address and no name, which a resolver can lead elsewhere.
    package static func isAddress(_ host: String) -> Bool {
        host.utf8.first == UInt8(ascii: "[")
            || (!host.isEmpty
                && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
    }

    /// The host of `host[:port]`; nil when the port is no number.
    public static func host(ofAuthority text: String) -> String? {
        host(of: ASCII.lowercased(text.utf8)[...])
    }

    private static func host(of authority: ArraySlice<UInt8>) -> String? {
        var host = authority
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[...end]
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
        }
        let rest = authority[host.endIndex...]
        guard !host.isEmpty, rest.isEmpty || isPort(rest) else { return nil }
        return String(decoding: host, as: UTF8.self)
    }

    /// Whether it is a colon and a port that exists.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), digits.allSatisfy(ASCII.isDigit) else {
            return false
        }
        return UInt16(String(decoding: digits, as: UTF8.self)).map { $0 > 0 } ?? false
    }
}

/// Where the world finds this house: scheme, host, perhaps a port; no path.
struct PublicURL: Sendable, Equatable {
    /// The URL without a slash at its end.
    let text: String
    let isSecure: Bool
    /// The host without port and brackets.
    let host: String

    /// Reads `http://host[:port]` or `https://…`; a path, query or user name is refused.
    init(_ given: String) throws(UsageError) {
        var text = given
        while text.hasSuffix("/") { text.removeLast() }
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else {
            throw UsageError(
                "--public-url must start with http:// or https://, not \"\(given)\"",
                hint: "for example --public-url https://chat.example.com")
        }
        let authority = text.dropFirst(isSecure ? 8 : 7)
        let allowed = authority.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                || "-._:[]".utf8.contains(byte)
        }
        guard allowed, let host = Self.host(of: String(authority)) else {
            throw UsageError(
                "--public-url is a scheme, a host and perhaps a port, not \"\(given)\"",
                hint: "for example --public-url https://chat.example.com")
        }
        self.text = text
        self.isSecure = isSecure
        self.host = host
    }

    /// The URL of a house that nobody named: its own address.
    init(of address: Address, port: Int, isSecure: Bool) {
        let host = address.isAny ? "localhost" : address.hostInURL
        let isStandard = port == (isSecure ? 443 : 80)
        text = (isSecure ? "https://" : "http://") + host + (isStandard ? "" : ":\(port)")
        self.isSecure = isSecure
        self.host = address.isAny ? "localhost" : address.host
    }

    /// Whether only this machine can follow it.
    var isLoopback: Bool { Loopback.contains(host) }

    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        guard let colon = authority.firstIndex(of: ":") else {
            return authority.isEmpty ? nil : authority
        }
        guard isPort(authority[colon...]), colon != authority.startIndex else { return nil }
        return String(authority[..<colon])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && (1...5).contains(text.count - 1)
            && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (Int(text.dropFirst()) ?? 0) <= 65_535
    }
}

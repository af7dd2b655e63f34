/// Addresses of the machine itself, where nothing can listen on the way.
enum LoopbackAddress {
    /// Whether an address is plain http on loopback: `localhost`, `127.0.0.0/8` or `[::1]`, with or
    /// without a port, and no user name.
    static func isPlainHTTP(_ address: String) -> Bool {
        let scheme = "http://"
        guard address.lowercased().utf8.starts(with: scheme.utf8) else { return false }
        let rest = address.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let (host, port) = parts(authority), port.utf8.allSatisfy({ isDigit($0) }),
            (0...5).contains(port.utf8.count)
        else { return false }
        return host == "localhost" || host == "[::1]" || isFourByteLoopback(host)
    }

    private static func parts(_ authority: Substring) -> (host: String, port: Substring)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            return (authority[...end].lowercased(), rest.dropFirst())
        }
        let fields = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count <= 2, let host = fields.first else { return nil }
        return (host.lowercased(), fields.count == 2 ? fields[1] : "")
    }

    private static func isFourByteLoopback(_ host: String) -> Bool {
        let fields = host.split(separator: ".", omittingEmptySubsequences: false)
        return fields.count == 4 && fields[0] == "127"
            && fields.allSatisfy { field in
                (1...3).contains(field.utf8.count) && field.utf8.allSatisfy { isDigit($0) }
                    && UInt8(field) != nil
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

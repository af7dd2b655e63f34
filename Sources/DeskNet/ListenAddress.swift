/// Where to listen: a numeric address and a port; port 0 lets the kernel pick one.
public struct ListenAddress: Sendable, Hashable {
    /// The address without brackets: `127.0.0.1`, `::1`, `0.0.0.0`.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes an address from a numeric host and a port.
    public init(host: String, port: UInt16) {
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
    }

    /// Reads `HOST:PORT`, an IPv6 address in brackets; nil when it is no such text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") || host.isEmpty {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }
}

import DeskAPI
import DeskWeb

/// A host and a port to listen on.
struct Address: Sendable, Equatable {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, `[IPv6]:PORT` or `:PORT`; nil for anything else.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = text[text.utf8.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            // Without brackets the end of an IPv6 address cannot be found.
            return nil
        }
        guard !host.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "/") }) else {
            return nil
        }
        self.init(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }

    /// The host as a URL writes it.
    var hostInURL: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { PublicURL.isLoopback(host) }

    /// Whether it means every address of the machine.
    var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether two servers could not listen on both at once.
    func overlaps(_ other: Address) -> Bool {
        port == other.port
            && (isAny || other.isAny || host.utf8.elementsEqual(other.host.utf8))
    }

    /// How this machine reaches a server that listens here and was given no public address.
    func url(port: Int, isSecure: Bool) -> String {
        let name = isAny ? "localhost" : hostInURL
        let isStandard = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + name + (isStandard ? "" : ":\(port)")
    }
}

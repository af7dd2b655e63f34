import DeskBytes

/// A push service that subscriptions may be of: a host, or all hosts below one.
public struct PushService: Hashable, Sendable {
    /// The services of the browsers that there are.
    public static let known = [
        PushService(scheme: "https", host: "fcm.googleapis.com", port: ""),
        PushService(scheme: "https", host: "updates.push.services.mozilla.com", port: ""),
        PushService(scheme: "https", host: "*.push.apple.com", port: ""),
        PushService(scheme: "https", host: "*.notify.windows.com", port: ""),
    ]

    private let scheme, host, port: String

    private init(scheme: String, host: String, port: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Reads `HOST`, `HOST:PORT` or `*.HOST` with a dot in it, and for tests on this machine `http://127.0.0.1:PORT`.
    public init?(_ text: String) {
        let plain = "http://127.0.0.1:"
        let isPlain = text.hasPrefix(plain)
        let authority = isPlain ? String(text.dropFirst("http://".count)) : text
        guard let parts = PushAddress.parts(of: authority.lowercased(), mayBegin: "*.") else {
            return nil
        }
        // All of a top-level domain is no service.
        guard !parts.host.hasPrefix("*.") || parts.host.dropFirst(2).dropLast().contains(".")
        else { return nil }
        self.init(scheme: isPlain ? "http" : "https", host: parts.host, port: parts.port)
    }

    /// Whether an address is at the service.
    func has(_ address: PushAddress) -> Bool {
        guard address.scheme == scheme, address.port == port else { return false }
        guard host.hasPrefix("*.") else { return address.host == host }
        return address.host.hasSuffix(host.dropFirst(1))
    }
}

/// The push services that the server posts to: no other address, whatever a browser says.
public struct PushServices: Sendable {
    private let all: [PushService]

    /// The known ones and what the operator adds.
    public init(adding more: [PushService] = []) { all = PushService.known + more }

    /// The address of an endpoint; nil where it is no address of one of the services.
    package func address(of endpoint: String) -> PushAddress? {
        PushAddress(endpoint).flatMap { address in
            all.contains { $0.has(address) } ? address : nil
        }
    }
}

/// The parts of an endpoint's address that say where it is.
package struct PushAddress: Hashable, Sendable {
    let scheme, host, port: String

    /// Scheme, host and port as RFC 6454 writes them: whom a token of RFC 8292 is for.
    package var origin: String { "\(scheme)://\(host)" + (port.isEmpty ? "" : ":\(port)") }

    /// Reads `https://HOST[:PORT]/…` or `http://…`, of visible characters of ASCII, without user and fragment; else nil.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
            !text.contains("\\"), let mark = text.firstRange(of: "://")
        else { return nil }
        let scheme = String(text[..<mark.lowerBound])
        let rest = text[mark.upperBound...]
        guard scheme == "https" || scheme == "http", let slash = rest.firstIndex(of: "/"),
            let parts = Self.parts(of: rest[..<slash].lowercased(), mayBegin: "")
        else { return nil }
        self.scheme = scheme
        host = parts.host
        port = scheme == "https" && parts.port == "443" ? "" : parts.port
    }

    /// Host and port of an authority; nil for anything but letters, digits, dots and hyphens with perhaps a number.
    static func parts(of authority: String, mayBegin start: String) -> (host: String, port: String)?
    {
        let pieces = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = pieces.first, pieces.count <= 2 else { return nil }
        let name = !start.isEmpty && host.hasPrefix(start) ? host.dropFirst(start.count) : host
        guard !name.isEmpty, host.utf8.count <= 253, name.first != ".",
            name.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || "-.".utf8.contains($0) })
        else { return nil }
        guard pieces.count == 2 else { return (String(host), "") }
        guard let port = UInt16(pieces[1]), port > 0, pieces[1].utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return (String(host), String(port))
    }
}

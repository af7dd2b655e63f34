import DeskBytes
public import DeskModel
import DeskWeb

/// The address of a link's other end: a provider's endpoint or a gateway's base.
public struct LinkAddress: Sendable {
    /// What an address must be, in words.
    public static let rule =
        "an http:// or https:// address without user name, query and fragment, up to "
        + "\(GatewayLink.maximumURLBytes) bytes; plain http only for a test business, or to a "
        + "loopback or private host"

    private static let privateRanges = [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
        "::1/128", "fc00::/7", "fe80::/10",
    ].compactMap { AddressRange($0) }

    /// The address as it was given.
    public let text: String

    /// Accepts an address that a link of a business in this mode may have; nil for any other.
    public init?(_ text: String, for mode: Mode) {
        guard text.utf8.count <= GatewayLink.maximumURLBytes else { return nil }
        let bytes = Array(text.utf8)
        guard let marks = text.utf8.firstRange(of: "://".utf8) else { return nil }
        let rest = text.utf8[marks.upperBound...]
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        // User names, queries and fragments do not get through here: their marks are not allowed.
        guard let url = PublicURL(String(text[..<slash])), Self.hasGoodPort(rest[..<slash]),
            bytes[(text.utf8.distance(from: text.startIndex, to: slash))...]
                .allSatisfy(Self.isPathByte)
        else { return nil }
        guard url.isSecure || mode == .test || Self.isPrivate(url.host) else { return nil }
        self.text = text
    }

    /// Whether two addresses lead to the same scheme, host and port; false where one is no address.
    static func haveSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let origin = origin(of: one) else { return false }
        return origin == self.origin(of: other)
    }

    private static func origin(of text: String) -> String? {
        guard let marks = text.utf8.firstRange(of: "://".utf8) else { return nil }
        let end = text.utf8[marks.upperBound...].firstIndex { "/?#".utf8.contains($0) }
        guard let url = PublicURL(String(text[..<(end ?? text.endIndex)])) else { return nil }
        let standard = url.isSecure ? ":443" : ":80"
        return url.origin.hasSuffix(standard)
            ? String(url.origin.dropLast(standard.count)) : url.origin
    }

    /// Whether a host can only be this machine or one of its network.
    static func isPrivate(_ host: String) -> Bool {
        if PublicURL.isLoopback(host) { return true }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if AddressRange(bare) != nil { return privateRanges.contains { $0.contains(bare) } }
        return [".localhost", ".local", ".internal"].contains { bare.hasSuffix($0) }
    }

    private static func hasGoodPort(_ authority: Substring.UTF8View) -> Bool {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            !authority[colon...].contains(UInt8(ascii: "]"))
        else { return true }
        guard let port = Int(String(Substring(authority[colon...].dropFirst()))) else {
            return false
        }
        return (1...65_535).contains(port)
    }

    /// RFC 3986 3.3, and what would end the path is left out.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "/-._~%!$&'()*+,;=:@".utf8.contains(byte)
    }
}

import DeskBytes
import DeskHTTP
import DeskWeb

/// The site that passkeys are made for and answer to: what Web Authentication calls the one that relies on them (section 4).
struct PasskeySite: Hashable, Sendable {
    /// Its host, by which browsers choose among passkeys.
    let host: String
    /// Its address as browsers state it: without the port that its scheme implies.
    let origin: String

    /// The site at the public address; nil where passkeys do not work: without TLS, and at an IP address.
    ///
    /// Where that is so, and the request came to `localhost`, the site is that of this machine: browsers allow it there.
    init?(_ publicURL: PublicURL, request host: String, isSecure: Bool) {
        if publicURL.isSecure || Self.isLocal(publicURL.host), Self.isName(publicURL.host) {
            self.host = publicURL.host
            origin = Self.withoutPort(publicURL.origin, publicURL.isSecure)
        } else if let name = PublicURL.host(ofAuthority: host), Self.isLocal(name),
            let own = PublicURL("\(isSecure ? "https" : "http")://\(host)")
        {
            self.host = name
            origin = Self.withoutPort(own.origin, isSecure)
        } else {
            return nil
        }
    }

    private static func isLocal(_ host: String) -> Bool {
        host.utf8.elementsEqual("localhost".utf8)
    }

    /// Whether a host is a name and no address.
    private static func isName(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last
        return last?.allSatisfy(ASCII.isDigit) == false && !host.utf8.contains(UInt8(ascii: "["))
    }

    private static func withoutPort(_ origin: String, _ isSecure: Bool) -> String {
        let implied = Array((isSecure ? ":443" : ":80").utf8)
        let bytes = Array(origin.utf8)
        guard bytes.suffix(implied.count).elementsEqual(implied) else { return origin }
        return String(decoding: bytes.dropLast(implied.count), as: UTF8.self)
    }
}

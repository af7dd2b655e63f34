import DeskBytes
package import DeskHTTP

/// The proxies whose forwarding headers are trusted; those of other peers are ignored.
public struct TrustedProxies: Sendable {
    /// Most entries of a field that are looked at, from the last one on.
    static let maximumEntries = 32

    private let ranges: [AddressRange]

    /// Trusts these; without any, the client is always the peer.
    public init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// The client of a request: its peer, or the last address before the trusted ones.
    ///
    /// `X-Forwarded-For` counts, and `Forwarded` where that is missing. The entries before an
    /// address that is not trusted may be forged and are not read.
    package func peer(of request: Request) -> Peer {
        guard !ranges.isEmpty, isTrusted(request.peer.address) else { return request.peer }
        let plain = request.headers.values("x-forwarded-for")
        let entries =
            plain.isEmpty
            ? Self.entries(request.headers.values("forwarded")).map(Self.forwarded)
            : Self.entries(plain).map { Self.address($0) }
        for entry in entries.suffix(Self.maximumEntries).reversed() {
            guard let entry, ClientNetwork.bytes(of: entry) != nil else { return request.peer }
            if !isTrusted(entry) { return request.peer.speaking(for: entry) }
        }
        return request.peer
    }

    private func isTrusted(_ address: String) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    private static func entries(_ values: [String]) -> [Substring] {
        values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    /// The address of `for=192.0.2.1;proto=https`, RFC 7239.
    private static func forwarded(_ entry: Substring) -> String? {
        for part in entry.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2,
                ASCII.equalsIgnoringCase(trimmed(pair[0]).utf8, "for".utf8)
            else { continue }
            return address(pair[1])
        }
        return nil
    }

    /// An address without quotes, brackets and port.
    private static func address(_ text: Substring) -> String? {
        var bytes = Array(trimmed(text).utf8)
        if bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""), bytes.count > 1 {
            bytes = Array(bytes[1..<(bytes.count - 1)])
        }
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            bytes = Array(bytes[1..<end])
        } else if bytes.filter({ $0 == UInt8(ascii: ":") }).count == 1,
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        {
            bytes = Array(bytes[..<colon])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let front = text.drop(while: isSpace)
        guard let last = front.lastIndex(where: { !isSpace($0) }) else { return "" }
        return front[...last]
    }
}

import DeskBytes
import DeskCrypto
import DeskModel

/// The last part of an upload's or a download's address: who may do what until when, signed.
struct SignedAddress: Hashable, Sendable {
    /// What the address is good for.
    enum Purpose: String, Sendable {
        case upload
        case download
    }

    /// Seconds that an upload's address is good for.
    static let uploadSeconds: Int64 = 900
    /// Seconds that a download's address is good for (protocol page 2.5: seen to be short).
    static let downloadSeconds: Int64 = 60

    let purpose: Purpose
    let object: String
    let link: GatewayLinkID
    let byteCount: Int64
    let expires: Timestamp

    /// The text, fit for the last segment of a path.
    func text(key: [UInt8]) -> String {
        let body = "\(object).\(link.text).\(byteCount).\(expires.milliseconds)"
        return body + "." + Self.code(purpose, body, key)
    }

    /// Reads a text; nil when it is not of our making for this purpose.
    init?(_ text: String, for purpose: Purpose, key: [UInt8]) {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 5, let link = GatewayLinkID(fields[1]),
            let byteCount = Int64(fields[2]), let expires = Int64(fields[3])
        else { return nil }
        let body = fields[..<4].joined(separator: ".")
        let expected = Self.code(purpose, body, key)
        guard constantTimeEquals(Array(fields[4].utf8), Array(expected.utf8)) else { return nil }
        self.init(
            purpose: purpose, object: String(fields[0]), link: link, byteCount: byteCount,
            expires: Timestamp(milliseconds: expires))
    }

    init(
        purpose: Purpose, object: String, link: GatewayLinkID, byteCount: Int64,
        expires: Timestamp
    ) {
        self.purpose = purpose
        self.object = object
        self.link = link
        self.byteCount = byteCount
        self.expires = expires
    }

    private static func code(_ purpose: Purpose, _ body: String, _ key: [UInt8]) -> String {
        Base64.encode(
            HMACSHA256.code(for: Array("\(purpose.rawValue) \(body)".utf8), key: key),
            alphabet: .url)
    }
}

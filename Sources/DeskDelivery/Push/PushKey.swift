import DeskBytes
import DeskCrypto
import DeskJSON
package import DeskModel

/// The key by which push services know this installation (VAPID, RFC 8292).
///
/// Secret: the private part. The public one is in each browser's subscription, which accepts no other sender.
public struct PushKey: Sendable {
    /// How long a token is valid; a service refuses one of more than a day.
    private static let life = Duration.seconds(12 * 3_600)

    private let pair: P256

    /// Makes the key of an installation's secret: always the same of the same.
    public init(secret: [UInt8]) {
        var number: UInt8 = 0
        while true {
            let scalar = HMACSHA256.code(for: Array("push key".utf8) + [number], key: secret)
            // Safe: a code is no valid scalar once in 2^32 times; then the next one is tried.
            if let pair = try? P256(scalar: scalar) {
                self.pair = pair
                return
            }
            number += 1
        }
    }

    /// A key pair that is known, as a standard's example has it.
    init(_ pair: P256) { self.pair = pair }

    /// The public key as browsers want it: base64url of the uncompressed point.
    package var publicText: String { Base64.encode(pair.point, alphabet: .url) }

    /// The value of `Authorization` for a push service.
    ///
    /// - Parameters:
    ///   - origin: of the service.
    ///   - contact: where its operator reaches this installation's, an address of `https:` or `mailto:`.
    package func authorization(for origin: String, from contact: String, at time: Timestamp)
        -> String
    {
        let head = JSONWriter.object { text in
            text.member("typ", "JWT")
            text.member("alg", "ES256")
        }
        let claims = JSONWriter.object { text in
            text.member("aud", origin)
            text.member("exp", Int(time.advanced(by: Self.life).milliseconds / 1_000))
            text.member("sub", contact)
        }
        let signed = [head, claims].map { Base64.encode($0, alphabet: .url) }
            .joined(separator: ".")
        let signature = Base64.encode(pair.sign(Array(signed.utf8)), alphabet: .url)
        return "vapid t=\(signed).\(signature), k=\(publicText)"
    }
}

import DeskBytes
import DeskCrypto
import DeskDelivery
import DeskJSON
import DeskModel
import DeskWeb

/// What a browser says of its subscription at a push service, as customers' pages and consoles send it.
struct PushFields {
    /// Largest body of a subscription in bytes; one more is answered with 413.
    static let mostBytes = 4_096

    /// The address at the push service.
    let endpoint: String
    /// The browser's key `p256dh`.
    let point: [UInt8]
    /// The browser's secret `auth`.
    let secret: [UInt8]

    /// Reads and judges the three; nil where there is a finding, which the caller's `finish` throws.
    init?(_ fields: inout Fields, of services: PushServices) {
        let endpoint = fields.requireText("endpoint", bytes: 1...PushSubscription.endpointBytes)
        if let endpoint, services.address(of: endpoint) == nil {
            fields.noteSecret(
                "endpoint", found: "an address that is none of a known push service",
                allowed: "https and the host of a push service of a browser",
                fix: "Send what the browser gave; --push-service names further services.")
        }
        let point = Self.requireBytes("point", in: &fields, count: P256.pointBytes)
        if let point, !P256.isPoint(point) {
            fields.noteSecret(
                "point", found: "no point of the curve P-256",
                allowed: "the browser's key p256dh in base64url",
                fix: "Send the key as the browser gave it.")
        }
        let secret = Self.requireBytes("secret", in: &fields, count: PushSubscription.secretBytes)
        guard let endpoint, let point, let secret else { return nil }
        self.endpoint = endpoint
        self.point = point
        self.secret = secret
    }

    /// A member of so many bytes in base64url, whose value must not be shown.
    private static func requireBytes(
        _ name: String, in fields: inout Fields, count: Int
    ) -> [UInt8]? {
        let letters = (count * 4 + 2) / 3
        guard let text = fields.requireText(name, bytes: letters...letters) else { return nil }
        guard let bytes = Base64.decode(text, alphabet: .url), bytes.count == count else {
            fields.noteSecret(
                name, found: "no base64url without padding", allowed: "\(count) bytes in base64url",
                fix: "Send \(name) in base64url, as the browser gave it.")
            return nil
        }
        return bytes
    }
}

/// Answers the key that browsers subscribe with, and the subscriptions that are known.
struct PushAnswer {
    /// The JSON of both.
    static func json(_ key: PushKey, _ subscriptions: [PushSubscription]) -> [UInt8] {
        JSONWriter.object { text in
            text.member("key", key.publicText)
            text.member("devices") { text in
                text.array { text in for one in subscriptions { text.string(one.id.text) } }
            }
        }
    }
}

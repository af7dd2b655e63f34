import DeskBytes

/// Signs webhooks after Standard Webhooks 1.0 with every key of an endpoint that is valid now.
///
/// While a key is replaced, the old and the new one are both given; a receiver that has either accepts.
public struct WebhookSigner: Sendable {
    /// Most keys of one signer; a signature each would otherwise make the header grow beyond what receivers read.
    public static let maximumKeys = 8

    private let secrets: [WebhookSecret]
    private let keys: [WebhookSigningKey]

    /// Holds 1 to 8 keys; the newest first.
    public init(secrets: [WebhookSecret], keys: [WebhookSigningKey] = []) {
        let count = secrets.count + keys.count
        precondition(
            (1...WebhookSigner.maximumKeys).contains(count), "a signer with \(count) keys")
        self.secrets = secrets
        self.keys = keys
    }

    /// Signs one attempt: the fields to send with exactly these bytes.
    ///
    /// Order: `v1` for each secret, then `v1a` for each key, each in the order in which they were given.
    ///
    /// - Parameters:
    ///   - id: the same at every attempt.
    ///   - seconds: when this attempt is made, in seconds since 1970; zero or more.
    ///   - body: the bytes of the request's body.
    public func sign(
        id: WebhookMessageID, atSeconds seconds: Int64, body: [UInt8]
    ) -> WebhookHeaders {
        precondition(seconds >= 0, "a webhook at \(seconds) s")
        let timestamp = String(seconds)
        let content = SignedContent.bytes(id: id, timestamp: timestamp, body: body)
        let signatures =
            secrets.map { write(.symmetric, $0.signature(of: content)) }
            + keys.map { write(.asymmetric, $0.signature(of: content)) }
        return WebhookHeaders(
            id: id.text, timestamp: timestamp, signature: signatures.joined(separator: " "))
    }

    private func write(_ version: SignatureVersion, _ signature: [UInt8]) -> String {
        version.rawValue + "," + Base64.encode(signature)
    }
}

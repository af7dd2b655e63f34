import DeskBytes
import DeskCrypto

/// Verifies webhooks after Standard Webhooks 1.0: genuine, whole, and signed within five minutes of now.
///
/// A webhook that comes twice within these five minutes is genuine both times; receivers know it by its
/// `webhook-id`.
public struct WebhookVerifier: Sendable {
    /// How far the time of an attempt may be from now, in seconds, in either direction.
    public static let toleranceSeconds: Int64 = 300
    /// Most signatures that are looked at; with one more the webhook is refused.
    public static let maximumSignatures = 16

    private let secrets: [WebhookSecret]
    private let keys: [WebhookPublicKey]

    /// Accepts what one of these keys has signed.
    public init(secrets: [WebhookSecret], keys: [WebhookPublicKey] = []) {
        self.secrets = secrets
        self.keys = keys
    }

    /// Accepts a webhook, and returns its id, which is the same when it comes again.
    ///
    /// The running time depends on lengths and on the number of keys, not on what the secrets are.
    ///
    /// - Parameter nowSeconds: the time in seconds since 1970.
    /// - Throws: why it is refused. Signatures of unknown versions, or that cannot be read, match nothing.
    @discardableResult
    public func verify(
        _ headers: WebhookHeaders, body: [UInt8], nowSeconds: Int64
    ) throws(WebhookRefusal) -> WebhookMessageID {
        let name = try require(headers.id, WebhookHeaders.idField)
        let timestamp = try require(headers.timestamp, WebhookHeaders.timestampField)
        let written = try require(headers.signature, WebhookHeaders.signatureField)
        guard let id = WebhookMessageID(name) else { throw .invalidID }
        try checkTime(timestamp, nowSeconds: nowSeconds)
        let signatures = written.utf8.split(separator: UInt8(ascii: " "))
        guard signatures.count <= WebhookVerifier.maximumSignatures else {
            throw .tooManySignatures
        }
        let content = SignedContent.bytes(id: id, timestamp: timestamp, body: body)
        let codes = secrets.map { $0.signature(of: content) }
        var isGenuine = false
        for signature in signatures {
            // Every signature is compared with every key, so that the time says nothing about a match.
            let isMatch = matches(Array(signature), content: content, codes: codes)
            isGenuine = isMatch || isGenuine
        }
        guard isGenuine else { throw .noMatch }
        return id
    }

    private func require(
        _ value: String?, _ field: String
    ) throws(WebhookRefusal) -> String {
        guard let value, !value.isEmpty else { throw .missing(field: field) }
        return value
    }

    private func checkTime(
        _ timestamp: String, nowSeconds: Int64
    ) throws(WebhookRefusal) {
        // One time has one text: neither a sign nor a zero before other digits.
        guard timestamp.utf8.count <= 18, timestamp.utf8.allSatisfy(ASCII.isDigit),
            let seconds = Int64(timestamp), String(seconds) == timestamp
        else { throw .invalidTimestamp }
        let age = nowSeconds - seconds
        if age > WebhookVerifier.toleranceSeconds { throw .tooOld(bySeconds: age) }
        if age < -WebhookVerifier.toleranceSeconds { throw .tooNew(bySeconds: -age) }
    }

    private func matches(_ written: [UInt8], content: [UInt8], codes: [[UInt8]]) -> Bool {
        guard let comma = written.firstIndex(of: UInt8(ascii: ",")),
            let version = SignatureVersion(
                rawValue: String(decoding: written[..<comma], as: UTF8.self)),
            let signature = Base64.decode(Array(written[(comma + 1)...]))
        else { return false }
        var isMatch = false
        switch version {
        case .symmetric:
            for code in codes { isMatch = constantTimeEquals(code, signature) || isMatch }
        case .asymmetric:
            for key in keys { isMatch = key.verifies(signature, for: content) || isMatch }
        }
        return isMatch
    }
}

import DeskCrypto

/// The key of `v1` signatures, which sender and receiver share: `whsec_` and base64 of 24 to 64 bytes.
///
/// Secret: the bytes and the text; `description` has neither.
public struct WebhookSecret: Sendable, Equatable, CustomStringConvertible {
    /// What its text begins with.
    public static let prefix = "whsec_"
    /// How many bytes a secret may have (Standard Webhooks 1.0: 192 to 512 bits).
    public static let byteCounts = 24...64
    /// How many bytes a secret of ours has.
    static let newBytes = 32

    /// The key of the HMAC.
    public let bytes: [UInt8]

    /// Checks the size of a key.
    ///
    /// - Throws: when it has fewer than 24 or more than 64 bytes.
    public init(bytes: [UInt8]) throws(WebhookKeyError) {
        guard WebhookSecret.byteCounts.contains(bytes.count) else {
            throw WebhookKeyError(
                "the secret has \(bytes.count) bytes, and 24 to 64 are allowed; "
                    + "make one: echo whsec_$(head -c 32 /dev/urandom | base64 -w 0)")
        }
        self.bytes = bytes
    }

    /// Reads `whsec_…`.
    ///
    /// - Throws: when it is something else, or of a wrong size.
    public init(_ text: String) throws(WebhookKeyError) {
        try self.init(bytes: KeyText.decode(text, prefix: WebhookSecret.prefix))
    }

    /// Makes a new secret of 32 random bytes.
    public static func make() -> WebhookSecret {
        WebhookSecret(valid: RandomBytes.make(newBytes))
    }

    private init(valid bytes: [UInt8]) { self.bytes = bytes }

    /// The form in which it is shown and given to verifiers: `whsec_…`.
    public var text: String { KeyText.encode(bytes, prefix: WebhookSecret.prefix) }

    /// Says only what it is; safe to log.
    public var description: String { "WebhookSecret(\(bytes.count) bytes)" }

    /// Compares in constant time.
    public static func == (left: WebhookSecret, right: WebhookSecret) -> Bool {
        constantTimeEquals(left.bytes, right.bytes)
    }

    /// The `v1` signature of a content: 32 bytes.
    func signature(of content: [UInt8]) -> [UInt8] { HMACSHA256.code(for: content, key: bytes) }
}

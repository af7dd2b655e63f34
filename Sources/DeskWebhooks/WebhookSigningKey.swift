import DeskCrypto

/// The private key of `v1a` signatures (Ed25519), which only the sender has: `whsk_` and base64.
///
/// Secret: the seed and the text; `description` has neither.
public struct WebhookSigningKey: Sendable, Equatable, CustomStringConvertible {
    /// What its text begins with.
    public static let prefix = "whsk_"

    private let pair: Ed25519

    private init(_ pair: Ed25519) { self.pair = pair }

    /// Imports a seed of 32 bytes.
    ///
    /// - Throws: when it is of another size.
    public init(seed: [UInt8]) throws(WebhookKeyError) {
        do throws(CryptoError) {
            pair = try Ed25519(seed: seed)
        } catch {
            throw WebhookKeyError(
                "the signing key has \(seed.count) bytes; allowed are the 32 of an Ed25519 seed, or "
                    + "64: the seed and its public key")
        }
    }

    /// Reads `whsk_…`: the seed, or the seed followed by its public key, as some senders write it.
    ///
    /// - Throws: when it is something else, of a wrong size, or a seed with another's public key.
    public init(_ text: String) throws(WebhookKeyError) {
        let bytes = try KeyText.decode(text, prefix: WebhookSigningKey.prefix)
        guard bytes.count == Ed25519.seedBytes + Ed25519.publicKeyBytes else {
            try self.init(seed: bytes)
            return
        }
        try self.init(seed: Array(bytes.prefix(Ed25519.seedBytes)))
        guard publicKey.bytes == Array(bytes.dropFirst(Ed25519.seedBytes)) else {
            throw WebhookKeyError(
                "the second half of the signing key is not the public key of its first half; "
                    + "copy the whole text again")
        }
    }

    /// Makes a new key pair.
    public static func make() -> WebhookSigningKey { WebhookSigningKey(.make()) }

    /// The private key; 32 bytes.
    public var seed: [UInt8] { pair.seed }

    /// What receivers verify with.
    public var publicKey: WebhookPublicKey { WebhookPublicKey(valid: pair.publicKey) }

    /// The form in which it is stored and given to another sender: `whsk_…` of the seed.
    public var text: String { KeyText.encode(pair.seed, prefix: WebhookSigningKey.prefix) }

    /// Names it by its public key; safe to log.
    public var description: String { "WebhookSigningKey(\(publicKey.text))" }

    /// Compares in constant time.
    public static func == (left: WebhookSigningKey, right: WebhookSigningKey) -> Bool {
        constantTimeEquals(left.seed, right.seed)
    }

    /// The `v1a` signature of a content: 64 bytes.
    func signature(of content: [UInt8]) -> [UInt8] { pair.sign(content) }
}

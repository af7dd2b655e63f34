import DeskCrypto

/// The public key of `v1a` signatures, which receivers verify with: `whpk_` and base64 of 32 bytes.
public struct WebhookPublicKey: Sendable, Hashable, CustomStringConvertible {
    /// What its text begins with.
    public static let prefix = "whpk_"

    /// The Ed25519 public key; 32 bytes.
    public let bytes: [UInt8]

    init(valid bytes: [UInt8]) { self.bytes = bytes }

    /// Reads `whpk_…`.
    ///
    /// - Throws: when it is something else, or not of 32 bytes.
    public init(_ text: String) throws(WebhookKeyError) {
        bytes = try KeyText.decode(text, prefix: WebhookPublicKey.prefix)
        guard bytes.count == Ed25519.publicKeyBytes else {
            throw WebhookKeyError(
                "the public key has \(bytes.count) bytes, and an Ed25519 public key has 32; "
                    + "copy the whole text again")
        }
    }

    /// The form in which it is shown and given to verifiers: `whpk_…`.
    public var text: String { KeyText.encode(bytes, prefix: WebhookPublicKey.prefix) }

    /// The key itself, which is no secret.
    public var description: String { text }

    /// Whether a `v1a` signature is a content's by the private key of this one.
    func verifies(_ signature: [UInt8], for content: [UInt8]) -> Bool {
        Ed25519.verifies(signature, for: content, publicKey: bytes)
    }
}

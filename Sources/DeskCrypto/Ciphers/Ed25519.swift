import COpenSSL

/// A key pair for signatures with Ed25519 (RFC 8032).
///
/// Secret: the seed; it goes into no log.
public struct Ed25519: Sendable {
    /// Bytes of a seed, which is the private key.
    public static let seedBytes = 32
    /// Bytes of a public key.
    public static let publicKeyBytes = 32
    /// Bytes of a signature.
    public static let signatureBytes = 64

    /// The private key; 32 bytes.
    public let seed: [UInt8]
    /// The public key of the seed; 32 bytes.
    public let publicKey: [UInt8]

    /// Imports a private key of 32 bytes; every 32 bytes are one.
    ///
    /// - Throws: when it is of another size.
    public init(seed: [UInt8]) throws(CryptoError) {
        var publicKey = [UInt8](repeating: 0, count: Ed25519.publicKeyBytes)
        guard seed.count == Ed25519.seedBytes,
            unsafe frontdesk_ed25519_public_of(seed, &publicKey) == 1
        else { throw CryptoError("Ed25519 private key") }
        self.seed = seed
        self.publicKey = publicKey
    }

    /// Makes a new key pair.
    public static func make() -> Ed25519 {
        guard let key = try? Ed25519(seed: RandomBytes.make(seedBytes)) else {  // Safe: it ends.
            preconditionFailure("libcrypto refused a random Ed25519 seed")
        }
        return key
    }

    /// The signature of the bytes, 64 bytes; the same for the same bytes each time.
    public func sign(_ bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Ed25519.signatureBytes)
        let made = unsafe frontdesk_ed25519_sign(seed, bytes, bytes.count, &signature)
        precondition(made == 1, "Ed25519 signing failed")
        return signature
    }

    /// Whether the signature is the bytes' by the private key of this public key.
    ///
    /// False for a public key or a signature of another size, and for a key that is no point.
    public static func verifies(
        _ signature: [UInt8], for bytes: [UInt8], publicKey: [UInt8]
    ) -> Bool {
        guard publicKey.count == publicKeyBytes, signature.count == signatureBytes else {
            return false
        }
        let isGood =
            unsafe frontdesk_ed25519_verify(publicKey, bytes, bytes.count, signature) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }
}

import COpenSSL

/// AES in Galois counter mode (NIST SP 800-38D), with keys of 256 bits unless others are asked for: encrypts a text and
/// detects any change of it.
public enum AESGCM {
    /// The bytes of a key; they are stated, so that a key that was cut short is refused.
    public enum KeySize: Int, Sendable {
        /// 16 bytes, where a protocol wants no more.
        case short = 16
        /// 32 bytes.
        case long = 32
    }

    /// Bytes of a key.
    public static let keyBytes = KeySize.long.rawValue
    /// Bytes of the tag at the end of the ciphertext.
    public static let tagBytes = 16

    /// Encrypts, and appends the tag.
    ///
    /// A nonce of 12 or 16 bytes serves one text of a key only. `extra` is covered by the tag and not
    /// part of the result.
    /// - Throws: when key or nonce have another size.
    public static func seal(
        _ text: [UInt8], key: [UInt8], nonce: [UInt8], extra: [UInt8] = [],
        keySize: KeySize = .long
    ) throws(CryptoError) -> [UInt8] {
        let context = CipherContext()
        try begin(context, encrypts: true, key, nonce, keySize)
        var bytes = text
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe context.authenticate(extra) && context.update($0) && context.finish()
        }
        guard isDone, let tag = context.tag(count: tagBytes) else {
            throw CryptoError("AES-GCM seal")
        }
        return bytes + tag
    }

    /// Checks the tag and decrypts; returns the text only when the tag is right.
    ///
    /// - Throws: when the tag is wrong or missing, or key or nonce have the wrong size.
    public static func open(
        _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], extra: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= tagBytes else { throw CryptoError("AES-GCM tag") }
        let context = CipherContext()
        try begin(context, encrypts: false, key, nonce, .long)
        var bytes = Array(sealed.dropLast(tagBytes))
        let tag = Array(sealed.suffix(tagBytes))
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe context.authenticate(extra) && context.update($0) && context.expect(tag: tag)
                && context.finish()
        }
        guard isDone else { throw CryptoError("AES-GCM tag") }
        return bytes
    }

    private static func begin(
        _ context: CipherContext, encrypts: Bool, _ key: [UInt8], _ nonce: [UInt8], _ size: KeySize
    ) throws(CryptoError) {
        let cipher =
            switch size {
            case .short: unsafe EVP_aes_128_gcm()
            case .long: unsafe EVP_aes_256_gcm()
            }
        guard key.count == size.rawValue, nonce.count == 12 || nonce.count == 16,
            unsafe context.begin(
                cipher, encrypts: encrypts, key: key, nonce: nonce,
                setsNonceLength: true)
        else { throw CryptoError("AES-GCM set-up") }
    }
}

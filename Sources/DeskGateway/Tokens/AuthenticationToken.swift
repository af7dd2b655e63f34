import DeskBytes
public import DeskCrypto

/// The access token of a version-1 sign-in, encrypted on its way to the provider (protocol page
/// 3.7).
///
/// On the wire it is base64 of a one-time public point V of 97 bytes, the ciphertext and its tag of
/// 16. Z = ECDH P-384; K = X9.63 KDF with SHA-256 of Z and V, 48 bytes; AES-256-GCM with K[0..<32]
/// as key and K[32..<48] as nonce.
public enum AuthenticationToken {
    /// Longest access token in bytes; longer ones are refused in both directions.
    public static let maximumBytes = 65_536

    /// Encrypts an access token for the sender of this `responseEncryptionKey`.
    ///
    /// `oneTime` is the sender's key pair of this one token; tests bring their own.
    /// - Throws: when the key is not base64 of an uncompressed P-384 point, or the token too long.
    public static func seal(
        _ token: String, for responseEncryptionKey: String, oneTime: P384 = P384.make()
    ) throws(AuthenticationTokenFault) -> String {
        let text = Array(token.utf8)
        guard text.count <= maximumBytes else { throw .tooLong }
        let point = try AuthenticationToken.point(of: responseEncryptionKey)
        do throws(CryptoError) {
            let keys = try keys(agreed: oneTime.agree(with: point), point: oneTime.point)
            let sealed = try AESGCM.seal(text, key: keys.key, nonce: keys.nonce)
            return Base64.encode(oneTime.point + sealed)
        } catch { throw .encryptionKeyNotAPoint }
    }

    /// Decrypts an access token with the private key of our `responseEncryptionKey`.
    ///
    /// - Throws: what is wrong with it; a changed token and one for another key look the same.
    public static func open(
        _ text: String, with key: P384
    ) throws(AuthenticationTokenFault) -> String {
        guard text.utf8.count <= (P384.pointBytes + maximumBytes + AESGCM.tagBytes + 2) / 3 * 4
        else { throw .tooLong }
        guard let bytes = Base64.decode(text) else { throw .notBase64 }
        guard bytes.count >= P384.pointBytes + AESGCM.tagBytes else {
            throw .tooShort
        }
        let point = Array(bytes[..<P384.pointBytes])
        guard P384.isPoint(point) else { throw .oneTimeKeyNotAPoint }
        let plain: [UInt8]
        do throws(CryptoError) {
            let keys = try keys(agreed: key.agree(with: point), point: point)
            plain = try AESGCM.open(
                Array(bytes[P384.pointBytes...]), key: keys.key, nonce: keys.nonce)
        } catch { throw .otherKeyOrChanged }
        guard let token = UTF8Text.text(plain) else { throw .notText }
        return token
    }

    /// The `responseEncryptionKey` of a key pair.
    public static func responseEncryptionKey(of key: P384) -> String { Base64.encode(key.point) }

    /// The public point that a `responseEncryptionKey` encodes.
    ///
    /// - Throws: `encryptionKeyNotBase64` or `encryptionKeyNotAPoint`.
    public static func point(
        of responseEncryptionKey: String
    ) throws(AuthenticationTokenFault) -> [UInt8] {
        guard let point = Base64.decode(responseEncryptionKey) else {
            throw .encryptionKeyNotBase64
        }
        guard P384.isPoint(point) else { throw .encryptionKeyNotAPoint }
        return point
    }

    private static func keys(
        agreed secret: [UInt8], point: [UInt8]
    ) throws(CryptoError) -> (key: [UInt8], nonce: [UInt8]) {
        let both = try X963KDF.derive(secret: secret, info: point, byteCount: 48)
        return (Array(both[..<32]), Array(both[32...]))
    }
}

/// What is wrong with an encrypted access token, or the key it is encrypted for.
public enum AuthenticationTokenFault: String, Error, Hashable, Sendable, CaseIterable {
    /// The `responseEncryptionKey` is not base64.
    case encryptionKeyNotBase64
    /// The `responseEncryptionKey` is not a public key of P-384.
    case encryptionKeyNotAPoint
    /// Longer than is accepted.
    case tooLong
    /// The token is not base64.
    case notBase64
    /// Too few bytes for a point and a tag.
    case tooShort
    /// The first 97 bytes are not a public key of P-384.
    case oneTimeKeyNotAPoint
    /// The tag is wrong.
    case otherKeyOrChanged
    /// The decrypted bytes are not UTF-8.
    case notText

    /// What was found and what is allowed, in plain words; nothing of the token.
    public var sentence: String {
        switch self {
        case .encryptionKeyNotBase64:
            "\"responseEncryptionKey\" is not base64 in the standard alphabet, padded"
        case .encryptionKeyNotAPoint:
            "\"responseEncryptionKey\" is not an uncompressed point of P-384: 97 bytes, 0x04 first"
        case .tooLong:
            "the access token has more than \(AuthenticationToken.maximumBytes) bytes"
        case .notBase64: "the encrypted token is not base64 in the standard alphabet, padded"
        case .tooShort:
            "the encrypted token has fewer than 113 bytes, which its public point and tag need"
        case .oneTimeKeyNotAPoint:
            "the first 97 bytes of the encrypted token are not an uncompressed point of P-384"
        case .otherKeyOrChanged:
            "the encrypted token was made for another key, or changed on its way"
        case .notText: "the access token is not UTF-8"
        }
    }
}

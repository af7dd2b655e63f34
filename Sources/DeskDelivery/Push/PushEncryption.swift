import DeskCrypto
import DeskModel

/// The encryption of what is pushed, so that the push service reads nothing of it (RFC 8291 with RFC 8188).
enum PushEncryption {
    /// The size of the one record, which its head states.
    private static let recordBytes = 4_096
    /// The longest text: what is left of the record without head, delimiter and tag.
    static let mostBytes = recordBytes - 86 - 1 - AESGCM.tagBytes

    /// Encrypts a text for a browser.
    ///
    /// - Parameters:
    ///   - sender: a key pair of this message alone.
    ///   - salt: 16 random bytes.
    /// - Throws: where the browser's key is none.
    static func encrypt(
        _ text: [UInt8], point: [UInt8], secret: [UInt8], sender: P256 = .make(),
        salt: [UInt8] = RandomBytes.make(16)
    ) throws(CryptoError) -> [UInt8] {
        precondition(text.count <= mostBytes, "\(text.count) bytes in a push message")
        let agreed = try sender.agree(with: point)
        let input = HKDFSHA256.derive(
            secret: agreed, salt: secret,
            info: Array("WebPush: info".utf8) + [0] + point + sender.point, byteCount: 32)
        func derive(_ label: String, _ count: Int) -> [UInt8] {
            HKDFSHA256.derive(
                secret: input, salt: salt, info: Array("Content-Encoding: \(label)".utf8) + [0],
                byteCount: count)
        }
        // RFC 8188, section 2: the delimiter 2 says that the record is the last one.
        let encrypted = try AESGCM.seal(
            text + [2], key: derive("aes128gcm", 16), nonce: derive("nonce", 12),
            keySize: .short)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordBytes >> (24 - 8 * $0)) }
        return salt + size + [UInt8(sender.point.count)] + sender.point + encrypted
    }
}

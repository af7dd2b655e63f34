import DeskBytes
import DeskCrypto

/// Names an encryption key by what it is, so that a wrong key has another name; safe to log.
public struct EncryptionKeyID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 8

    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// 16 lower-case hexadecimal digits.
    public var text: String { Hex.encode(bytes) }

    /// The same text.
    public var description: String { text }
}

/// What an encrypted secret is: where it is used and which row holds it.
///
/// Both are authenticated with the ciphertext, so that a secret copied to another row or column is
/// refused there.
public struct SecretLabel: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Labels a row of a column: `gateway_links.secret`, and the row's key as bytes.
    public init(column: String, row: [UInt8]) {
        // The zero byte ends the name, which has none: no two pairs give the same label.
        bytes = Array(column.utf8) + [0] + row
    }

    /// What AES-GCM covers beside the ciphertext.
    func authenticated(_ header: [UInt8]) -> [UInt8] { header + bytes }
}

/// The keys that the secrets of a store are encrypted with: the current one encrypts, all decrypt.
///
/// AES-256-GCM with a random nonce of 96 bits. An encrypted secret is a version byte, the key's id, the
/// nonce, the ciphertext and the tag.
public struct EncryptionKeys: Sendable, Equatable {
    /// Bytes of a key.
    public static let keyBytes = AESGCM.keyBytes
    /// Most keys at once: the current one and those that it replaced.
    public static let maximumKeys = 16

    private static let version: UInt8 = 1
    private static let nonceBytes = 12
    private static let headerBytes = 1 + EncryptionKeyID.byteCount

    /// The keys' bytes, the current one first; only its file sees them.
    let keys: [[UInt8]]
    /// Their names in the same order.
    public let ids: [EncryptionKeyID]

    /// Uses these keys, the first one to encrypt; nil for none, too many or one of another size.
    public init?(_ keys: [[UInt8]]) {
        guard (1...Self.maximumKeys).contains(keys.count),
            keys.allSatisfy({ $0.count == Self.keyBytes })
        else { return nil }
        self.keys = keys
        // A keyed digest: the name says nothing about the key.
        ids = keys.map { key in
            let code = HMACSHA256.code(for: Array("frontdesk encryption key id".utf8), key: key)
            return EncryptionKeyID(code.prefix(EncryptionKeyID.byteCount))
        }
    }

    /// Makes one random key.
    public static func random() -> EncryptionKeys {
        guard let made = EncryptionKeys([RandomBytes.make(keyBytes)]) else {
            preconditionFailure("a new key has another count of bytes")
        }
        return made
    }

    /// The same keys behind a new current one; nil when there are too many already.
    public func rotated() -> EncryptionKeys? {
        EncryptionKeys([RandomBytes.make(Self.keyBytes)] + keys)
    }

    /// Whether both have the same keys in the same order.
    public static func == (left: EncryptionKeys, right: EncryptionKeys) -> Bool {
        left.ids == right.ids
    }

    /// The key that encrypts.
    public var current: EncryptionKeyID { ids[0] }

    /// Encrypts a secret with the current key; two encryptions of one secret differ.
    public func encrypt(_ secret: [UInt8], as label: SecretLabel) -> [UInt8] {
        let header = [Self.version] + current.bytes
        let nonce = RandomBytes.make(Self.nonceBytes)
        do throws(CryptoError) {
            let sealed = try AESGCM.seal(
                secret, key: keys[0], nonce: nonce, extra: label.authenticated(header))
            return header + nonce + sealed
        } catch {
            // Ending the process is better than storing a secret that nothing can read.
            preconditionFailure("a secret could not be encrypted: \(error)")
        }
    }

    /// Decrypts a secret with whichever key encrypted it.
    ///
    /// - Throws: `keyMissing` without that key, `damaged` when it is not what was written there.
    public func decrypt(
        _ stored: [UInt8], as label: SecretLabel
    ) throws(StoreError) -> [UInt8] {
        guard let id = Self.keyID(of: stored) else {
            throw StoreError(.damaged, "an encrypted secret")
        }
        guard let place = ids.firstIndex(of: id) else {
            throw StoreError(.keyMissing, "no key \(id)")
        }
        let header = Array(stored.prefix(Self.headerBytes))
        let body = stored.dropFirst(Self.headerBytes)
        do throws(CryptoError) {
            return try AESGCM.open(
                Array(body.dropFirst(Self.nonceBytes)), key: keys[place],
                nonce: Array(body.prefix(Self.nonceBytes)), extra: label.authenticated(header))
        } catch {
            throw StoreError(.damaged, "an encrypted secret")
        }
    }

    /// The key that an encrypted secret needs; nil when it is no encrypted secret.
    public static func keyID(of stored: [UInt8]) -> EncryptionKeyID? {
        guard stored.count >= headerBytes + nonceBytes + AESGCM.tagBytes, stored[0] == version
        else { return nil }
        return EncryptionKeyID(stored[1..<headerBytes])
    }
}

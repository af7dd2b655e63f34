/// The key derivation of RFC 5869 with SHA-256.
public enum HKDFSHA256 {
    /// Derives key bytes from a secret, a salt and information that both sides know.
    ///
    /// Limit: `byteCount` is from 1 to 32, one block of the hash.
    public static func derive(
        secret: [UInt8], salt: [UInt8], info: [UInt8], byteCount: Int
    ) -> [UInt8] {
        precondition((1...SHA256.byteCount).contains(byteCount), "\(byteCount) bytes of HKDF")
        let pseudorandom = HMACSHA256.code(for: secret, key: salt)
        return Array(HMACSHA256.code(for: info + [1], key: pseudorandom).prefix(byteCount))
    }
}

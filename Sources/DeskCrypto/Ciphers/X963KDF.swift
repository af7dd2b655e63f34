import COpenSSL

/// The key derivation of ANSI X9.63 with SHA-256 (SEC 1, section 3.6.1).
public enum X963KDF {
    /// Derives key bytes from an agreed secret and information that both sides know.
    ///
    /// - Throws: when the secret is empty or nothing is asked for.
    public static func derive(
        secret: [UInt8], info: [UInt8], byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: max(0, byteCount))
        guard !secret.isEmpty, byteCount > 0,
            unsafe frontdesk_x963_sha256(
                secret, secret.count, info, info.count, &key, byteCount) == 1
        else { throw CryptoError("X9.63 KDF") }
        return key
    }
}

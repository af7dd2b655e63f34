import COpenSSL

/// HMAC with SHA-256 (RFC 2104): authenticates bytes by a shared key.
public enum HMACSHA256 {
    /// The 32 bytes of the code.
    public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: SHA256.byteCount)
        var count: UInt32 = 0
        let made = unsafe code.withUnsafeMutableBufferPointer { output in
            unsafe HMAC(
                EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count,
                output.baseAddress, &count)
        }
        precondition(unsafe made != nil && count == 32, "HMAC failed")
        return code
    }

    /// Whether the code belongs to the bytes and the key; compared in constant time.
    public static func verifies(_ code: [UInt8], for bytes: [UInt8], key: [UInt8]) -> Bool {
        constantTimeEquals(code, HMACSHA256.code(for: bytes, key: key))
    }
}

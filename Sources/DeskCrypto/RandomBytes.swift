import COpenSSL

/// Cryptographically secure random bytes from libcrypto's generator, which the kernel seeds.
public enum RandomBytes {
    /// Makes this many bytes.
    public static func make(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_bytes($0.baseAddress, Int32(clamping: $0.count))
        }
        // Ending the process is better than continuing with predictable bytes.
        precondition(code == 1, "RAND_bytes failed")
        return bytes
    }
}

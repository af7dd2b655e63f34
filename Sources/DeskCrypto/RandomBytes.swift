import COpenSSL

/// Bytes nobody can guess, from libcrypto's generator, which the kernel seeds.
public enum RandomBytes {
    /// Makes this many bytes.
    public static func make(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe RAND_bytes($0.baseAddress, Int32(clamping: $0.count))
        }
        // Going on with bytes that are not random would be worse than ending.
        precondition(code == 1, "RAND_bytes failed")
        return bytes
    }
}

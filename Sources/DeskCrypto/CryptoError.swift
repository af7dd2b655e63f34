import COpenSSL

/// What libcrypto or libssl refused to do.
public struct CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Names the step that failed.
    public let step: String
    /// OpenSSL's own words for it; they never contain key or message bytes.
    public let reason: String

    /// Names the step, reads the newest entry of this thread's error queue and empties the queue.
    init(_ step: String) {
        self.step = step
        let code = ERR_peek_last_error()
        ERR_clear_error()
        var text = [CChar](repeating: 0, count: 256)
        unsafe text.withUnsafeMutableBufferPointer {
            unsafe ERR_error_string_n(code, $0.baseAddress, $0.count)
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        reason = code == 0 ? "no reason given" : String(decoding: bytes, as: UTF8.self)
    }

    /// Step and reason; safe to log.
    public var description: String { "CryptoError(\(step): \(reason))" }
}

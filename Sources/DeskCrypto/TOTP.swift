import COpenSSL

/// The codes of authenticator apps (RFC 6238) as every app makes them: SHA-1, six digits, 30 seconds.
public enum TOTP {
    /// Bytes of a secret: as many as SHA-1 has, which RFC 4226 recommends.
    public static let secretBytes = 20
    /// Seconds for which a code is shown.
    public static let stepSeconds: Int64 = 30
    /// Digits of a code.
    public static let digits = 6
    /// Steps before and after the clock's whose codes are accepted.
    public static let window: Int64 = 1

    /// The step of a moment, in seconds since 1970.
    public static func step(atSecond second: Int64) -> Int64 {
        second / stepSeconds - (second % stepSeconds < 0 ? 1 : 0)
    }

    /// The code of a step.
    public static func code(of secret: [UInt8], step: Int64) -> String {
        let counter = UInt64(bitPattern: step)
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        let hash = hmacSHA1(of: message, key: secret)
        // RFC 4226 5.3: the last four bits say where the 31 bits lie.
        let place = Int(hash[19] & 15)
        var number: UInt32 = 0
        for byte in hash[place..<place + 4] { number = number << 8 | UInt32(byte) }
        let text = String(number & 0x7FFF_FFFF)
        return String((String(repeating: "0", count: digits) + text).suffix(digits))
    }

    /// The step near the clock's whose code this is, when it comes after a step; nil otherwise.
    ///
    /// Every step of the window is compared, each in constant time.
    public static func acceptedStep(
        _ code: String, of secret: [UInt8], around step: Int64, after used: Int64
    ) -> Int64? {
        var accepted: Int64?
        for candidate in step - window...step + window {
            let isEqual = constantTimeEquals(
                Array(self.code(of: secret, step: candidate).utf8), Array(code.utf8))
            if isEqual, candidate > used, accepted == nil { accepted = candidate }
        }
        return accepted
    }

    private static func hmacSHA1(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let made = unsafe code.withUnsafeMutableBufferPointer { output in
            unsafe HMAC(
                EVP_sha1(), key, Int32(clamping: key.count), message, message.count,
                output.baseAddress, &count)
        }
        precondition(unsafe made != nil && count == 20, "HMAC failed")
        return code
    }
}

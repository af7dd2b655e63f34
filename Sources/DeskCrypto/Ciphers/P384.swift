import COpenSSL

/// A key pair on the curve P-384 (FIPS 186-4) for agreeing on a secret.
///
/// Secret: the scalar and the PEM text; neither goes into a log.
public struct P384: Sendable {
    /// Bytes of the scalar, and of an agreed secret.
    public static let scalarBytes = 48
    /// Bytes of a public point: 0x04 and both coordinates.
    public static let pointBytes = 97

    /// The private key as a number, big-endian; 48 bytes.
    public let scalar: [UInt8]
    /// The public key, uncompressed (ANSI X9.63); 97 bytes.
    public let point: [UInt8]

    /// Imports a private key of 48 bytes.
    ///
    /// - Throws: when it is of another size, zero, or not below the curve's order.
    public init(scalar: [UInt8]) throws(CryptoError) {
        var point = [UInt8](repeating: 0, count: P384.pointBytes)
        guard scalar.count == P384.scalarBytes,
            unsafe frontdesk_ec_point_of(48, scalar, &point) == 1
        else { throw CryptoError("P-384 private key") }
        self.scalar = scalar
        self.point = point
    }

    /// Reads a private key in PEM, `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1).
    ///
    /// - Throws: when it is none, is encrypted, or of another curve.
    public init(pem: String) throws(CryptoError) {
        var scalar = [UInt8](repeating: 0, count: P384.scalarBytes)
        let text = pem.utf8.map { CChar(bitPattern: $0) }
        guard unsafe frontdesk_p384_read_pem(text, Int32(clamping: text.count), &scalar) == 1 else {
            throw CryptoError("P-384 private key in PEM")
        }
        try self.init(scalar: scalar)
    }

    /// Makes a new key pair.
    public static func make() -> P384 {
        // A random number is no valid scalar once in 2^190 times.
        guard let key = try? P384(scalar: RandomBytes.make(scalarBytes)) else {  // Safe: it ends.
            preconditionFailure("libcrypto refused a random P-384 scalar")
        }
        return key
    }

    /// The private key as PKCS #8 in PEM.
    public var pem: String {
        var text = [CChar](repeating: 0, count: 1_024)
        let count = unsafe frontdesk_p384_write_pem(scalar, point, &text, Int32(text.count))
        precondition(count > 0, "a key of ours could not be written")
        return String(
            decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The ECDH secret of our private key and the other's point; 48 bytes.
    ///
    /// - Throws: when the other's point is not of 97 bytes, or not on the curve.
    public func agree(with other: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard P384.isPoint(other) else { throw CryptoError("P-384 public key") }
        var secret = [UInt8](repeating: 0, count: P384.scalarBytes)
        guard unsafe frontdesk_ec_agree(48, scalar, point, other, &secret) == 1 else {
            throw CryptoError("P-384 agreement")
        }
        return secret
    }

    /// Whether the bytes are a public key: an uncompressed point of the curve.
    public static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == pointBytes, bytes[0] == 4 else { return false }
        let isGood = unsafe frontdesk_ec_is_point(48, bytes) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }
}

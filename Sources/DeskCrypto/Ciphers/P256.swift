import COpenSSL

/// A key pair on the curve P-256 (FIPS 186-4), for agreeing on a secret and for signing.
///
/// Secret: the scalar; it goes into no log.
public struct P256: Sendable {
    /// Bytes of the scalar, and of an agreed secret.
    public static let scalarBytes = 32
    /// Bytes of a public point: 0x04 and both coordinates.
    public static let pointBytes = 65

    /// The private key as a number, big-endian; 32 bytes.
    public let scalar: [UInt8]
    /// The public key, uncompressed (ANSI X9.63); 65 bytes.
    public let point: [UInt8]

    /// Imports a private key of 32 bytes.
    ///
    /// - Throws: when it is of another size, zero, or not below the curve's order.
    public init(scalar: [UInt8]) throws(CryptoError) {
        var point = [UInt8](repeating: 0, count: P256.pointBytes)
        guard scalar.count == P256.scalarBytes,
            unsafe frontdesk_ec_point_of(32, scalar, &point) == 1
        else { throw CryptoError("P-256 private key") }
        self.scalar = scalar
        self.point = point
    }

    /// Makes a new key pair.
    public static func make() -> P256 {
        while true {
            // Safe: a random number is no valid scalar once in 2^32 times; then another one is tried.
            if let key = try? P256(scalar: RandomBytes.make(scalarBytes)) { return key }
        }
    }

    /// The ECDH secret of our private key and the other's point; 32 bytes.
    ///
    /// - Throws: when the other's point is not of 65 bytes, or not on the curve.
    public func agree(with other: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard P256.isPoint(other) else { throw CryptoError("P-256 public key") }
        var secret = [UInt8](repeating: 0, count: P256.scalarBytes)
        guard unsafe frontdesk_ec_agree(32, scalar, point, other, &secret) == 1 else {
            throw CryptoError("P-256 agreement")
        }
        return secret
    }

    /// Signs bytes, in the form that `P256Signature` reads.
    public func sign(_ bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: P256Signature.signatureBytes)
        let isDone =
            unsafe frontdesk_ec_sign(32, scalar, point, bytes, bytes.count, &signature) == 1
        precondition(isDone, "a key of ours could not sign")
        return signature
    }

    /// Whether the bytes are a public key: an uncompressed point of the curve.
    public static func isPoint(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == pointBytes, bytes[0] == 4 else { return false }
        let isGood = unsafe frontdesk_ec_is_point(32, bytes) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }
}

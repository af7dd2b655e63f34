/// Signatures with ECDSA on the curve P-256, over SHA-256 (FIPS 186-4), in the form of JOSE.
public enum P256Signature {
    /// Bytes of a coordinate.
    public static let coordinateBytes = 32
    /// Bytes of a signature: its two numbers, each of 32 bytes, big-endian (RFC 7518, section 3.4).
    public static let signatureBytes = 64

    /// Whether the signature is the bytes' by the private key of the point with these coordinates.
    ///
    /// False for coordinates or a signature of another size, and for a point that is not on the curve.
    public static func verifies(
        _ signature: [UInt8], for bytes: [UInt8], x: [UInt8], y: [UInt8]
    ) -> Bool {
        guard signature.count == signatureBytes, x.count == coordinateBytes,
            y.count == coordinateBytes
        else { return false }
        let point = DER.value(DER.bitString, [0, 0x04] + x + y)
        // libcrypto reads the two numbers in DER.
        let numbers = DER.value(
            DER.sequence,
            DER.integer(signature.prefix(coordinateBytes))
                + DER.integer(signature.suffix(coordinateBytes)))
        return PublicKey(DER.value(DER.sequence, algorithm + point))?
            .verifies(numbers, for: bytes) ?? false
    }

    /// `id-ecPublicKey` with `secp256r1` (RFC 5480).
    private static let algorithm = DER.value(
        DER.sequence,
        [
            0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07,
        ])
}

/// Signatures with RSA as PKCS #1 v1.5 has them, over SHA-256 (RFC 8017, section 8.2).
public enum RSASignature {
    /// How many bits a modulus may have: fewer are too easy to factor, more too slow to verify.
    public static let modulusBits = 2_048...8_192

    /// Whether the signature is the bytes' by the private key of this public key.
    ///
    /// False for a modulus of another size, an exponent that is even, 1 or longer than 8 bytes, and a
    /// signature that is not as long as the modulus. Both numbers are big-endian.
    public static func verifies(
        _ signature: [UInt8], for bytes: [UInt8], modulus: [UInt8], exponent: [UInt8]
    ) -> Bool {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard modulusBits.contains(bits), signature.count == modulus.count,
            (1...8).contains(exponent.count), exponent != [1],
            exponent.last.map({ $0 & 1 == 1 }) == true
        else { return false }
        let key = DER.value(DER.sequence, DER.integer(modulus) + DER.integer(exponent))
        let whole = DER.value(DER.sequence, algorithm + DER.value(DER.bitString, [0] + key))
        return PublicKey(whole)?.verifies(signature, for: bytes) ?? false
    }

    /// `rsaEncryption` of RFC 8017 with its parameters, which are NULL.
    private static let algorithm = DER.value(
        DER.sequence,
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00])
}

/// Signatures of authenticators (Web Authentication), by a public key as browsers hand it over.
public enum AuthenticatorSignature {
    /// Most bytes of a key: one of RSA with 8,192 bits has 1,062.
    public static let mostKeyBytes = 1_200
    /// Most bytes of a signature: one by RSA with 8,192 bits has 1,024.
    public static let mostSignatureBytes = 1_024

    /// How an authenticator signs, by the numbers of COSE (RFC 9053, RFC 8812).
    public enum Algorithm: Int64, Sendable, CaseIterable {
        /// ECDSA on P-256 with SHA-256.
        case es256 = -7
        /// EdDSA on Ed25519.
        case edDSA = -8
        /// PKCS #1 v1.5 with SHA-256, as older hardware of Windows has it.
        case rs256 = -257
    }

    /// Whether bytes are a key of this algorithm: a `SubjectPublicKeyInfo` in DER (RFC 5280) and nothing behind it.
    ///
    /// RSA: 2,048 to 8,192 bits.
    public static func isKey(_ bytes: [UInt8], of algorithm: Algorithm) -> Bool {
        key(bytes, of: algorithm) != nil
    }

    /// Whether a signature is the bytes' by the private key of a public one.
    ///
    /// False for what `isKey` refuses.
    public static func verifies(
        _ signature: [UInt8], for bytes: [UInt8], by key: [UInt8], _ algorithm: Algorithm
    ) -> Bool {
        guard signature.count <= mostSignatureBytes, let key = self.key(key, of: algorithm) else {
            return false
        }
        return key.verifies(signature, for: bytes, hashing: algorithm != .edDSA)
    }

    private static func key(_ bytes: [UInt8], of algorithm: Algorithm) -> PublicKey? {
        guard bytes.count <= mostKeyBytes, let key = PublicKey(bytes) else { return nil }
        let fits =
            switch algorithm {
            case .es256: key.isP256
            case .edDSA: key.isEd25519
            case .rs256: key.isRSA && RSASignature.modulusBits.contains(key.bits)
            }
        return fits ? key : nil
    }
}

import COpenSSL

/// The public key of an X.509 certificate that the operator trusts for signatures.
///
/// Of the certificate nothing but the key counts: neither its issuer nor its dates, since the operator names it.
public struct SigningCertificate: Sendable, Hashable {
    /// A hash over which is signed.
    public enum Hash: Sendable, Hashable, CaseIterable {
        case sha256, sha384, sha512

        fileprivate var handle: OpaquePointer? {
            switch self {
            case .sha256: unsafe EVP_sha256()
            case .sha384: unsafe EVP_sha384()
            case .sha512: unsafe EVP_sha512()
            }
        }

        /// The hash of bytes.
        public func digest(of bytes: [UInt8]) -> [UInt8] {
            var count: UInt32 = 0
            var out = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            guard unsafe EVP_Digest(bytes, bytes.count, &out, &count, handle, nil) == 1 else {
                preconditionFailure("libcrypto has no SHA-2")
            }
            return Array(out.prefix(Int(count)))
        }
    }

    /// How a signature is made.
    public enum Algorithm: Sendable, Hashable {
        /// PKCS #1 v1.5 (RFC 8017, section 8.2).
        case rsa(Hash)
        /// Both numbers, each as long as the curve's, big-endian (RFC 4050, section 3.3).
        case ecdsa(Hash)
    }

    private let der: [UInt8]

    /// Reads a certificate in DER; nil for what is none, and for a key that is neither RSA of 2,048 to 8,192 bits
    /// nor one of the curves P-256, P-384 and P-521.
    public init?(_ der: [UInt8]) {
        guard let key = PublicKey(certificate: der) else { return nil }
        guard key.isRSA ? RSASignature.modulusBits.contains(key.bits) : key.coordinateBytes != nil
        else { return nil }
        self.der = der
    }

    /// Whether the signature is the bytes' by the certificate's key.
    public func verifies(
        _ signature: [UInt8], for bytes: [UInt8], by algorithm: Algorithm
    ) -> Bool {
        guard let key = PublicKey(certificate: der) else { return false }
        switch algorithm {
        case .rsa(let hash):
            guard key.isRSA else { return false }
            return unsafe key.verifies(signature, for: bytes, hash.handle)
        case .ecdsa(let hash):
            guard let count = key.coordinateBytes, signature.count == 2 * count else {
                return false
            }
            // libcrypto reads the two numbers in DER.
            let numbers = DER.value(
                DER.sequence,
                DER.integer(signature.prefix(count)) + DER.integer(signature.suffix(count)))
            return unsafe key.verifies(numbers, for: bytes, hash.handle)
        }
    }
}

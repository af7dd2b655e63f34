import COpenSSL

/// Owns one EVP_PKEY, the public key of another.
@safe final class PublicKey {
    private let handle: OpaquePointer

    /// Imports a key in DER, as a `SubjectPublicKeyInfo` (RFC 5280); nil for what libcrypto refuses,
    /// such as a point that is not on its curve, and for one with bytes behind it.
    init?(_ subjectPublicKeyInfo: [UInt8]) {
        let key = unsafe subjectPublicKeyInfo.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var place = bytes.baseAddress
            guard let key = unsafe d2i_PUBKEY(nil, &place, bytes.count) else { return nil }
            guard unsafe place == bytes.baseAddress?.advanced(by: bytes.count) else {
                unsafe EVP_PKEY_free(key)
                return nil
            }
            return unsafe key
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe handle = key
    }

    /// The key of a certificate in DER (RFC 5280); nil for what libcrypto refuses, and for one with bytes behind
    /// it.
    init?(certificate: [UInt8]) {
        let key = unsafe certificate.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var place = bytes.baseAddress
            guard let found = unsafe d2i_X509(nil, &place, bytes.count) else { return nil }
            defer { unsafe X509_free(found) }
            guard unsafe place == bytes.baseAddress?.advanced(by: bytes.count) else { return nil }
            return unsafe X509_get_pubkey(found)
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe handle = key
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// Whether it is a point of the curve P-256.
    var isP256: Bool { curve == "prime256v1" }

    /// How many bytes a coordinate of its curve has; nil for other keys than those of P-256, P-384 and P-521.
    var coordinateBytes: Int? {
        switch curve {
        case "prime256v1": 32
        case "secp384r1": 48
        case "secp521r1": 66
        default: nil
        }
    }

    /// libcrypto's name of its curve; nil for other keys than those with a point.
    private var curve: String? {
        guard unsafe EVP_PKEY_is_a(handle, "EC") == 1 else { return nil }
        var name = [CChar](repeating: 0, count: 32)
        guard unsafe EVP_PKEY_get_group_name(handle, &name, name.count, nil) == 1 else {
            ERR_clear_error()
            return nil
        }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it is one of Ed25519.
    var isEd25519: Bool { unsafe EVP_PKEY_is_a(handle, "ED25519") == 1 }

    /// Whether it is one of RSA.
    var isRSA: Bool { unsafe EVP_PKEY_is_a(handle, "RSA") == 1 }

    /// Its size: of a key of RSA the bits of the modulus.
    var bits: Int { unsafe Int(EVP_PKEY_get_bits(handle)) }

    /// Whether the signature is one of the bytes by this key.
    ///
    /// - Parameter hashing: whether their SHA-256 is what is signed; Ed25519 signs the bytes themselves.
    func verifies(_ signature: [UInt8], for bytes: [UInt8], hashing: Bool = true) -> Bool {
        unsafe verifies(signature, for: bytes, hashing ? EVP_sha256() : nil)
    }

    /// Whether the signature is one of the bytes by this key, over this hash of them.
    func verifies(_ signature: [UInt8], for bytes: [UInt8], _ hash: OpaquePointer?) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, hash, nil, handle) == 1,
            unsafe EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
        else {
            ERR_clear_error()
            return false
        }
        return true
    }
}

/// What is written in DER (ITU-T X.690).
enum DER {
    static let sequence: UInt8 = 0x30
    static let bitString: UInt8 = 0x03

    /// A value with its tag and its length.
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 {
            length = [UInt8(content.count)]
        } else {
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag] + length + content
    }

    /// A number without a sign, big-endian.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        // Without it the first bit would be a sign.
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return value(0x02, digits)
    }
}

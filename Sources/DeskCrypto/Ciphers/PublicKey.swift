import COpenSSL

/// Owns one EVP_PKEY, the public key of another.
@safe final class PublicKey {
    private let handle: OpaquePointer

    /// Imports a key in DER, as a `SubjectPublicKeyInfo` (RFC 5280); nil for what libcrypto refuses,
    /// such as a point that is not on its curve.
    init?(_ subjectPublicKeyInfo: [UInt8]) {
        let key = unsafe subjectPublicKeyInfo.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &place, bytes.count)
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe handle = key
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// Whether the signature is one of the bytes' SHA-256 by this key.
    func verifies(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, handle) == 1,
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

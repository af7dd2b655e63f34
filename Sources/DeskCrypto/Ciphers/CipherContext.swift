import COpenSSL

/// Owns one EVP_CIPHER_CTX.
@safe final class CipherContext {
    private let handle: OpaquePointer

    init() {
        guard let handle = unsafe EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_CIPHER_CTX_free(handle) }

    /// Sets the cipher, key and start; `nonceBytes` only where the cipher lets it vary.
    func begin(
        _ cipher: OpaquePointer?, encrypts: Bool, key: [UInt8], nonce: [UInt8],
        setsNonceLength: Bool = false
    ) -> Bool {
        let direction: Int32 = encrypts ? 1 : 0
        guard unsafe EVP_CipherInit_ex2(handle, cipher, nil, nil, direction, nil) == 1 else {
            return false
        }
        if setsNonceLength {
            let count = Int32(clamping: nonce.count)
            guard unsafe frontdesk_gcm_set_nonce_length(handle, count) == 1 else { return false }
        }
        return unsafe EVP_CipherInit_ex2(handle, nil, key, nonce, direction, nil) == 1
    }

    /// Adds bytes that are authenticated and not encrypted.
    func authenticate(_ bytes: [UInt8]) -> Bool {
        var count: Int32 = 0
        let length = Int32(clamping: bytes.count)
        return unsafe bytes.isEmpty || EVP_CipherUpdate(handle, nil, &count, bytes, length) == 1
    }

    /// Encrypts or decrypts the bytes in place.
    func update(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        // The library counts in `int`.
        let most = 1 << 30
        var done = 0
        while done < bytes.count {
            let length = min(most, bytes.count - done)
            guard let start = bytes.baseAddress else { return false }
            let place = unsafe start + done
            var count: Int32 = 0
            guard unsafe EVP_CipherUpdate(handle, place, &count, place, Int32(length)) == 1,
                count == length
            else { return false }
            done += length
        }
        return true
    }

    /// Finishes the operation; false when a tag is wrong.
    func finish() -> Bool {
        var none = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        return unsafe EVP_CipherFinal_ex(handle, &none, &count) == 1
    }

    func tag(count: Int) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: count)
        return unsafe frontdesk_gcm_get_tag(handle, &tag, Int32(count)) == 1 ? tag : nil
    }

    func expect(tag: [UInt8]) -> Bool {
        unsafe frontdesk_gcm_set_tag(handle, tag, Int32(clamping: tag.count)) == 1
    }
}

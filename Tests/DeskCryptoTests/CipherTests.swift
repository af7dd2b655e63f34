import DeskBytes
import DeskCrypto
import Testing

/// The ciphers of the gateway's attachments and tokens against published values.
struct CipherTests {
    /// NIST SP 800-38A, F.5.5.
    static let key = Hex.decode("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    static let start = Hex.decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    static let plain = Hex.decode(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
            + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
    static let cipher =
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
        + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"

    @Test func `AES in counter mode gives the ciphertext of SP 800-38A, and decrypts it`() throws {
        let (key, start, plain) = try (
            #require(CipherTests.key), #require(CipherTests.start), #require(CipherTests.plain)
        )
        var counter = try AESCounter(key: key, start: start)
        let cipher = counter.apply(plain)
        #expect(Hex.encode(cipher) == CipherTests.cipher)
        #expect(counter.offset == 64)
        counter.offset = 0
        #expect(counter.apply(cipher) == plain)
    }

    @Test func `AES in counter mode counts through all 128 bits`() throws {
        // The counter runs from 2^128 - 1 to 0: the second block is that of the start value zero.
        let key = [UInt8](repeating: 7, count: 32)
        var high = try AESCounter(key: key, start: [UInt8](repeating: 255, count: 16))
        var low = try AESCounter(key: key)
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(high.apply(zeros) != low.apply(zeros))
        low.offset = 0
        #expect(high.apply(zeros + zeros) == low.apply(zeros + zeros))
        var far = try AESCounter(
            key: key, start: [UInt8](repeating: 255, count: 16), offset: 1 << 40)
        low.offset = (1 << 40) - 16
        #expect(far.apply(zeros) == low.apply(zeros))
    }

    @Test func `AES in counter mode gives the same bytes in pieces and from any offset`() throws {
        let key = [UInt8](1...32)
        let text = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var whole = try AESCounter(key: key)
        let cipher = whole.apply(text)
        for size in [1, 3, 15, 16, 17, 31, 64, 999] {
            var pieces = try AESCounter(key: key)
            var out: [UInt8] = []
            for from in stride(from: 0, to: text.count, by: size) {
                out += pieces.apply(Array(text[from..<min(from + size, text.count)]))
            }
            #expect(out == cipher, "pieces of \(size)")
        }
        for offset in 0..<64 {
            var part = try AESCounter(key: key, offset: Int64(offset))
            #expect(part.apply(Array(text[offset...])) == Array(cipher[offset...]), "\(offset)")
        }
        #expect(whole.apply([]).isEmpty && whole.offset == 1_000)
    }

    @Test func `AES in counter mode refuses keys and start values of other sizes`() {
        for count in [0, 16, 31, 33] {
            #expect(throws: CryptoError.self) {
                try AESCounter(key: [UInt8](repeating: 0, count: count))
            }
        }
        #expect(throws: CryptoError.self) {
            try AESCounter(key: [UInt8](repeating: 0, count: 32), start: [1])
        }
        #expect(throws: CryptoError.self) {
            try AESCounter(key: [UInt8](repeating: 0, count: 32), offset: -1)
        }
    }

    @Test(arguments: [
        // McGrew and Viega's test case 16, which came with the proposal to NIST.
        Sealed(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            extra: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            text: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                + "76fc6ece0f4e1768cddf8853bb2d551b"),
        // Wycheproof, aes_gcm_test 252 to 254: nonces of 16 bytes.
        Sealed(
            key: "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
            nonce: "00000000000000000000000000000000", extra: "",
            text: "8d74f1c97243d362577ff376c393d2dc",
            sealed: "265c42e2b96ea1de9c24f7182e337390" + "00000000000000000000000000000000"),
        Sealed(
            key: "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f",
            nonce: "ffffffffffffffffffffffffffffffff", extra: "",
            text: "884df0e76f3ce227bf9595d103825a46",
            sealed: "988f47668ea650cbaa6714711abe268d" + "ffffffffffffffffffffffffffffffff"),
        Sealed(
            key: "b4cd11db0b3e0b9b34eafd9fe027746976379155e76116afde1b96d21298e34f",
            nonce: "00c49f4ebb07393f07ebc3825f7b0830", extra: "", text: "",
            sealed: "306fe8c9645cc849823e333a685b90b2"),
    ])
    func `AES-GCM seals as published, and opens nothing that was changed`(row: Sealed) throws {
        let key = try #require(Hex.decode(row.key))
        let nonce = try #require(Hex.decode(row.nonce))
        let extra = try #require(Hex.decode(row.extra))
        let text = try #require(Hex.decode(row.text))
        let sealed = try AESGCM.seal(text, key: key, nonce: nonce, extra: extra)
        #expect(Hex.encode(sealed) == row.sealed)
        #expect(try AESGCM.open(sealed, key: key, nonce: nonce, extra: extra) == text)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: CryptoError.self) {
                try AESGCM.open(changed, key: key, nonce: nonce, extra: extra)
            }
        }
        #expect(throws: CryptoError.self) {
            try AESGCM.open(sealed, key: key, nonce: nonce, extra: extra + [0])
        }
        #expect(throws: CryptoError.self) {
            try AESGCM.open(Array(sealed.suffix(15)), key: key, nonce: nonce)
        }
    }

    @Test(arguments: [(16, 12), (31, 12), (33, 12), (32, 0), (32, 11), (32, 13), (32, 17)])
    func `AES-GCM refuses keys and nonces of other sizes`(keyBytes: Int, nonceBytes: Int) {
        #expect(throws: CryptoError.self) {
            try AESGCM.seal(
                [1], key: [UInt8](repeating: 0, count: keyBytes),
                nonce: [UInt8](repeating: 0, count: nonceBytes))
        }
    }
}

/// One sealed text in hexadecimal digits.
struct Sealed: Sendable {
    let key, nonce, extra, text, sealed: String
}

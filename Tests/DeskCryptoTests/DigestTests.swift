import DeskBytes
import DeskCrypto
import Testing

/// Digests, codes, key derivation and chance against published values.
struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the published digests, at once and in pieces`(text: String, hex: String) {
        #expect(Hex.encode(SHA256.digest(text)) == hex)
        var digest = SHA256()
        for byte in text.utf8 { digest.update([byte]) }
        #expect(Hex.encode(digest.finish()) == hex)
    }

    @Test func `SHA-1 gives the published digest`() {
        #expect(
            Hex.encode(SHA1.digest("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    @Test func `A digest is right after another algorithm's and after one that was given up`() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for _ in 0..<3 {
            var given = SHA256()
            given.update(Array(repeating: 7, count: 100))
            #expect(SHA1.digest("abc".utf8).count == 20)
            #expect(Hex.encode(SHA256.digest("abc")) == expected)
            given.update([7])
        }
        #expect(Hex.encode(SHA256.digest("abc")) == expected)
    }

    @Test func `Digests on many threads at once are each right`() async {
        let expected = SHA256.digest("abc")
        let right = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<2_000).allSatisfy { _ in SHA256.digest("abc") == expected }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(right)
    }

    @Test(arguments: [
        // RFC 4231, 4.2 to 4.5, 4.7 and 4.8; 4.6 is about shortened codes.
        (
            String(repeating: "0b", count: 20), Hex.encode(Array("Hi There".utf8)),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Hex.encode(Array("Jefe".utf8)),
            Hex.encode(Array("what do ya want for nothing?".utf8)),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819",
            String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            Hex.encode(Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            Hex.encode(
                Array(
                    ("This is a test using a larger than block-size key and a larger than "
                        + "block-size data. The key needs to be hashed before being used by the "
                        + "HMAC algorithm.").utf8)),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `HMAC gives the codes of RFC 4231 and refuses others`(
        key: String, text: String, hex: String
    ) throws {
        let key = try #require(Hex.decode(key))
        let text = try #require(Hex.decode(text))
        let code = HMACSHA256.code(for: text, key: key)
        #expect(Hex.encode(code) == hex)
        #expect(HMACSHA256.verifies(code, for: text, key: key))
        #expect(!HMACSHA256.verifies(code, for: text + [0], key: key))
        #expect(!HMACSHA256.verifies(code.dropLast(), for: text, key: key))
    }

    @Test func `HMAC has a code for nothing`() {
        #expect(HMACSHA256.code(for: [], key: []).count == 32)
    }

    @Test func `scrypt gives the key of RFC 7914`() throws {
        let key = try Scrypt(cost: 1024, blockSize: 8, parallelism: 16).derive(
            password: Array("password".utf8), salt: Array("NaCl".utf8), byteCount: 64)
        #expect(
            Hex.encode(key)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622e"
                + "af30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    }

    @Test func `scrypt works at the server's strength, and the empty password`() throws {
        let salt = RandomBytes.make(16)
        #expect(try Scrypt.password.derive(password: [], salt: salt).count == 32)
        #expect(throws: CryptoError.self) {
            try Scrypt(cost: 1000, blockSize: 8, parallelism: 1).derive(password: [1], salt: salt)
        }
    }

    @Test func `random bytes differ and have the length asked for`() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }

    @Test func `buffered random bits never come twice, across pieces and generators`() {
        var first = BufferedRandom()
        var second = BufferedRandom()
        let words = (0..<1_000).flatMap { _ in [first.next(), second.next()] }
        #expect(Set(words).count == words.count)
    }

    @Test(
        arguments: [
            ([], [], true), ([1], [], false), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `secrets are compared whole`(left: [UInt8], right: [UInt8], isSame: Bool) {
        #expect(constantTimeEquals(left, right) == isSame)
    }

    @Test func `a certificate that is missing is an error without a path`() {
        #expect(throws: CryptoError.self) {
            try TLSContext(certificateChain: "/nowhere/c.pem", privateKey: "/nowhere/k.pem")
        }
    }
}

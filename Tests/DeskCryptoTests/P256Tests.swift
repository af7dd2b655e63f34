import DeskBytes
import DeskCrypto
import Testing

/// The curve P-256 and HKDF, against published values.
struct P256Tests {
    private static func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64.decode(text, alphabet: .url))
    }

    /// RFC 8291, appendix A.
    private static func sender() throws -> P256 {
        try P256(scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    }

    private static func receiver() throws -> P256 {
        try P256(scalar: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    }

    @Test func `both ends of RFC 8291's example have its points and its secret`() throws {
        let (sender, receiver) = (try Self.sender(), try Self.receiver())
        #expect(
            Base64.encode(sender.point, alphabet: .url)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        )
        #expect(
            Base64.encode(receiver.point, alphabet: .url)
                == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        )
        let secret = try sender.agree(with: receiver.point)
        #expect(try receiver.agree(with: sender.point) == secret)
        #expect(
            Base64.encode(secret, alphabet: .url)
                == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
    }

    @Test func `a point that is not on the curve is no public key`() throws {
        let point = try Self.receiver().point
        #expect(P256.isPoint(point))
        for wrong in [
            [], Array(point.dropLast()), point + [0], [2] + point.dropFirst(),
            Array(point.dropLast()) + [point[64] ^ 1], [UInt8](repeating: 0, count: 65),
            [4] + [UInt8](repeating: 0, count: 64), P384.make().point,
        ] {
            #expect(!P256.isPoint(wrong))
            #expect(throws: CryptoError.self) { try Self.sender().agree(with: wrong) }
        }
    }

    @Test(arguments: [
        [], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32),
        [UInt8](repeating: 1, count: 31),
    ])
    func `a number that is no scalar of the curve is no private key`(_ scalar: [UInt8]) {
        #expect(throws: CryptoError.self) { try P256(scalar: scalar) }
    }

    @Test func `a signature is verified by the point's coordinates, and for no other bytes`() {
        let key = P256.make()
        let signature = key.sign([1, 2, 3])
        #expect(signature.count == P256Signature.signatureBytes)
        let (x, y) = (Array(key.point[1..<33]), Array(key.point[33...]))
        #expect(P256Signature.verifies(signature, for: [1, 2, 3], x: x, y: y))
        #expect(!P256Signature.verifies(signature, for: [1, 2, 4], x: x, y: y))
        #expect(P256.make().point != key.point)
    }

    @Test func `HKDF derives what RFC 5869 has as its first example`() {
        let key = HKDFSHA256.derive(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: Array(0x00...0x0C),
            info: Array(0xF0...0xF9), byteCount: 32)
        #expect(
            Hex.encode(key) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
    }

    @Test func `AES-GCM accepts a short key only where one is stated`() throws {
        // The Galois/Counter Mode of Operation, test case 2.
        let zeros = [UInt8](repeating: 0, count: 16)
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = try AESGCM.seal(zeros, key: zeros, nonce: nonce, keySize: .short)
        #expect(
            Hex.encode(sealed) == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
        )
        #expect(throws: CryptoError.self) { try AESGCM.seal(zeros, key: zeros, nonce: nonce) }
        #expect(throws: CryptoError.self) {
            try AESGCM.seal(zeros, key: zeros + zeros, nonce: nonce, keySize: .short)
        }
    }
}

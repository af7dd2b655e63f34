import DeskBytes
import DeskCrypto
import DeskJSON
import Testing

@testable import DeskDelivery

/// What is pushed, and by whom, in the forms of RFC 8291 and RFC 8292.
struct PushEncryptionTests {
    private static func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64.decode(text, alphabet: .url))
    }

    @Test func `the example of RFC 8291 is encrypted as it is published`() throws {
        let encrypted = try PushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8),
            point: Self.bytes(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            ),
            secret: Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"),
            sender: P256(scalar: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64.encode(encrypted, alphabet: .url)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3v"
                + "CYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXL"
                + "WyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test func `the longest text fills one record, and two messages share nothing`() throws {
        let receiver = P256.make()
        func encrypt(_ count: Int) throws -> [UInt8] {
            try PushEncryption.encrypt(
                [UInt8](repeating: 65, count: count), point: receiver.point,
                secret: RandomBytes.make(16))
        }
        #expect(try encrypt(PushEncryption.mostBytes).count == 4_096)
        let (one, other) = (try encrypt(1), try encrypt(1))
        #expect(one.prefix(16) != other.prefix(16) && one[21..<86] != other[21..<86])
    }

    @Test func `a browser's key that is no point gets nothing`() {
        #expect(throws: CryptoError.self) {
            try PushEncryption.encrypt(
                [1], point: [UInt8](repeating: 4, count: 65), secret: RandomBytes.make(16))
        }
    }

    @Test func `a token is signed by the installation's key, for one service and half a day`()
        throws
    {
        let key = PushKey(secret: [UInt8](repeating: 7, count: 32))
        #expect(PushKey(secret: [UInt8](repeating: 7, count: 32)).publicText == key.publicText)
        #expect(PushKey(secret: [UInt8](repeating: 8, count: 32)).publicText != key.publicText)
        let value = key.authorization(
            for: "https://push.example", from: "https://chat.example", at: dawn)
        let parts = try #require(value.wholeMatch(of: /vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/))
        #expect(String(parts.4) == key.publicText)
        let point = try Self.bytes(key.publicText)
        #expect(
            P256Signature.verifies(
                try Self.bytes(String(parts.3)), for: Array("\(parts.1).\(parts.2)".utf8),
                x: Array(point[1..<33]), y: Array(point[33...])))
        #expect(
            String(decoding: try Self.bytes(String(parts.1)), as: UTF8.self)
                == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            String(decoding: try Self.bytes(String(parts.2)), as: UTF8.self)
                == #"{"aud":"https://push.example","exp":1900043200,"sub":"https://chat.example"}"#)
    }
}

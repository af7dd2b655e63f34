import DeskBytes
import DeskCrypto
import Testing

/// Signatures that others make, against the examples of RFC 7515, appendices A.2 and A.3.
struct PublicKeySignatureTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    private static let rsaText = Array("eyJhbGciOiJSUzI1NiJ9.\(claims)".utf8)
    private static let p256Text = Array("eyJhbGciOiJFUzI1NiJ9.\(claims)".utf8)

    private static func bytes(_ text: String) throws -> [UInt8] {
        try #require(Base64.decode(text, alphabet: .url))
    }

    private static func modulus() throws -> [UInt8] {
        try bytes(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEz"
                + "P1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf6"
                + "3kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5Zw"
                + "Kh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRW"
                + "yuXpoQ")
    }

    private static func rsaSignature() throws -> [UInt8] {
        try bytes(
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt"
                + "_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArL"
                + "IARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7no"
                + "OPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ"
                + "Ge77Rw")
    }

    @Test func `RSA verifies the example of RFC 7515 and no other bytes, signature or key`() throws
    {
        let (modulus, signature) = (try Self.modulus(), try Self.rsaSignature())
        let exponent: [UInt8] = [1, 0, 1]
        func verifies(
            _ signature: [UInt8], _ text: [UInt8], _ modulus: [UInt8], _ exponent: [UInt8]
        ) -> Bool {
            RSASignature.verifies(signature, for: text, modulus: modulus, exponent: exponent)
        }
        #expect(verifies(signature, Self.rsaText, modulus, exponent))
        // Zeros in front change no number.
        #expect(verifies(signature, Self.rsaText, [0] + modulus, [0] + exponent))
        #expect(!verifies(signature, Self.rsaText + [0], modulus, exponent))
        #expect(!verifies(signature, [], modulus, exponent))
        for place in [0, 127, 255] {
            var changed = signature
            changed[place] ^= 1
            #expect(!verifies(changed, Self.rsaText, modulus, exponent), "\(place)")
            var other = modulus
            other[place] ^= 0x40
            #expect(!verifies(signature, Self.rsaText, other, exponent), "\(place)")
        }
        for wrong in [[], [1], [1, 0, 0], [3], Array(repeating: 1, count: 9)] as [[UInt8]] {
            #expect(!verifies(signature, Self.rsaText, modulus, wrong), "\(wrong)")
        }
        #expect(!verifies(Array(signature.dropLast()), Self.rsaText, modulus, exponent))
        #expect(!verifies(signature + [0], Self.rsaText, modulus, exponent))
        #expect(!verifies([], Self.rsaText, modulus, exponent))
    }

    @Test(arguments: [0, 1, 128, 255, 1_025, 4_096])
    func `a modulus that is too short or too long is refused before anything is computed`(
        count: Int
    ) {
        let modulus = [UInt8](repeating: 0xFF, count: count)
        #expect(
            !RSASignature.verifies(modulus, for: [1], modulus: modulus, exponent: [1, 0, 1]))
    }

    @Test func `P-256 verifies the example of RFC 7515 and no other bytes, signature or point`()
        throws
    {
        let x = try Self.bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
        let y = try Self.bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        let signature = try Self.bytes(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        )
        #expect(P256Signature.verifies(signature, for: Self.p256Text, x: x, y: y))
        #expect(!P256Signature.verifies(signature, for: Self.rsaText, x: x, y: y))
        #expect(!P256Signature.verifies(signature, for: Self.p256Text, x: y, y: x))
        for place in [0, 31, 32, 63] {
            var changed = signature
            changed[place] ^= 1
            #expect(!P256Signature.verifies(changed, for: Self.p256Text, x: x, y: y), "\(place)")
        }
        // What makes every text good where numbers of zero are let through (CVE-2022-21449).
        let zeros = [UInt8](repeating: 0, count: 64)
        #expect(!P256Signature.verifies(zeros, for: Self.p256Text, x: x, y: y))
        let none = [UInt8](repeating: 0, count: 32)
        #expect(!P256Signature.verifies(signature, for: Self.p256Text, x: none, y: none))
        for wrong in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!P256Signature.verifies(wrong, for: Self.p256Text, x: x, y: y))
            #expect(
                !P256Signature.verifies(signature, for: Self.p256Text, x: wrong, y: y))
        }
    }
}

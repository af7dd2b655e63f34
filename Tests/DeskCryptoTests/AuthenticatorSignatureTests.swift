import DeskBytes
import DeskCrypto
import Testing

/// Signatures of authenticators, by keys that `openssl genpkey` and `openssl pkey -pubout -outform DER` made.
struct AuthenticatorSignatureTests {
    /// A key, what it signed, and the signature (`openssl pkeyutl -sign -rawin`, with `-digest sha256` but for Ed25519).
    struct Example: CustomTestStringConvertible, Sendable {
        let algorithm: AuthenticatorSignature.Algorithm
        let key, signature: [UInt8]
        var testDescription: String { "\(algorithm)" }

        init(_ algorithm: AuthenticatorSignature.Algorithm, _ key: String, _ signature: String) {
            self.algorithm = algorithm
            self.key = Base64.decode(key) ?? []
            self.signature = Base64.decode(signature) ?? []
        }
    }

    static let text = Array("what a passkey signs".utf8)
    static let examples = [
        Example(
            .es256,
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuypQT/9fcV/RUg9bGLl2EDuKyxiE0eLDm1ytIrAm"
                + "TMieBTnkwUYZIoMGFSCYIqDO1mK6JQ8+ZkrMbwuTISWj9g==",
            "MEUCIFLs8LPaZLWaD1otD/3we6u/U5LvuKIHFb1BVNIkFzLmAiEAw/aI+vMMulU8o5+WPD0ZRg6C"
                + "UiKCWguAwYLPxVJbkS8="),
        Example(
            .edDSA,
            "MCowBQYDK2VwAyEAPem+XAeb+A+qhMFYGdNJ6cmYPw05Xpbda5RPpjDOnn8=",
            "ZHwX8XO5OLjgYfxfqZSe29yZ3Vz3yObhMW2PPIKOPxCd2jP3oZJsPhPzJElfm93FyFyyHTn/xH+G"
                + "zNP0zpbIBg=="),
        Example(
            .rs256,
            "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAugzhhEfP7zOtlrfcfamGtbiEIdGKMdyI"
                + "qLSfFQjvye7zk1gGaMUnYcrqTxxzze3JoHdIhFN2eDkyYCPDivYmh4zlV5q+1R0OcBQ5dyJ6yb4W"
                + "Fjo8OxXLugLudcyyjhg1IlLsNgwOuN/EwjzxuM1PRIO/B9fMzFdNm7yqZ9oMxgCqkB9sq2QSJeru"
                + "0k4xiTVCW7+XiOqsPVK4sNwAlY7zW+tFMuHfIW8Up30xQMtl9pAULjU867P6jouFBZH82qwbk1Cw"
                + "MIUv+EjgJiz/bUqzuFNLpNDDVcbOGI0tmARlctp1qUQqikrcoxl1B3yA7wU09XWdlJPXdfopFFRQ"
                + "H+EcJQIDAQAB",
            "VZ5Sx/DNHvWWVYsMLh7U29iuCWmvztg6tDA64GiS5voIJ1gS+j6w0XouYiftw7k3aeJs3X1TEKYa"
                + "aXN8u3233xoABvbDz29f/7BjeUEx9f2tLs12tA6x0f58DCzxnXBfBtko/puBHW5MGMIX1X9lN953"
                + "EioL2eO667x7VMe3VuUmw3rft4kFKpY1ZGpAP0JcMqLYBpAnwtpfybftFnzdiQvjl4OPrJRKZCzM"
                + "pHeYfOm9rL3Oe0fGAC3u5vXM43coGCekH8PdtHxBarnmFFF1A7gQPAWOVC/xNcGiulH2JBkuNqmj"
                + "5G/bGl7bpLLIcPRx2dKLe8ecNbtvdy2eWGee0w=="),
    ]

    @Test(arguments: examples)
    func `each algorithm verifies what its key signed, and no other bytes, signature or key`(
        _ example: Example
    ) {
        func verifies(_ signature: [UInt8], _ text: [UInt8], by key: [UInt8]) -> Bool {
            AuthenticatorSignature.verifies(signature, for: text, by: key, example.algorithm)
        }
        #expect(AuthenticatorSignature.isKey(example.key, of: example.algorithm))
        #expect(verifies(example.signature, Self.text, by: example.key))
        #expect(!verifies(example.signature, Self.text + [0], by: example.key))
        #expect(!verifies(example.signature + [0], Self.text, by: example.key))
        #expect(!verifies([], Self.text, by: example.key))
        for place in example.signature.indices {
            var changed = example.signature
            changed[place] ^= 1
            #expect(!verifies(changed, Self.text, by: example.key), "\(place)")
        }
        for count in example.key.indices {
            #expect(!verifies(example.signature, Self.text, by: Array(example.key.prefix(count))))
        }
        // Bytes behind a key are no part of it.
        #expect(!AuthenticatorSignature.isKey(example.key + [0], of: example.algorithm))
        for other in AuthenticatorSignature.Algorithm.allCases where other != example.algorithm {
            #expect(!AuthenticatorSignature.isKey(example.key, of: other))
            #expect(
                !AuthenticatorSignature.verifies(
                    example.signature, for: Self.text, by: example.key, other))
        }
    }

    @Test(
        arguments: [
            // P-384.
            (
                .es256,
                "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEVNsL9XJ81qyezxmww476Jh456N9KrsGA3ax5MIKADyo/"
                    + "hNDdiOkhMk0YMkQB6GTlFxqRowZTKUqzU33Fww+WAOl7Z6skXdMw+xEYuqRVASx+sJ3NvklVt/Xa"
                    + "B6+eg9Hw"
            ),
            // secp256k1.
            (
                .es256,
                "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEuJHWSTlEIFulKO/qmLg9O7z24Cw1kaawP17FLCaHVBzP"
                    + "r8cQJGAXnh7LlorXxTit+OwA1qEylYG7f077p7RroQ=="
            ),
            // Ed448.
            (
                .edDSA,
                "MEMwBQYDK2VxAzoAZiF7k9pottq0gAAOuJ9R8x1YcL9bjqqodX4IiyXtdyuzTjxYea1xHuFeuMBh"
                    + "3yBME9bUk2iCCZiA"
            ),
            // 1,024 bits.
            (
                .rs256,
                "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC+JwB1up1MDzl+rszihXe9S/K6AGOlJ4Ip471U"
                    + "Pz7UzGb+PSECSUsnPv9rZaGqDpf2jnavylFCS2IX92X+cdY75yVL1edOIXA2ThxtSkbJAV3+D/zI"
                    + "k8ffwj4IZ5FW0MWc0BQvoE4+FbyplXXPgYYkrKkO1JrcSaeFp1G5kXSewQIDAQAB"
            ),
            // RSA-PSS.
            (
                .rs256,
                "MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAKNRiwVXsHMd1mDBzka9VUMAcsR/igO6VFTU"
                    + "1PRNaLybsFFuQAmoywiCxdYD5s1OapkfdLHHdgTJYeofoF4FrEHoFYS3x1Bx5qNR0GNeCsciNtCc"
                    + "30qYAIYdkiB4EdtalzBL1pITfHHG6D3sBZLy7uvC8HuQyKIf/bNeUWqiHhtTKX6VT63Z5qTra/al"
                    + "hK75jkV4Af3RjEk8ANDuZaf3mrmRZaXx1AQxDj7VDaSu2F+mv+45UhmZwQMEtNBgxqAnMfCO+TSi"
                    + "4Uzj91bMIdRb6k5jDGr15/92/FNdTTmdqa5kI8jCa7JMdjYxbZD2IXFOz+qC3Sec2mNLg1oS34Do"
                    + "CMkCAwEAAQ=="
            ),
        ] as [(AuthenticatorSignature.Algorithm, String)])
    func `a key of another curve or size is none`(
        _ algorithm: AuthenticatorSignature.Algorithm, _ key: String
    ) throws {
        let bytes = try #require(Base64.decode(key))
        #expect(!AuthenticatorSignature.isKey(bytes, of: algorithm))
    }
}

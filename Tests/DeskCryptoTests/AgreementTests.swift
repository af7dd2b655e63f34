import DeskBytes
import DeskCrypto
import Testing

/// Agreement on the curve P-384 and the derivation of keys, against published values.
struct AgreementTests {
    /// Made by Python's cryptography: one key as number, PKCS #8 and SEC 1.
    static let scalar =
        "d44a44950751879550616ff490acb68f2affda7f14cb541a516c06eba0a7524a5442f90d1238912f7f19ca3ce9048ec1"
    static let modern = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDUSkSVB1GHlVBhb/SQ
        rLaPKv/afxTLVBpRbAbroKdSSlRC+Q0SOJEvfxnKPOkEjsGhZANiAARwA2mP44n+
        T5PmxOHY0hIVEJ1ymNK9qyxzoOWULYngga3I6s0PKWKgUb9zjbtimVjsOIIl6TFT
        0ZgcE+ZYaklo6Zwb/DDvCjhl5iDuKqFRNgq6rLK4wER8ByXcAwjT3m8=
        -----END PRIVATE KEY-----

        """
    static let old = """
        -----BEGIN EC PRIVATE KEY-----
        MIGkAgEBBDDUSkSVB1GHlVBhb/SQrLaPKv/afxTLVBpRbAbroKdSSlRC+Q0SOJEv
        fxnKPOkEjsGgBwYFK4EEACKhZANiAARwA2mP44n+T5PmxOHY0hIVEJ1ymNK9qyxz
        oOWULYngga3I6s0PKWKgUb9zjbtimVjsOIIl6TFT0ZgcE+ZYaklo6Zwb/DDvCjhl
        5iDuKqFRNgq6rLK4wER8ByXcAwjT3m8=
        -----END EC PRIVATE KEY-----

        """
    /// The same number's place on P-256 is another curve's key.
    static let otherCurve = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAWhRANCAARRWQt6UVFA0teEyFYIZo/f74yC/R9b
        5SQhVUoNw9Az7eDBfaiQSnJ9iuG/Nr+KeSYNAS8A1NgIiNHQu0T9oW2k
        -----END PRIVATE KEY-----

        """

    @Test(arguments: [
        // NIST CAVP, KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init, set ED, counts 0 and 1.
        Agreement(
            own:
                "f865418473e5bf7d2e1bbcd9bd5a9270c003a9dd35e778133ca59fcab4bb64fe24d6800e7047bdd033abc8bfa8db35b5",
            ownPoint:
                "32b72ab9b558249dcbc6cbade234f58e4f7aa5d3f6420ea99a5f997e8c2a91fb7fd83779d0d2169428683771c745fd1a"
                + "c749e02a3719bb56bf1dfc4ba3820309c01ab6e84cb29db7cdd80f127233f5295687f8178f3a8704c1063b84c2ee472f",
            other:
                "d1bf2ac21637d66d6398aac01dcd56ac6f065fb45d1f6f16747bab9e9b01b4630b59b20927aea147355bf41838acb482"
                + "4c9e23f1c5a41647d094086bf4ed31708651f21d996c47780688ac10f77deee2e43b5241b6caecd2fd5444bc50472e0e",
            secret:
                "a781430e6078a179df3f9ee27cd8fdc6188f161b6c4ccc4053ef6c6ca6fc222946883a53c06db08f0a020023ced055aa"
        ),
        Agreement(
            own:
                "c40c805488115e43279c99797bcbfff8d9922ea9aec471d9ba659590034c3fb739d23661c0aae6e7ada2a1de36eb63a1",
            ownPoint:
                "a95b7ad4de234e9be8b260313ddb96a404b75b3a7e0f234981f3b189d86ac31bbe3937776c0608024871ef64815784b3"
                + "4890ee227219ca5ce34632cbca5732accc2d276fa1b1cc9d14f6b7e4b0f5e116a92cbef743de3e69537e250f27125e82",
            other:
                "4c619593e459e4aca7c572834064134d93e8b1b676388b0ff67b893722cf7e8396cd953df38a42e4131dbad29518b2af"
                + "dbe261af918baade39070e88f62eabe4ee9d5f2563707271cc566dd7a2380aa4707d15d6eef142a52d75a67429afd0c6",
            secret:
                "128934db846099c8d8caa788b0b84bb65bd57b20774ff7f8e7f29939297d72bbc232c5d2b2c8ef1d63e3d75d3908e778"
        ),
    ])
    func `agreement gives the published secret`(row: Agreement) throws {
        let key = try P384(scalar: #require(Hex.decode(row.own)))
        #expect(Hex.encode(key.point) == "04" + row.ownPoint)
        let other = try #require(Hex.decode("04" + row.other))
        #expect(try Hex.encode(key.agree(with: other)) == row.secret)
    }

    @Test func `two new keys agree on one secret`() throws {
        let (one, two) = (P384.make(), P384.make())
        #expect(one.scalar != two.scalar)
        #expect(try one.agree(with: two.point) == two.agree(with: one.point))
    }

    @Test func `a key is read from PEM of both forms, and written so that it is read again`() throws
    {
        let key = try P384(scalar: #require(Hex.decode(AgreementTests.scalar)))
        #expect(try P384(pem: AgreementTests.modern).scalar == key.scalar)
        #expect(try P384(pem: AgreementTests.old).scalar == key.scalar)
        #expect(key.pem == AgreementTests.modern)
        #expect(try P384(pem: P384.make().pem).scalar.count == 48)
    }

    @Test(arguments: ["", "nothing", AgreementTests.otherCurve])
    func `what is no P-384 key in PEM is refused`(pem: String) {
        #expect(throws: CryptoError.self) { try P384(pem: pem) }
    }

    @Test(arguments: [
        String(repeating: "0", count: 96),  // zero
        // the order itself, and more than it
        "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
        String(repeating: "f", count: 96),
        String(repeating: "1", count: 94), String(repeating: "1", count: 98),
    ])
    func `a number that is no private key is refused`(hex: String) throws {
        let scalar = try #require(Hex.decode(hex))
        #expect(throws: CryptoError.self) { try P384(scalar: scalar) }
    }

    @Test func `what is no uncompressed point of the curve is refused`() {
        let key = P384.make()
        var offCurve = key.point
        offCurve[96] ^= 1
        let compressed = [2 + (key.point[96] & 1)] + key.point[1..<49]
        let hybrid = [6 + (key.point[96] & 1)] + key.point[1...]
        let beyondField = [4] + [UInt8](repeating: 255, count: 96)
        let bad = [
            [], [0], offCurve, compressed, hybrid, beyondField, key.point + [0],
            Array(key.point.dropLast()), [UInt8](repeating: 0, count: 97),
            [4] + [UInt8](repeating: 0, count: 96),
        ]
        for point in bad {
            #expect(!P384.isPoint(point), "\(point.count) bytes, \(point.first ?? 0) first")
            #expect(throws: CryptoError.self) { try key.agree(with: point) }
        }
        #expect(P384.isPoint(key.point))
    }

    @Test(arguments: [
        // NIST CAVP, ansx963_2001, SHA-256: [192, 0, 128] counts 0 and 1, [192, 128, 1024] count 0.
        Derivation(
            "96c05619d56c328ab95fe84b18264b08725b85e33fd34f08", "",
            "443024c3dae66b95e6f5670601558f71"),
        Derivation(
            "96f600b73ad6ac5629577eced51743dd2c24c21b1ac83ee4", "",
            "b6295162a7804f5667ba9070f82fa522"),
        Derivation(
            "22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d", "75eef81aa3041e33b80971203d2c0c52",
            "c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e"
                + "52a13d9c7c6fc878c50c5ea0bc7b00e0da2447cfd874f6cf92f30d0097111485"
                + "500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269"
                + "142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21"),
    ])
    func `X9_63 derives the published keys`(row: Derivation) throws {
        let secret = try #require(Hex.decode(row.secret))
        let info = try #require(Hex.decode(row.info))
        let key = try X963KDF.derive(
            secret: secret, info: info, byteCount: row.key.utf8.count / 2)
        #expect(Hex.encode(key) == row.key)
        #expect(throws: CryptoError.self) {
            try X963KDF.derive(secret: [], info: info, byteCount: 16)
        }
    }
}

/// One agreement in hexadecimal digits; points without their first byte.
struct Agreement: Sendable {
    let own, ownPoint, other, secret: String
}

/// One derivation in hexadecimal digits.
struct Derivation: Sendable {
    let secret, info, key: String

    init(_ secret: String, _ info: String, _ key: String) {
        self.secret = secret
        self.info = info
        self.key = key
    }
}

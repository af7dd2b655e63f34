import DeskBytes
import DeskCrypto
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

/// Which ID tokens say who a person is, and what is wrong with the others.
struct IDTokenTests {
    private static let issuer = "https://id.example"
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let key = Ed25519.make()
    private static let rules = IDTokenRules(issuer: issuer, client: "desk", nonce: "n-1")

    private static func encoded(_ json: JSON) -> String {
        Base64.encode(json.bytes(), alphabet: .url)
    }

    /// The claims of a good token.
    private static let good: [(String, JSON)] = [
        ("iss", .string(issuer)), ("sub", "ada"), ("aud", "desk"), ("exp", 1_800_000_300),
        ("iat", 1_800_000_000), ("nonce", "n-1"), ("email", "ada@example.com"),
        ("email_verified", true),
    ]

    /// The good claims with others in their place; a nil leaves one out.
    private static func claims(_ changes: [String: JSON?] = [:]) -> JSON {
        var members = good.filter { changes[$0.0] == nil }
        for (name, value) in changes { if let value { members.append((name, value)) } }
        return .object(members)
    }

    private static func token(
        _ claims: JSON, header: JSON = ["alg": "EdDSA", "kid": "k1"], key: Ed25519 = key
    ) -> String {
        let signed = "\(encoded(header)).\(encoded(claims))"
        return "\(signed).\(Base64.encode(key.sign(Array(signed.utf8)), alphabet: .url))"
    }

    private static func keys(_ members: [JSON]) throws -> SigningKeys {
        try #require(SigningKeys(JSON.object([("keys", .array(members))]).bytes()))
    }

    private static var own: JSON {
        [
            "kty": "OKP", "crv": "Ed25519", "kid": "k1", "use": "sig",
            "x": .string(Base64.encode(key.publicKey, alphabet: .url)),
        ]
    }

    private static func judge(_ text: String, _ published: [JSON] = [own]) throws -> Identity {
        let token = try IDToken(text)
        try keys(published).verify(token)
        return try rules.check(token.claims, at: now)
    }

    private static func fault(_ text: String, _ published: [JSON] = [own]) -> IDTokenFault? {
        do {
            _ = try judge(text, published)
            return nil
        } catch { return error as? IDTokenFault }
    }

    @Test(
        arguments: [
            [:], ["aud": ["desk"]], ["aud": ["desk", "other"], "azp": "desk"], ["azp": "desk"],
            ["exp": 1_799_999_941], ["iat": 1_800_000_060], ["iat": 1_799_999_040],
            ["nbf": 1_800_000_060], ["exp": .double(1_800_000_300.5)], ["email": nil],
            ["email_verified": nil], ["email_verified": false], ["name": 7],
            ["groups": ["a", "b"]],
        ] as [[String: JSON?]])
    func `a token of the provider for this sign-in is believed`(changes: [String: JSON?]) throws {
        let identity = try Self.judge(Self.token(Self.claims(changes)))
        #expect(identity == Identity(issuer: Self.issuer, subject: "ada"))
    }

    @Test(
        arguments: [
            (["iss": nil], .claimMissing), (["iss": "https://id.example/"], .issuer),
            (["iss": "https://other.example"], .issuer), (["iss": 7], .claimType),
            (["aud": nil], .claimMissing), (["aud": "other"], .audience),
            (["aud": ["a", "b"]], .audience),
            (["aud": []], .claimMissing), (["aud": ["desk", 7]], .claimType),
            (["aud": ["desk", "other"]], .authorizedClient),
            (["aud": ["desk", "other"], "azp": "other"], .authorizedClient),
            (["azp": "other"], .authorizedClient), (["azp": ["desk"]], .claimType),
            (["exp": nil], .claimMissing), (["exp": 1_799_999_940], .expired),
            (["exp": "1800000300"], .claimType), (["exp": 1_800_000_300_000], .claimType),
            (["iat": nil], .claimMissing), (["iat": 1_800_000_062], .tooEarly),
            (["iat": 1_799_999_030], .tooOld), (["nbf": 1_800_000_062], .tooEarly),
            (["nonce": nil], .claimMissing), (["nonce": "n-2"], .nonce), (["nonce": ""], .nonce),
            (["nonce": "n-11"], .nonce), (["sub": nil], .claimMissing), (["sub": ""], .subject),
            (["sub": .string(String(repeating: "s", count: 256))], .subject),
            (["sub": "a\u{0}b"], .subject), (["sub": 7], .claimType),
            (["email": ["a"]], .claimType),
            (["email_verified": "true"], .claimType), (["email_verified": 1], .claimType),
        ] as [([String: JSON?], IDTokenFault)])
    func `each wrong claim is refused with its reason`(
        changes: [String: JSON?], fault: IDTokenFault
    ) {
        #expect(Self.fault(Self.token(Self.claims(changes))) == fault)
    }

    @Test(
        arguments: [
            ("none", .algorithm), ("None", .algorithm), ("HS256", .algorithm),
            ("HS512", .algorithm),
            ("RS1", .algorithm), ("eddsa", .algorithm), ("", .algorithm), ("RS256", .unknownKey),
            ("ES256", .unknownKey),
        ] as [(String, IDTokenFault)])
    func `an algorithm without a published key of its own kind is refused`(
        name: String, fault: IDTokenFault
    ) {
        let header: JSON = ["alg": .string(name), "kid": "k1"]
        #expect(Self.fault(Self.token(Self.claims(), header: header)) == fault)
    }

    @Test func `a token that is signed with the text of the public key is refused`() {
        let signed = "\(Self.encoded(["alg": "HS256", "kid": "k1"])).\(Self.encoded(Self.claims()))"
        let code = HMACSHA256.code(for: Array(signed.utf8), key: Self.key.publicKey)
        let text = "\(signed).\(Base64.encode(code, alphabet: .url))"
        #expect(Self.fault(text) == .algorithm)
    }

    @Test func `a header decides which key verifies, and names no other rule`() throws {
        let claims = Self.claims()
        let unnamed = Self.token(claims, header: ["alg": "EdDSA"])
        #expect(throws: Never.self) { try Self.judge(unnamed) }
        let other = Self.token(claims, header: ["alg": "EdDSA", "kid": "k2"])
        #expect(Self.fault(other) == .unknownKey)
        let extended = Self.token(claims, header: ["alg": "EdDSA", "kid": "k1", "crit": ["b64"]])
        #expect(Self.fault(extended) == .critical)
        let foreign = Self.token(claims, key: Ed25519.make())
        #expect(Self.fault(foreign) == .signature)
        #expect(Self.fault(Self.token(claims), []) == .unknownKey)
    }

    @Test(
        arguments: [
            ["use": "enc"], ["kty": "RSA"], ["crv": "X25519"], ["alg": "ES256"], ["kid": "k2"],
            ["kid": nil], ["x": "AAAA"], ["x": nil], ["x": "%%"],
        ] as [[String: JSON?]])
    func `a key of another kind, use or name verifies nothing`(changes: [String: JSON?]) {
        guard case .object(let members) = Self.own else { return }
        var changed = members.filter { changes[$0.0] == nil }
        for (name, value) in changes { if let value { changed.append((name, value)) } }
        let fault = Self.fault(Self.token(Self.claims()), [.object(changed)])
        #expect(fault == .unknownKey || fault == .signature)
    }

    @Test func `a token with any byte changed, missing or doubled is refused`() {
        let text = Array(Self.token(Self.claims()).utf8)
        for place in text.indices {
            var changed = text
            changed[place] =
                changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let variants = [
                changed, Array(text[..<place]), Array(text[..<place] + text[(place + 1)...]),
                Array(text[...place] + text[place...]),
            ]
            for variant in variants {
                let word = String(decoding: variant, as: UTF8.self)
                #expect(Self.fault(word) != nil, "\(place)")
            }
        }
    }

    @Test func `texts that are no tokens are refused with what they lack`() {
        #expect(Self.fault(String(repeating: "a", count: IDToken.maximumBytes + 1)) == .tooLong)
        #expect(Self.fault("") == .parts)
        #expect(Self.fault("a.b") == .parts)
        #expect(Self.fault("a.b.c.d.e") == .parts)
        #expect(Self.fault("=.b.c") == .encoding)
        #expect(Self.fault("W10.W10.") == .notJSON)
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let claims = Base64.encode(Array(#"{"a":\#(deep)}"#.utf8), alphabet: .url)
        let header = Self.encoded(["alg": "EdDSA"])
        #expect(Self.fault("\(header).\(claims).AAAA") == .notJSON)
        let twice = Base64.encode(Array(#"{"sub":"a","sub":"b"}"#.utf8), alphabet: .url)
        #expect(Self.fault("\(header).\(twice).AAAA") == .notJSON)
    }

    @Test(
        arguments: [
            (["email_verified": nil, "xms_edov": true], true),
            (["email_verified": nil, "xms_edov": 1], true),
            (["email_verified": nil, "xms_edov": "1"], true),
            (["email_verified": nil, "xms_edov": 0], false), (["email_verified": nil], false),
            (["email_verified": false, "xms_edov": true], false),
        ] as [([String: JSON?], Bool)])
    func `an address is verified where the provider says so`(
        changes: [String: JSON?], isVerified: Bool
    ) throws {
        let token = try IDToken(Self.token(Self.claims(changes)))
        #expect(token.claims.isEmailVerified == isVerified)
    }
}

import DeskBytes
import DeskCrypto
import DeskGateway
import DeskModel
import TestSupport
import Testing

/// Tokens against published vectors, other people's library, and everything that can be wrong.
@Suite("A token")
struct JSONWebTokenTests {
    /// Bytes 0 to 31; as a secret's text "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".
    static let key = [UInt8](0..<32)
    static let now = Timestamp(seconds: 1_760_000_000)

    /// Made by PyJWT 2 with `key`: iss msp-1, iat 1760000000.
    static let good =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJtc3AtMSIsImlhdCI6MTc2MDAwMDAwMH0"
        + ".k3qjqqWnLm9db4YvRKosfscKVPp21vs9dwQQXeiUUBE"

    /// Signs any header and claims, as an attacker may.
    static func token(_ header: String, _ claims: String, key: [UInt8] = key) -> String {
        let text =
            Base64.encode(Array(header.utf8), alphabet: .url) + "."
            + Base64.encode(Array(claims.utf8), alphabet: .url)
        let code = HMACSHA256.code(for: Array(text.utf8), key: key)
        return text + "." + Base64.encode(code, alphabet: .url)
    }

    @Test func `the example of RFC 7515 A_1 verifies`() throws {
        let key = try #require(
            Base64.decode(
                "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
                alphabet: .url))
        let claims = try JSONWebToken.verify(
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
                + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
                + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
                + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", key: key)
        #expect(claims == TokenClaims(issuer: "joe", expires: 1_300_819_380))
    }

    @Test(arguments: [
        Made(good, TokenClaims(issuer: "msp-1", issuedAt: 1_760_000_000)),
        Made(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOlsib3RoZXIiLCJtc3AtMSJdLCJpYXQiOjE3"
                + "NjAwMDAwMDAsImV4cCI6MTc2MDAwMDYwMCwibmJmIjoxNzU5OTk5OTkwfQ"
                + ".vc-h_BxRSP61WLydcpYT2tlmb4BkS24atuysa8A4vZ0",
            TokenClaims(
                audiences: ["other", "msp-1"], issuedAt: 1_760_000_000, expires: 1_760_000_600,
                notBefore: 1_759_999_990)),
        Made(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJtc3AtMSIsImlhdCI6MTc2MDAwMDAwMC43"
                + "NX0.3wgaEJJgYCyskjbgoGQIB25LknOSLhBpRDeigTMyFmg",
            TokenClaims(issuer: "msp-1", issuedAt: 1_760_000_000)),
    ])
    func `made by PyJWT verifies and says the same`(made: Made) throws {
        #expect(try JSONWebToken.verify(made.token, key: JSONWebTokenTests.key) == made.claims)
        guard let issuer = made.claims.issuer else {
            #expect(throws: TokenFault.issuerMissing) {
                try JSONWebToken.unverifiedIssuer(made.token)
            }
            return
        }
        #expect(try JSONWebToken.unverifiedIssuer(made.token) == issuer)
    }

    @Test(arguments: [
        TokenClaims(), TokenClaims(issuer: "msp \"é\u{301}\" 1", issuedAt: 1),
        TokenClaims(audiences: ["a"], issuedAt: -1, expires: 3, notBefore: 0),
        TokenClaims(issuer: "", audiences: ["a", "b"], issuedAt: 1_760_000_000),
    ])
    func `we sign is read back the same, by this key only`(claims: TokenClaims) throws {
        let text = JSONWebToken.sign(claims, key: [1, 2, 3])
        #expect(try JSONWebToken.verify(text, key: [1, 2, 3]) == claims)
        #expect(throws: TokenFault.signature) { try JSONWebToken.verify(text, key: [1, 2, 4]) }
    }

    @Test func `signed with an empty key is refused even by an empty key`() {
        let text = JSONWebToken.sign(TokenClaims(issuer: "a"), key: [])
        #expect(throws: TokenFault.signature) { try JSONWebToken.verify(text, key: []) }
    }

    @Test func `of one byte too many is not read`() {
        let longest = "!." + String(repeating: "a", count: JSONWebToken.maximumBytes - 4) + ".a"
        #expect(longest.utf8.count == JSONWebToken.maximumBytes)
        #expect(throws: TokenFault.encoding(.header)) {
            try JSONWebToken.verify(longest, key: [1])
        }
        #expect(throws: TokenFault.tooLong(bytes: JSONWebToken.maximumBytes + 1)) {
            try JSONWebToken.verify(String(repeating: "a", count: 4_097), key: [1])
        }
        #expect(throws: TokenFault.tooLong(bytes: JSONWebToken.maximumBytes + 1)) {
            try JSONWebToken.unverifiedIssuer(String(repeating: "a", count: 4_097))
        }
    }

    @Test(arguments: [
        Wrong("", .parts(1)), Wrong("a.b", .parts(2)), Wrong("a.b.c.d.e", .parts(5)),
        Wrong("a b.e30.e30", .encoding(.header)),
        Wrong("eyJhbGciOiJIUzI1NiJ9.e30=.e30", .signature),
        Wrong("e30=.e30.e30", .encoding(.header)),
        Wrong("eyJhbGciOiJIUzI1NiJ9.e30.***", .encoding(.signature)),
        Wrong("bm90anNvbg.e30.e30", .notJSON(.header)), Wrong("W10.e30.e30", .notJSON(.header)),
        Wrong("e30.e30.e30", .algorithm(nil)),
        Wrong(token(#"{"alg":"none"}"#, "{}"), .algorithm("none")),
        Wrong("eyJhbGciOiJub25lIn0.eyJpc3MiOiJtc3AtMSJ9.", .algorithm("none")),
        Wrong(token(#"{"alg":"NONE"}"#, "{}"), .algorithm("NONE")),
        Wrong(token(#"{"alg":"RS256"}"#, "{}"), .algorithm("RS256")),
        Wrong(token(#"{"alg":"hs256"}"#, "{}"), .algorithm("hs256")),
        Wrong(token(#"{"alg":"HS512"}"#, "{}"), .algorithm("HS512")),
        Wrong(token(#"{"alg":256}"#, "{}"), .algorithm(nil)),
        Wrong(token(#"{"alg":"HS256","alg":"none"}"#, "{}"), .notJSON(.header)),
        Wrong(token(#"{"alg":"HS256","crit":["b64"],"b64":false}"#, "{}"), .critical),
        Wrong(token(#"{"alg":"HS256"}"#, "{}", key: [9]), .signature),
        Wrong("eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjF9.", .signature),
        Wrong(
            token(
                #"{"alg":"HS256"}"#, "{}",
                key: Array("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".utf8)),
            .signedWithSecretText),
        Wrong(
            token(
                #"{"alg":"HS256"}"#, "{}",
                key: Array("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8".utf8)),
            .signedWithSecretText),
        Wrong(token(#"{"alg":"HS256"}"#, "[]"), .notJSON(.claims)),
        Wrong(token(#"{"alg":"HS256"}"#, #"{"iat":"1760000000"}"#), .claim("iat", found: "string")),
        Wrong(token(#"{"alg":"HS256"}"#, #"{"iat":null}"#), .claim("iat", found: "null")),
        Wrong(
            token(#"{"alg":"HS256"}"#, #"{"iat":1760000000000}"#),
            .claim("iat", found: "number too large for seconds")),
        Wrong(token(#"{"alg":"HS256"}"#, #"{"iss":7}"#), .claim("iss", found: "number")),
        Wrong(token(#"{"alg":"HS256"}"#, #"{"aud":{}}"#), .claim("aud", found: "object")),
        Wrong(
            token(#"{"alg":"HS256"}"#, #"{"aud":["a",1]}"#),
            .claim("aud", found: "array with number")),
        Wrong(token(#"{"alg":"HS256"}"#, #"{"exp":true}"#), .claim("exp", found: "boolean")),
    ])
    func `with a fault is refused by its name`(wrong: Wrong) {
        #expect(throws: wrong.fault) {
            try JSONWebToken.verify(wrong.token, key: JSONWebTokenTests.key)
        }
        #expect(!wrong.fault.sentence.isEmpty && wrong.fault.code.hasPrefix("token_"))
    }

    @Test func `whose bytes were changed never verifies as anything else`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let good = try JSONWebToken.verify(JSONWebTokenTests.good, key: JSONWebTokenTests.key)
        for round in 0..<5_000 {
            var bytes = Array(JSONWebTokenTests.good.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0..<128, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0..<128, using: &random), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text != JSONWebTokenTests.good else { continue }
            let claims = Result { try JSONWebToken.verify(text, key: JSONWebTokenTests.key) }
            #expect(throws: TokenFault.self, "seed \(seed) round \(round): \(text), not \(good)") {
                try claims.get()
            }
        }
    }
}

/// A token made elsewhere and what it says.
struct Made: Sendable {
    let token: String
    let claims: TokenClaims

    init(_ token: String, _ claims: TokenClaims) {
        self.token = token
        self.claims = claims
    }
}

/// A token and what is wrong with it.
struct Wrong: Sendable {
    let token: String
    let fault: TokenFault

    init(_ token: String, _ fault: TokenFault) {
        self.token = token
        self.fault = fault
    }
}

import DeskGateway
import DeskModel
import Testing

/// Whom a token is for, and how old it may be.
@Suite("The claims of a token")
struct TokenClaimsTests {
    static let second: Int64 = 1_760_000_000

    @Test(arguments: [
        Claim("inbound", TokenClaims(audiences: ["msp-1"], issuedAt: second), nil),
        Claim("one of two", TokenClaims(audiences: ["x", "msp-1"], issuedAt: second), nil),
        Claim("no audience", TokenClaims(issuedAt: second), .audienceMissing),
        Claim(
            "another", TokenClaims(audiences: ["MSP-1"], issuedAt: second),
            .audienceOther(["MSP-1"])),
        Claim(
            "as issuer", TokenClaims(issuer: "msp-1", issuedAt: second), .audienceMissing),
        Claim("no time", TokenClaims(audiences: ["msp-1"]), .issuedAtMissing),
        Claim("an hour old", TokenClaims(audiences: ["msp-1"], issuedAt: second - 3_600), nil),
        Claim(
            "a second more", TokenClaims(audiences: ["msp-1"], issuedAt: second - 3_601),
            .issuedTooLongAgo(.seconds(3_601))),
        Claim("an hour ahead", TokenClaims(audiences: ["msp-1"], issuedAt: second + 3_600), nil),
        Claim(
            "a second more ahead", TokenClaims(audiences: ["msp-1"], issuedAt: second + 3_601),
            .issuedInTheFuture(.seconds(3_601))),
        Claim(
            "just expired",
            TokenClaims(audiences: ["msp-1"], issuedAt: second, expires: second - 59), nil),
        Claim(
            "expired", TokenClaims(audiences: ["msp-1"], issuedAt: second, expires: second - 60),
            .expired(.seconds(60))),
        Claim(
            "nearly valid",
            TokenClaims(audiences: ["msp-1"], issuedAt: second, notBefore: second + 60), nil),
        Claim(
            "not yet valid",
            TokenClaims(audiences: ["msp-1"], issuedAt: second, notBefore: second + 61),
            .notYetValid(.seconds(61))),
    ])
    func `are judged by audience and time`(claim: Claim) {
        let now = Timestamp(seconds: TokenClaimsTests.second)
        var fault: TokenFault?
        do throws(TokenFault) {
            try claim.claims.check(audience: "msp-1", now: now, freshness: .seconds(3_600))
        } catch { fault = error }
        #expect(fault == claim.fault, "\(claim.name)")
    }

    @Test func `are judged by issuer when one is asked for`() throws {
        let now = Timestamp(seconds: TokenClaimsTests.second)
        let claims = TokenClaims(issuer: "msp-1", issuedAt: TokenClaimsTests.second)
        try claims.check(issuer: "msp-1", now: now, freshness: .seconds(1))
        #expect(throws: TokenFault.issuerOther("msp-1")) {
            try claims.check(issuer: "msp-2", now: now, freshness: .seconds(1))
        }
        #expect(throws: TokenFault.issuerMissing) {
            try TokenClaims(issuedAt: 1).check(issuer: "a", now: now, freshness: .seconds(1))
        }
    }

    @Test func `of an untrusted token are quoted short and without control characters`() {
        let sentence = TokenFault.issuerOther("a\r\nb" + String(repeating: "c", count: 100))
            .sentence
        #expect(sentence.contains("\"a\u{FFFD}\u{FFFD}bccc"))
        #expect(!sentence.utf8.contains { $0 < 0x20 } && sentence.contains("…"))
        #expect(sentence.unicodeScalars.count < 110)
    }
}

/// Claims and what is wrong with them.
struct Claim: Sendable {
    let name: String
    let claims: TokenClaims
    let fault: TokenFault?

    init(_ name: String, _ claims: TokenClaims, _ fault: TokenFault?) {
        self.name = name
        self.claims = claims
        self.fault = fault
    }
}

import DeskCrypto
import DeskModel

/// What an ID token must say to be the answer to a sign-in that began here (OpenID Connect Core 1.0,
/// section 3.1.3.7).
struct IDTokenRules: Sendable {
    /// How far the clocks of both ends may be apart.
    static let leeway = Duration.seconds(60)
    /// How old a token may be: some providers date them back by minutes.
    static let oldest = Duration.seconds(15 * 60)

    /// The provider's own name.
    let issuer: String
    /// Our name there.
    let client: String
    /// What the sign-in was begun with.
    let nonce: String

    /// Judges claims whose signature was verified, and returns who the person is.
    ///
    /// - Throws: the first thing that is wrong.
    func check(_ claims: IDClaims, at now: Timestamp) throws(IDTokenFault) -> Identity {
        guard let found = claims.issuer else { throw .claimMissing }
        guard found.utf8.elementsEqual(issuer.utf8) else { throw .issuer }
        guard !claims.audiences.isEmpty else { throw .claimMissing }
        guard claims.audiences.contains(where: isOurs) else { throw .audience }
        if let presenter = claims.authorizedClient {
            guard isOurs(presenter) else { throw .authorizedClient }
        } else if claims.audiences.count > 1 {
            throw .authorizedClient
        }
        try checkTimes(claims, now)
        guard let nonce = claims.nonce else { throw .claimMissing }
        guard constantTimeEquals(Array(nonce.utf8), Array(self.nonce.utf8)) else { throw .nonce }
        guard let subject = claims.subject else { throw .claimMissing }
        // A NUL ends a text in PostgreSQL.
        guard (1...Identity.subjectBytes).contains(subject.utf8.count), !subject.utf8.contains(0)
        else { throw .subject }
        return Identity(issuer: issuer, subject: subject)
    }

    private func checkTimes(_ claims: IDClaims, _ now: Timestamp) throws(IDTokenFault) {
        guard let expires = claims.expires, let issuedAt = claims.issuedAt else {
            throw .claimMissing
        }
        guard now.since(Timestamp(seconds: expires)) < Self.leeway else { throw .expired }
        let age = now.since(Timestamp(seconds: issuedAt))
        guard age >= .zero - Self.leeway else { throw .tooEarly }
        guard age <= Self.oldest + Self.leeway else { throw .tooOld }
        if let notBefore = claims.notBefore {
            guard Timestamp(seconds: notBefore).since(now) <= Self.leeway else { throw .tooEarly }
        }
    }

    private func isOurs(_ name: String) -> Bool { name.utf8.elementsEqual(client.utf8) }
}

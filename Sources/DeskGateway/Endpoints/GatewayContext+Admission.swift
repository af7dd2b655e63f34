import DeskBroker
import DeskHTTP
import DeskLinks
import DeskModel

extension GatewayContext {
    /// Verifies the token and finds the link that it names (protocol page 1.4).
    ///
    /// - Throws: 401 without a token, 403 for a wrong one or another's business.
    mutating func admit() async throws(GatewayRefusal) -> GatewayLink {
        let link = try authenticate()
        try enter(by: link)
        try await misbehave()
        return link
    }

    /// Admits an authenticated request, if there is room and its link's budget is not used up.
    mutating func enter(by link: GatewayLink) throws(GatewayRefusal) {
        self.link = link
        isAuthenticated = true
        guard demand != .reads else { return }
        if demand == .stores, parts.watch.isFull {
            parts.watch.noteRefused()
            throw .storageFull
        }
        let verdict = parts.rate.take(from: link.id, at: begin)
        guard verdict.isAllowed else {
            throw GatewayRefusal(
                .tooManyRequests, "more requests came than this registration may send",
                retryAfterSeconds: verdict.retryAfter.wholeSeconds)
        }
    }

    private mutating func authenticate() throws(GatewayRefusal) -> GatewayLink {
        let text = try bearer()
        let issuer: String
        do throws(TokenFault) {
            issuer = try JSONWebToken.unverifiedIssuer(text)
        } catch {
            throw GatewayRefusal(.forbidden, error.sentence)
        }
        let candidates = parts.links.find(.provider, mspID: issuer)
        guard let first = candidates.first else {
            throw GatewayRefusal(.forbidden, "no app registration has the MSP id in claim iss")
        }
        let chosen = try choose(candidates)
        link = chosen ?? first
        let named = chosen ?? first
        do throws(TokenFault) {
            let claims = try JSONWebToken.verify(text, key: named.secret)
            try claims.check(
                issuer: named.mspID, now: parts.tokenClock(),
                freshness: .seconds(LinkSettings(named.settings).freshnessSeconds))
        } catch {
            remark("The token is refused: \(error.sentence)")
            throw GatewayRefusal(.forbidden, error.sentence)
        }
        guard chosen != nil else {
            throw GatewayRefusal(
                .forbidden, "source-id is no business of this MSP; expected \(first.business.text)")
        }
        return named
    }

    /// The token of the request.
    package func bearer() throws(GatewayRefusal) -> String {
        guard let field = try find("authorization") else {
            throw GatewayRefusal(.unauthorized, "the header Authorization is missing")
        }
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw GatewayRefusal(.forbidden, "Authorization must be Bearer and a token")
        }
        return String(words[1])
    }

    /// The link of the business that `source-id` names; without the field the only one.
    private func choose(_ candidates: [GatewayLink]) throws(GatewayRefusal) -> GatewayLink? {
        guard let source = try find("source-id") else {
            guard candidates.count == 1 else {
                throw GatewayRefusal(.badRequest, "the header source-id is missing")
            }
            return candidates[0]
        }
        let name = source.hasPrefix("urn:biz:") ? String(source.dropFirst(8)) : source
        guard let business = BusinessID(name) else { return nil }
        return candidates.first { $0.business == business }
    }
}

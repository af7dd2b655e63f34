import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// A second server over one store, which knows what the first one gave out: another node, or the next
/// start.
@Suite struct SharedSecretTests {
    /// What another process over the same store would put together.
    private static func second(_ first: TestServer) async throws -> (Services, SharedSecrets) {
        let secrets = try await SharedSecrets(of: first.store)
        let services = Services(
            broker: first.services.broker, rulebook: TestFiles.rulebook,
            publicURL: first.services.publicURL, secrets: secrets, time: first.services.time)
        return (services, secrets)
    }

    @Test func `both hand a customer's phone the same next token, and either accepts it`()
        async throws
    {
        let first = try await TestServer()
        let (second, _) = try await Self.second(first)
        let conversation = try await first.makeConversation()
        let token = Token.make()
        try await first.store.add(
            Session(
                token: token.digest, subject: .customer(conversation.id), createdAt: first.time.now,
                expiresAt: first.time.now.advanced(by: .seconds(30 * 86_400))), author: .server)
        first.time.advance(by: .seconds(86_401))
        var next: [Token?] = []
        for services in [first.services, second] {
            let found = try await services.customerSessions.find(
                token, of: first.business.id, keepsAlive: true)
            next.append(found?.renewal)
        }
        let renewal = try #require(next[0])
        #expect(next[1]?.text == renewal.text && renewal.text != token.text)
        for services in [first.services, second] {
            let found = try await services.customerSessions.find(
                renewal, of: first.business.id, keepsAlive: true)
            #expect(found?.conversation.id == conversation.id)
        }
    }

    @Test func `a join code of one is typed and drawn at the other`() async throws {
        let first = try await TestServer()
        let (_, secrets) = try await Self.second(first)
        let text = JoinCodeText(id: "code", key: first.secrets.joinCodes)
        #expect(JoinCodeText(id: "code", key: secrets.joinCodes) == text)
        let now = first.time.now
        try await first.store.add(
            JoinCode(
                id: "code", business: first.business.id, link: text.linkDigest,
                locator: text.locator, typed: text.proofDigest, createdAt: now,
                expiresAt: now.advanced(by: .seconds(600)), uses: 3), author: .server)
        let read = try #require(JoinCodeText.read(text.typed))
        let found = try await first.store.typeJoinCode(
            locator: read.locator,
            typed: JoinCodeText.proofDigest(of: read.proof, key: secrets.joinCodes), at: now)
        #expect(found?.id == "code")
        // A plain digest of five letters could be searched by anyone who reads the store.
        #expect(text.proofDigest != .sha256(Array(text.proof.utf8)))
        #expect(
            text.proofDigest != JoinCodeText.proofDigest(of: text.proof, key: [1]))
    }
}

public import DeskModel
import DeskStore

/// Links that work once: the first owner's, and an invited member's.
public struct OneTimeLinks: Sendable {
    private let services: Services

    /// Makes and opens links of a house.
    public init(services: Services) { self.services = services }

    /// Makes the link that creates the first owner; it lives until it is used or an owner is there.
    public func makeSetupLink() async throws(Problem) -> String {
        let token = try await begin(.setup, for: .seconds(365 * 86_400))
        return "\(services.publicURL.origin)/console#setup=\(token.text)"
    }

    /// Makes the link by which an invited person sets name and password.
    public func makeInvitation(for agent: AgentID) async throws(Problem) -> String {
        let life = Duration.seconds(services.limits.invitationDays * 86_400)
        let token = try await begin(.invitation(agent), for: life)
        return "\(services.publicURL.origin)/console#invite=\(token.text)"
    }

    /// Looks whom a link is for, without using it up; nil for a dead one.
    func findSubject(_ text: String) async throws(Problem) -> SessionSubject? {
        guard let token = Token(text) else { return nil }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findSession(token.digest)
        }
        guard let found, found.expiresAt > services.time.latest() else { return nil }
        return found.subject
    }

    /// Uses a link up; of several callers exactly one succeeds.
    func take(_ text: String) async throws(Problem) -> Bool {
        guard let token = Token(text) else { return false }
        let taken = try await services.asking { store throws(StoreError) in
            try await store.takeSession(token.digest)
        }
        return taken != nil
    }

    private func begin(
        _ subject: SessionSubject, for life: Duration
    ) async throws(Problem) -> Token {
        let token = Token.make()
        let now = services.time.latest()
        let session = Session(
            token: token.digest, subject: subject, createdAt: now,
            expiresAt: now.advanced(by: life))
        try await services.asking { store throws(StoreError) in try await store.add(session) }
        return token
    }
}

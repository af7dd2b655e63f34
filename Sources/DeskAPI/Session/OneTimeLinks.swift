import DeskModel
import DeskStore
public import DeskWeb

/// Links that work once: for the first owner, for an invitation, and from the operator for a new
/// password.
public struct OneTimeLinks: Sendable {
    private let services: Services

    /// Makes and opens links of a server.
    public init(services: Services) { self.services = services }

    /// Makes the link that creates the first owner; it lives until it is used or an owner is there.
    public func makeSetupLink() async throws(Problem) -> String {
        let token = try await begin(.setup, for: .seconds(365 * 86_400))
        return "\(services.publicURL.origin)/console#setup=\(token.text)"
    }

    /// How long a link to a new password works that its person asked for.
    static let passwordMinutes = 30

    /// Makes a link by which a person sets a new password for an account, once.
    func makePasswordLink(for agent: AgentID) async throws(Problem) -> String {
        let life = Duration.seconds(Self.passwordMinutes * 60)
        return invitationURL(try await begin(.newPassword(agent), for: life))
    }

    /// The address of a link with this token.
    func invitationURL(_ token: Token) -> String {
        "\(services.publicURL.origin)/console#invite=\(token.text)"
    }

    /// What a link leads to.
    enum Target: Sendable {
        /// The first owner's account.
        case setup
        /// A membership.
        case invitation(Invitation)
        /// A new password for an account.
        case newPassword(Agent)
    }

    /// Finds what a link is for, without using it up; nil for one that is used, expired or unknown.
    func find(_ text: String) async throws(Problem) -> Target? {
        guard let token = Token(text) else { return nil }
        let now = services.time.latest()
        return try await services.asking { store throws(StoreError) in
            if let invitation = try await store.findInvitation(token.digest) {
                return invitation.expiresAt > now ? .invitation(invitation) : nil
            }
            guard let session = try await store.findSession(token.digest), session.expiresAt > now
            else { return nil }
            switch session.subject {
            case .setup: return .setup
            case .newPassword(let id): return try await store.findAgent(id).map { .newPassword($0) }
            case .agent, .customer, .sandbox: return nil
            }
        }
    }

    /// Uses a link for the first owner or a new password up; of several callers exactly one succeeds.
    func take(_ text: String, author: Author) async throws(Problem) -> Bool {
        guard let token = Token(text) else { return false }
        let taken = try await services.asking { store throws(StoreError) in
            try await store.takeSession(token.digest, author: author)
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
        try await services.asking { store throws(StoreError) in
            try await store.add(session, author: .server)
        }
        return token
    }
}

extension Problem {
    static let deadLink = Problem(
        .unauthenticated, "This link is used up, too old, or was never given.")
}

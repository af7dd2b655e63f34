public import DeskModel
package import DeskStore

/// The sessions of signed-in agents: idle 30 minutes, 8 hours in all.
public struct AgentSessions: Sendable {
    private let store: any Store
    private let time: TimeSource
    private let limits: WebLimits

    package init(store: any Store, time: TimeSource, limits: WebLimits) {
        self.store = store
        self.time = time
        self.limits = limits
    }

    /// Makes a session with a new token, which begins when it is stored.
    package func make(for agent: AgentID, isByPasskey: Bool) -> (token: Token, session: Session) {
        let token = Token.make()
        let now = time.latest()
        let session = Session(
            token: token.digest, subject: .agent(agent), createdAt: now,
            expiresAt: now.advanced(by: idle), isByPasskey: isByPasskey)
        return (token, session)
    }

    /// Begins a session with a new token.
    public func begin(
        for agent: AgentID, isByPasskey: Bool = false
    ) async throws(Problem) -> Token {
        let (token, session) = make(for: agent, isByPasskey: isByPasskey)
        do {
            try await store.add(session, author: session.subject.author)
        } catch {
            throw Problem(error)
        }
        return token
    }

    /// Finds the agent of a session that has not expired; `keepsAlive` counts the request as use.
    public func findPrincipal(
        _ token: Digest, keepsAlive: Bool
    ) async throws(Problem) -> AgentPrincipal? {
        do {
            let now = time.latest()
            guard let session = try await store.findLiveSession(token, at: now),
                case .agent(let id) = session.subject
            else { return nil }
            let end = session.createdAt.advanced(by: .seconds(limits.sessionHours * 3_600))
            guard now < end, let agent = try await store.findAgent(id) else { return nil }
            let memberships = try await store.memberships(of: id)
            // Use is stored once a minute at most, so that a read rarely causes a write.
            if keepsAlive, now.since(session.usedAt) >= .seconds(60) {
                try await store.touchSessionIfRoom(
                    token, at: now, until: min(now.advanced(by: idle), end),
                    author: session.subject.author)
            }
            // Where a second factor is required, a member without one has no role; a passkey is one.
            let open = memberships.filter { session.isByPasskey || !$0.lacksSecondFactor }
            return AgentPrincipal(
                agent: agent,
                roles: Dictionary(
                    open.map { ($0.business, PrincipalRole($0.role)) }, uniquingKeysWith: { $1 }),
                session: token, isByPasskey: session.isByPasskey,
                waiting: open.count == memberships.count
                    ? [] : Set(memberships.filter(\.lacksSecondFactor).map(\.business)))
        } catch {
            throw Problem(error)
        }
    }

    /// Ends one session.
    public func end(_ token: Digest, author: Author) async throws(Problem) {
        do {
            _ = try await store.takeSession(token, author: author)
        } catch {
            throw Problem(error)
        }
    }

    private var idle: Duration { .seconds(limits.sessionIdleMinutes * 60) }
}

extension SessionRegistry {
    /// Remembers that a session was used; while the disk is full it is not, and reading continues.
    func touchSessionIfRoom(
        _ token: Digest, at time: Timestamp, until: Timestamp, author: Author
    ) async throws(StoreError) {
        do throws(StoreError) {
            try await touchSession(token, at: time, until: until, author: author)
        } catch {
            guard error.code == .full else { throw error }
        }
    }
}

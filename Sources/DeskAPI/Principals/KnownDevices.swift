import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// The browsers that agents signed in with before, stored by the hash of their cookie.
///
/// A device is known to the accounts that signed in with it, and to no other. Limit: 32 for each
/// account; a device is forgotten after 180 days without a sign-in.
struct KnownDevices: Sendable {
    let services: Services

    /// The device of a request, and the accounts that know it; nil when the request has no device
    /// cookie.
    func find(
        of request: Request
    ) async throws(Problem) -> (token: Token, agents: [AgentID])? {
        try await find(BrowserTokens(of: request, services).device)
    }

    /// The device that a browser carries, and the accounts that know it.
    func find(
        _ shown: Token?
    ) async throws(Problem) -> (token: Token, agents: [AgentID])? {
        guard let token = shown else { return nil }
        let since = oldest
        let agents = try await services.asking { store throws(StoreError) in
            try await store.agents(knownOn: token.digest, since: since)
        }
        return (token, agents)
    }

    /// Remembers that an agent signed in with the device that showed a token; returns what its cookie
    /// carries.
    ///
    /// A token that was not of our making is replaced. While the disk is full nothing is remembered,
    /// and signing in continues.
    func remember(_ agent: AgentID, shown: Token?) async throws(Problem) -> Token {
        let known = try await find(shown)
        let token = known.flatMap { $0.agents.isEmpty ? nil : $0.token } ?? Token.make()
        let (now, most) = (services.time.latest(), services.limits.web.devicesPerAccount)
        try await services.asking { store throws(StoreError) in
            do throws(StoreError) {
                try await store.rememberDevice(token.digest, of: agent, at: now, atMost: most)
            } catch {
                guard error.code == .full else { throw error }
            }
        }
        return token
    }

    private var oldest: Timestamp {
        services.time.latest().advanced(by: .seconds(-services.limits.web.deviceDays * 86_400))
    }
}

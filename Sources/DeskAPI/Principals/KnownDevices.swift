import DeskHTTP
import DeskModel
import DeskStore

/// The browsers that agents signed in with before, kept by the hash of their cookie.
///
/// A device is known to the accounts that were signed in to with it and to no other. At most 32
/// an account, each forgotten when it was not signed in with for 180 days.
struct KnownDevices: Sendable {
    let services: Services

    /// A device that a request shows, and whom it is known to; nil when it shows none.
    func find(
        of request: Request
    ) async throws(Problem) -> (token: Token, agents: [AgentID])? {
        let name = DeviceCookie.name(isSecure: services.isSecure(request))
        guard let token = request.cookies[name].flatMap({ Token($0) }) else { return nil }
        let since = oldest
        let agents = try await services.asking { store throws(StoreError) in
            try await store.agents(knownOn: token.digest, since: since)
        }
        return (token, agents)
    }

    /// Remembers that an agent signed in with a request's device; returns what its cookie carries.
    ///
    /// A token that was not of our making is replaced. While the disk is full nothing is remembered,
    /// and signing in continues.
    func remember(_ agent: AgentID, on request: Request) async throws(Problem) -> Token {
        let shown = try await find(of: request)
        let token = shown.flatMap { $0.agents.isEmpty ? nil : $0.token } ?? Token.make()
        let (now, most) = (services.time.latest(), services.limits.devicesPerAccount)
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
        services.time.latest().advanced(by: .seconds(-services.limits.deviceDays * 86_400))
    }
}

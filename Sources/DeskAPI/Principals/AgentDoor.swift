public import DeskHTTP
import DeskModel

/// The way in for people: the session cookie.
public struct AgentAuthenticator: Door {
    private let services: Services

    /// Opens the door to the sessions of a server.
    public init(services: Services) { self.services = services }

    /// Finds the agent of a living session, and keeps the session alive.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        let name = AgentCookie.name(isSecure: services.isSecure(request))
        guard let text = request.cookies[name], let token = Token(text) else { return nil }
        return try await services.agentSessions.findPrincipal(token.digest, keepsAlive: true)
            .map { .agent($0) }
    }
}

public import DeskHTTP
import DeskModel
public import DeskWeb

/// Authenticates people by their session cookie.
public struct AgentAuthenticator: Authenticator {
    private let services: Services

    /// Authenticates against the sessions of a server.
    public init(services: Services) { self.services = services }

    /// Finds the agent of a session that has not expired, and extends the session.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        let name = AgentCookie.name(isSecure: services.isSecure(request))
        guard let text = request.cookies[name], let token = Token(text) else { return nil }
        return try await services.agentSessions.findPrincipal(token.digest, keepsAlive: true)
            .map { Authenticated(.agent($0)) }
    }
}

public import DeskHTTP
import DeskModel
public import DeskWeb

/// Authenticates people by their session cookie.
public struct AgentAuthenticator: Authenticator {
    /// The header of a request that a service worker makes without a person.
    static let unattended = "x-unattended"

    private let services: Services

    /// Authenticates against the sessions of a server.
    public init(services: Services) { self.services = services }

    /// Finds the agent of a session that has not expired, and extends the session unless the request is unattended.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        let name = AgentCookie.name(isSecure: services.isSecure(request))
        guard let text = request.cookies[name], let token = Token(text) else { return nil }
        let isAttended = !request.headers.contains(Self.unattended)
        return try await services.agentSessions.findPrincipal(token.digest, keepsAlive: isAttended)
            .map { Authenticated(.agent($0)) }
    }
}

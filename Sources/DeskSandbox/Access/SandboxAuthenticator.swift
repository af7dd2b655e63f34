public import DeskAPI
public import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

/// Authenticates visitors of the sandbox page by its cookie, or by nothing where only this machine
/// can connect.
public struct SandboxAuthenticator: Authenticator {
    private let services: Services
    private let sandbox: Sandbox

    /// Authenticates against the sessions of a sandbox.
    public init(services: Services, sandbox: Sandbox) {
        self.services = services
        self.sandbox = sandbox
    }

    /// Finds the visitor; nil when the server has no sandbox.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        guard sandbox.isOffered else { return nil }
        let hasCookie = try await hasSession(request)
        guard hasCookie || sandbox.isOpen(for: request) else { return nil }
        return Authenticated(
            .sandbox(SandboxPrincipal(business: sandbox.business, hasCookie: hasCookie)))
    }

    private func hasSession(_ request: Request) async throws(Problem) -> Bool {
        let name = SandboxCookie.name(isSecure: services.isSecure(request))
        guard let token = request.cookies[name].flatMap({ Token($0) }) else { return false }
        let session = try await services.asking { store throws(StoreError) in
            try await store.findSession(token.digest)
        }
        guard let session, session.subject == .sandbox else { return false }
        return services.time.latest() < session.expiresAt
    }
}

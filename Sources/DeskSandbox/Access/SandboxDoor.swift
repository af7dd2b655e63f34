public import DeskAPI
public import DeskHTTP
import DeskModel
import DeskStore

/// The way in for the sandbox page: its cookie, or nothing where only this machine can knock.
public struct SandboxAuthenticator: Door {
    private let services: Services
    private let sandbox: Sandbox

    /// The business that the sandbox plays with.
    var business: BusinessID { sandbox.business }

    /// Opens the door of a sandbox.
    public init(services: Services, sandbox: Sandbox) {
        self.services = services
        self.sandbox = sandbox
    }

    /// Finds the visitor; nobody when there is no sandbox.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        guard sandbox.isOffered else { return nil }
        if try await hasSession(request) {
            return .sandbox(SandboxPrincipal(business: sandbox.business, hasCookie: true))
        }
        guard sandbox.isOpen(for: request) else { return nil }
        return .sandbox(SandboxPrincipal(business: sandbox.business, hasCookie: false))
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

import DeskHTTP

/// Looks again whether the credential of a long request still holds; never keeps a session alive.
public struct PrincipalWatch: Sendable {
    private let request: Request
    private let principal: Principal?
    private let services: Services
    private let doors: Authenticators

    init(request: Request, principal: Principal?, services: Services, doors: Authenticators) {
        self.request = request
        self.principal = principal
        self.services = services
        self.doors = doors
    }

    /// Whether the same principal with the same rights would be let in now; no when nobody can tell.
    public func holds() async -> Bool {
        do {
            switch principal {
            case nil: return true
            case .agent(let agent):
                let now = try await services.agentSessions.findPrincipal(
                    agent.session, keepsAlive: false)
                return now?.roles == agent.roles
            case .key(let key):
                let now = try await doors.key.findPrincipal(of: request)
                return now?.businesses == key.businesses
            case .sandbox(let sandbox):
                let now = try await doors.sandbox.findPrincipal(of: request)
                return now?.belongs(to: sandbox.business) ?? false
            case .customer(let customer):
                guard case .customer(let now) = try await doors.customer.findPrincipal(of: request)
                else { return false }
                return now.conversation == customer.conversation
            }
        } catch {
            return false
        }
    }
}

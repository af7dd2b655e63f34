import DeskBroker
public import DeskHTTP
public import DeskModel
public import DeskWeb

/// Decides who calls a route and for which business: the credentials, the roles and the permissions
/// of this server.
public final class RequestAuthorizer: Authorizer {
    private let services: Services
    private let authenticators: Authenticators
    private let table: PermissionTable

    /// Authorizes with a server's authenticators and its table of permissions.
    public init(services: Services, authenticators: Authenticators) {
        self.services = services
        self.authenticators = authenticators
        table = services.permissions
    }

    /// The head of the log now.
    public var head: EventID { services.broker.head }

    /// Authenticates the caller of a request and checks the permission that its route demands.
    public func authorize(
        _ request: Request, _ rule: AccessRule, caller: inout KeyID?
    ) async throws(Problem) -> Access {
        switch rule.source {
        case .none where rule.admits(.anyone): return Access()
        case .session: return try await authorizeCustomer(request, rule)
        case .sandbox: return try await authorizeForSandbox(request, rule)
        case .none, .any, .query, .path, .conversation:
            return try await authorizeForBusiness(request, rule, &caller)
        }
    }

    /// Whether the same principal would have the same permissions now; no when that cannot be found out.
    public func stillHolds(_ principal: Principal?, of request: Request) async -> Bool {
        do {
            switch principal {
            case nil: return true
            case .agent(let agent):
                let now = try await services.agentSessions.findPrincipal(
                    agent.session, keepsAlive: false)
                return now?.roles == agent.roles
            case .key(let key):
                let now = try await authenticators.key.authenticate(request)?.principal
                return now?.businesses == key.businesses
            case .sandbox(let sandbox):
                let now = try await authenticators.sandbox.authenticate(request)?.principal
                return now?.belongs(to: sandbox.business) ?? false
            case .customer(let customer):
                guard
                    case .customer(let now) = try await authenticators.customer
                        .authenticate(request)?.principal
                else { return false }
                return now.conversation == customer.conversation
            }
        } catch {
            return false
        }
    }

    /// Gives a customer's phone the next token of its session, where one is due.
    public func finish(_ response: inout Response, to request: Request, _ access: Access) {
        guard case .customer(let phone) = access.principal, let token = phone.renewal else {
            return
        }
        PhoneCookie.hand(token, to: phone.business, by: &response, for: request, services)
    }

    // MARK: Customers and the sandbox

    private func authorizeCustomer(
        _ request: Request, _ rule: AccessRule
    ) async throws(Problem) -> Access {
        guard let found = try await authenticators.customer.authenticate(request) else {
            guard rule.admits(.anyone) else { throw .missingCredential }
            return Access()
        }
        guard case .customer(let phone) = found.principal, rule.admits(.customer) else {
            throw .missingPermission(found.principal, rule, table)
        }
        // Before a body is read: nothing of a blocked customer is stored.
        if request.method != .get, found.conversation?.blockedAt != nil {
            throw Problem(.customerBlocked)
        }
        return Access(
            found.principal, business: phone.business, conversation: found.conversation)
    }

    private func authorizeForSandbox(
        _ request: Request, _ rule: AccessRule
    ) async throws(Problem) -> Access {
        let visitor = try await authenticators.sandbox.authenticate(request)
        let agent = visitor == nil ? try await authenticators.agent.authenticate(request) : nil
        guard let principal = (visitor ?? agent)?.principal else { throw .missingCredential }
        guard let business = authenticators.sandboxBusiness,
            let role = principal.role(in: business), rule.admits(role)
        else { throw .missingPermission(principal, rule, table) }
        return Access(principal, business: business)
    }

    // MARK: Businesses

    private func authorizeForBusiness(
        _ request: Request, _ rule: AccessRule, _ caller: inout KeyID?
    ) async throws(Problem) -> Access {
        // A key that was sent is the only credential: a request with a wrong key is refused, even
        // where the cookie would do.
        if request.headers.contains("authorization") {
            guard let found = try await authenticators.key.authenticate(request) else {
                throw .missingCredential
            }
            if case .key(let key) = found.principal {
                caller = key.id
                guard !rule.admits(.key) || rule.admits(key.scopes) else {
                    throw .missingScope(key, rule)
                }
            }
            return try await access(of: found.principal, request, rule)
        }
        let agent = try await authenticators.agent.authenticate(request)?.principal
        let sandbox =
            rule.admits(.sandbox)
            ? try await authenticators.sandbox.authenticate(request)?.principal : nil
        guard let first = agent ?? sandbox else { throw .missingCredential }
        guard agent != nil, let sandbox else { return try await access(of: first, request, rule) }
        // A person who has both may have opened the sandbox page without being its member.
        do {
            return try await access(of: first, request, rule)
        } catch {
            guard error.code == .notFound || error.code == .forbidden else { throw error }
            return try await access(of: sandbox, request, rule)
        }
    }

    /// Checks the permission of a principal for what a request is about.
    private func access(
        of principal: Principal, _ request: Request, _ rule: AccessRule
    ) async throws(Problem) -> Access {
        if principal.role != .person || rule.source == .none {
            // What no principal of this kind may do is refused before the business is looked at.
            guard rule.admits(principal.role) else {
                throw .missingPermission(principal, rule, table)
            }
        }
        switch rule.source {
        case .none, .session, .sandbox: return Access(principal)
        case .any:
            guard rule.admits(anyRoleOf: principal) else {
                throw .missingPermission(principal, rule, table)
            }
            return Access(principal)
        case .query:
            if let text = request.query["business"] {
                let id = try check(principal, in: BusinessID(text), rule)
                return Access(principal, business: id)
            }
            guard principal.isWithoutBusiness || rule.admits(anyRoleOf: principal) else {
                throw .missingPermission(principal, rule, table)
            }
            return Access(principal)
        case .path:
            let id = request.parameters["business"].flatMap { BusinessID($0) }
            return Access(principal, business: try check(principal, in: id, rule))
        case .conversation:
            guard let id = request.parameters["conversation"].flatMap({ ConversationID($0) }),
                let found = try await services.findConversation(id)
            else { throw .notFound }
            let business = try check(principal, in: found.business, rule)
            return Access(principal, business: business, conversation: found)
        }
    }

    /// A business of the principal's in which its role has the permission; 404 for others' businesses.
    private func check(
        _ principal: Principal, in business: BusinessID?, _ rule: AccessRule
    ) throws(Problem) -> BusinessID {
        guard let business, let role = principal.role(in: business) else { throw .notFound }
        guard rule.admits(role) else {
            throw .missingPermission(principal, rule, table, in: business)
        }
        return business
    }
}

extension AccessRule {
    /// Whether a principal has the permission in any of its businesses.
    fileprivate func admits(anyRoleOf principal: Principal) -> Bool {
        switch principal {
        case .agent(let agent): agent.roles.values.contains { admits($0) }
        case .key, .sandbox, .customer: admits(principal.role)
        }
    }
}

extension Principal {
    /// Whether it is a person who is no member of any business.
    fileprivate var isWithoutBusiness: Bool {
        if case .agent(let agent) = self { agent.roles.isEmpty } else { false }
    }
}

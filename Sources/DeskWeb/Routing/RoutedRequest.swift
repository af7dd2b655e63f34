public import DeskHTTP
package import DeskLog
public import DeskModel

/// One authorized request, with what the pipeline found out about it.
///
/// One object: handlers pass it on many times, and a copy of all its parts is dozens of counts.
public final class RoutedRequest<Services: WebServices>: Sendable {
    /// The request.
    public let request: Request
    /// What it is about: who calls, which business, which conversation.
    public let access: Access
    /// The log's head, read before the conversation; on routes that ask for it.
    public let head: EventID?
    /// What all handlers share.
    public let services: Services
    /// Checks again whether the credential is still good, for streams.
    public let watch: PrincipalWatch
    /// Names the request.
    public let trace: RequestTrace
    private let rule: AccessRule

    /// Puts a context together; the request pipeline does it.
    public init(
        request: Request, access: Access, rule: AccessRule, head: EventID? = nil,
        services: Services, watch: PrincipalWatch,
        trace: RequestTrace = RequestTrace(number: 1, parent: nil)
    ) {
        self.request = request
        self.access = access
        self.rule = rule
        self.head = head
        self.services = services
        self.watch = watch
        self.trace = trace
    }

    /// Whether cookies of this request may and must be for TLS only.
    package var isSecure: Bool { services.isSecure(request) }

    /// Who calls; nil on public routes.
    public var principal: Principal? { access.principal }

    /// The conversation of the path or of the customer's session; nil for a customer who has not
    /// written yet, and on routes of other sources.
    public var conversation: Conversation? { access.conversation }

    /// A log whose lines name the request, and in `by` who sent it where that is known.
    package var log: Log {
        let log = trace.log(services.log)
        return principal.map { log.with("by", .text($0.credential)) } ?? log
    }

    /// The principal, on routes that demand one.
    public func requirePrincipal() throws(Problem) -> Principal {
        guard let principal else { throw Problem.missingCredential }
        return principal
    }

    /// The agent, on routes that demand one.
    public func requireAgent() throws(Problem) -> AgentPrincipal {
        guard case .agent(let agent) = principal else { throw Problem.missingCredential }
        return agent
    }

    /// The customer, on routes that demand one.
    public func requireCustomer() throws(Problem) -> CustomerPrincipal {
        guard case .customer(let customer) = principal else { throw Problem.missingCredential }
        return customer
    }

    /// The conversation, on routes about one.
    public func requireConversation() throws(Problem) -> Conversation {
        guard let conversation else { throw .notFound }
        return conversation
    }

    /// The log's head, on routes that ask for it.
    public func requireHead() -> EventID {
        guard let head else { preconditionFailure("the route does not ask for the head") }
        return head
    }

    /// The businesses that the request is about: the one that it names, else every business in which
    /// the caller has the route's permission.
    public var businesses: Set<BusinessID> {
        if let business = access.business { return [business] }
        return principal?.businesses.filter { isPermitted(in: $0) } ?? []
    }

    /// Whether the caller has the route's permission in a business, such as one that a body names.
    public func isPermitted(in business: BusinessID) -> Bool {
        principal?.role(in: business).map(rule.admits) ?? false
    }

    /// The roles of members that have the route's permission.
    ///
    /// A store that makes the change asks with them again, in the transaction.
    public var permittedRoles: Set<Role> { Set(rule.roles.compactMap(\.member)) }

    /// The business that the request names; on public routes that of the path.
    ///
    /// - Throws: `not_found` when it names none.
    public func requireBusinessID() throws(Problem) -> BusinessID {
        if let business = access.business { return business }
        guard let id = request.parameters["business"].flatMap({ BusinessID($0) }) else {
            throw .notFound
        }
        return id
    }

    /// Loads a conversation that a query or a body names.
    ///
    /// - Throws: `not_found` when there is none, or the caller lacks the permission in its business.
    public func requireConversation(named text: String?) async throws(Problem) -> Conversation {
        guard let id = text.flatMap({ ConversationID($0) }) else { throw .notFound }
        let found = try await services.findConversation(id)
        guard let found, isPermitted(in: found.business) else { throw .notFound }
        return found
    }

    /// The whole body as bytes, whatever its type.
    public func bytes() async throws(Problem) -> [UInt8] {
        try refusePacked()
        do {
            return try await request.body.collect(upTo: request.body.limit)
        } catch {
            throw Problem(error)
        }
    }

    /// The same context with a body that was read already.
    func with(body bytes: [UInt8]) -> RoutedRequest {
        var request = request
        let limit = request.body.limit
        request.body = RequestBody(bytes)
        request.body.limit = limit
        return RoutedRequest(
            request: request, access: access, rule: rule, head: head, services: services,
            watch: watch, trace: trace)
    }

    /// Refuses a body that would have to be unpacked: a few bytes could become any number.
    package func refusePacked() throws(Problem) {
        guard request.headers.contains("content-encoding") else { return }
        throw Problem(.unsupportedMediaType, "Send the body as it is, without Content-Encoding.")
    }

    /// The whole body of a request that says it is JSON.
    public func jsonBytes() async throws(Problem) -> [UInt8] {
        guard MediaType.isJSON(request.headers.first("content-type")) else {
            throw Problem(
                .unsupportedMediaType, "Send JSON with the header Content-Type: application/json.")
        }
        return try await bytes()
    }
}

extension Problem {
    /// A route that demands a principal was called without a valid credential.
    package static let missingCredential = Problem(
        .unauthenticated, "Sign in, or send an API key as Authorization: Bearer fd_….")
}

public import DeskHTTP
import DeskLog
public import DeskModel

/// One request whose right was proved, with what the proof found.
///
/// One object: handlers pass it on many times, and a copy of all its parts is dozens of counts.
public final class RequestContext: Sendable {
    /// The request.
    public let request: Request
    /// Who asks; nil on public routes.
    public let principal: Principal?
    /// The conversation of the path, on routes with the right `conversation`.
    public let conversation: Conversation?
    /// What all handlers share.
    public let services: Services
    /// Looks again whether the credential still holds, for streams.
    public let watch: PrincipalWatch
    /// Names the request.
    public let trace: RequestTrace

    /// Puts a call together; the route table does it.
    public init(
        request: Request, principal: Principal?, conversation: Conversation? = nil,
        services: Services, watch: PrincipalWatch,
        trace: RequestTrace = RequestTrace(number: 1, parent: nil)
    ) {
        self.request = request
        self.principal = principal
        self.conversation = conversation
        self.services = services
        self.watch = watch
        self.trace = trace
    }

    /// A log whose lines name the request.
    var log: Log { trace.log(services.log) }

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

    /// The conversation, on routes with that right.
    public func requireConversation() throws(Problem) -> Conversation {
        guard let conversation else { throw .notFound }
        return conversation
    }

    /// The business of the path; an id that is none is one that does not exist.
    public func requireBusinessID() throws(Problem) -> BusinessID {
        guard let id = request.parameters["business"].flatMap({ BusinessID($0) }) else {
            throw .notFound
        }
        return id
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

    /// The same call with a body that was read already.
    func with(body bytes: [UInt8]) -> RequestContext {
        var request = request
        let limit = request.body.limit
        request.body = RequestBody(bytes)
        request.body.limit = limit
        return RequestContext(
            request: request, principal: principal, conversation: conversation, services: services,
            watch: watch, trace: trace)
    }

    /// Refuses a body that would have to be unpacked: a few bytes could become any number.
    func refusePacked() throws(Problem) {
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
    static let missingCredential = Problem(
        .unauthenticated, "Sign in, or send an API key as Authorization: Bearer fd_….")
}

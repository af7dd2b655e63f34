import DeskHTTP
import DeskJSON
import DeskModel
public import DeskWeb

/// The address at which assistants use this server: the Model Context Protocol over streamable HTTP, with an
/// API key.
public struct MCPRoutes: Sendable {
    /// Most messages in an array, which only the first revision has; one more is refused.
    static let maximumBatch = 20
    /// Bytes of answers to an array after which its other messages are refused.
    static let maximumBatchAnswerBytes = 1_024 * 1_024

    private let toolbox: MCPToolbox
    private let library: MCPLibrary
    private let underWay = RequestsUnderWay<RequestName>()

    /// Serves the schemas, the rules and the events of what was read at start.
    public init(schemas: FileSet, docs: FileSet) {
        toolbox = MCPToolbox(MCPTool.all)
        library = MCPLibrary(schemas: schemas, docs: docs)
    }

    /// Adds the route.
    ///
    /// Each tool asks the API's own routes, which count and record what it does.
    public func add(to table: inout RouteTable, limits: APILimits) {
        table.add(
            .post, "/mcp", operation: "useMCP", permission: .useMCP, business: .any,
            query: .ignored,
            bodyLimit: limits.payloadBytes, goesOnWhenFull: true
        ) { context async throws(Problem) in try await respond(context) }
    }

    private func respond(_ context: RequestContext) async throws(Problem) -> Response {
        try Self.requireOwnName(context)
        let origins = context.request.headers.values("origin")
        let rule = OriginRule(publicURL: context.services.publicURL)
        // A key needs no Origin elsewhere; here a page of another site must not reach a local server.
        guard origins.allSatisfy({ rule.isOurs($0, context.request) }) else {
            throw Problem(.forbidden, "The Origin header does not name this site.")
        }
        let bytes = try await context.jsonBytes()
        // Safe: what is no JSON is answered in the protocol's own form.
        guard let document = try? JSONDocument(parsing: bytes) else {
            return Self.answer(MCPError(.parse, "The body is not JSON."), 400)
        }
        let root = document.root
        let version: MCPVersion
        do throws(MCPError) {
            version = try MCPEnvelope.version(of: root, context.request.headers)
        } catch { return Self.answer(error, error.status) }
        // Without sessions an answer can be read nowhere else, in no revision.
        context.request.peer.cancelHandlerWhenClosed()
        let server = MCPServer(
            version: version, toolbox: toolbox, library: library, context: context)
        if root.kind == .array { return await respond(to: root, server) }
        return await respond(to: root, server, context)
    }

    /// Refuses a request for a name, where the server was given none: a page of another site can have its name lead
    /// here (DNS rebinding), and its `Origin` is then that of the request.
    private static func requireOwnName(_ context: RequestContext) throws(Problem) {
        let own = context.services.publicURL.host
        guard PublicURL.isLoopback(own) || PublicURL.isAddress(own) else { return }
        guard let host = PublicURL.host(ofAuthority: context.request.host),
            PublicURL.isLoopback(host) || PublicURL.isAddress(host)
        else {
            throw Problem(
                .forbidden,
                "The Host header names no address of this server. Start it with --public-url to give it "
                    + "a name.")
        }
    }

    private func respond(
        to root: JSONValue, _ server: MCPServer, _ context: RequestContext
    ) async -> Response {
        do throws(MCPError) {
            guard let request = try receive(root, server) else {
                return Response(status: .accepted)
            }
            if !server.version.hasHandshake {
                try MCPEnvelope.check(request, context.request.headers)
            }
            switch await answer(request, server) {
            case .success(let result)?: return Self.answer(Self.message(request, result))
            case .failure(let error)?:
                return Self.answer(
                    error.json(for: request.id), server.version.hasHandshake ? 200 : error.status)
            case nil: return Response(status: .accepted)
            }
        } catch { return Self.answer(error, 400) }
    }

    /// Several messages, one after the other.
    private func respond(to list: JSONValue, _ server: MCPServer) async -> Response {
        if let refusal = Self.refusal(of: list, server.version) {
            return Self.answer(refusal, 400)
        }
        // Text, for it needs less than what it is written from.
        var text: [UInt8] = []
        for element in list.elements {
            // The client is gone, or the server ends: what is left is not done.
            if Task.isCancelled { break }
            let isFull = text.count >= Self.maximumBatchAnswerBytes
            guard let one = await answer(to: element, server, isFull: isFull) else { continue }
            text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
            text += one.bytes()
        }
        guard !text.isEmpty else { return Response(status: .accepted) }
        text.append(UInt8(ascii: "]"))
        return .json(text)
    }

    /// Why nothing of an array is done; nil where it is.
    private static func refusal(of list: JSONValue, _ version: MCPVersion) -> MCPError? {
        guard version.hasBatches else {
            return MCPError(
                .invalidRequest,
                "The body is an array, which revision \(version.rawValue) does not have, only "
                    + "\(MCPVersion.march2025.rawValue). Send each message in a request of its own."
            )
        }
        guard (1...maximumBatch).contains(list.count) else {
            return MCPError(
                .invalidRequest,
                "The array has \(list.count) messages; allowed are 1 to \(maximumBatch).")
        }
        return nil
    }

    /// The answer to one message of an array; nil for none.
    private func answer(
        to element: JSONValue, _ server: MCPServer, isFull: Bool
    ) async -> JSON? {
        do throws(MCPError) {
            guard let request = try receive(element, server) else { return nil }
            guard !isFull else {
                throw MCPError(
                    .invalidRequest,
                    "Not done: the answers to the messages before it in this array have "
                        + "\(Self.maximumBatchAnswerBytes) bytes or more, which is all that an "
                        + "answer may have. Send it again by itself.", id: request.id)
            }
            switch await answer(request, server) {
            case .success(let result)?: return Self.message(request, result)
            case .failure(let error)?: return error.json(for: request.id)
            case nil: return nil
            }
        } catch { return error.json(for: nil) }
    }

    /// The request that a message is; nil for one that wants no answer, which is done here.
    private func receive(
        _ message: JSONValue, _ server: MCPServer
    ) throws(MCPError) -> MCPRequest? {
        switch try MCPMessage(message) {
        case .request(let request): return request
        case .cancelled(let id):
            if let name = RequestName(id, server) { underWay.cancel(name) }
            return nil
        case .unanswered: return nil
        }
    }

    /// The result, or the refusal; nil where the client has cancelled the request meanwhile.
    private func answer(
        _ request: MCPRequest, _ server: MCPServer
    ) async -> Result<JSON, MCPError>? {
        let work: @Sendable () async -> Result<JSON, MCPError> = {
            do throws(MCPError) {
                return .success(try await server.answer(request))
            } catch { return .failure(error) }
        }
        guard let name = RequestName(request.id, server) else { return await work() }
        return await underWay.run(underWay.begin(name), work)
    }

    /// Names a request of one client, as far as clients without sessions can be distinguished: two of one key and
    /// address may both use an id, and then neither is cancelled.
    private struct RequestName: Hashable {
        let author: Author
        let address: String
        let id: [UInt8]

        /// Nil in revisions in which a client closes its connection instead.
        init?(_ id: JSONValue, _ server: MCPServer) {
            guard server.version.hasHandshake, let principal = server.context.principal else {
                return nil
            }
            author = principal.author
            address = server.context.request.peer.address
            self.id = Array(id.rawBytes)
        }
    }

    private static func message(_ request: MCPRequest, _ result: JSON) -> JSON {
        ["jsonrpc": "2.0", "id": .raw(Array(request.id.rawBytes)), "result": result]
    }

    private static func answer(_ error: MCPError, _ status: Int) -> Response {
        answer(error.json(for: nil), status)
    }

    private static func answer(_ message: JSON, _ status: Int = 200) -> Response {
        .json(message.bytes(), status: Status(status))
    }
}

import DeskHTTP
import DeskJSON
import DeskModel
public import DeskWeb

/// The address at which assistants use this server: the Model Context Protocol over streamable HTTP, with an
/// API key.
public struct MCPRoutes: Sendable {
    /// Most messages in an array, which only the first revision has; one more is refused.
    static let maximumBatch = 20

    private let toolbox: MCPToolbox
    private let library: MCPLibrary

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
        let server = MCPServer(
            version: version, toolbox: toolbox, library: library, context: context)
        if root.kind == .array { return await respond(to: root, server) }
        return await respond(to: root, server, context)
    }

    private func respond(
        to root: JSONValue, _ server: MCPServer, _ context: RequestContext
    ) async -> Response {
        do throws(MCPError) {
            guard case .request(let request) = try MCPMessage(root) else {
                return Response(status: .accepted)
            }
            if !server.version.hasHandshake {
                try MCPEnvelope.check(request, context.request.headers)
            }
            do throws(MCPError) {
                let result = try await server.answer(request)
                return Self.answer(Self.message(request, result))
            } catch {
                return Self.answer(
                    error.json(for: request.id), server.version.hasHandshake ? 200 : error.status)
            }
        } catch { return Self.answer(error, 400) }
    }

    /// Several messages, one after the other.
    private func respond(to list: JSONValue, _ server: MCPServer) async -> Response {
        guard server.version.hasBatches, (1...Self.maximumBatch).contains(list.count) else {
            return Self.answer(
                MCPError(
                    .invalidRequest,
                    "An array has 1 to \(Self.maximumBatch) messages, in revision "
                        + "\(MCPVersion.march2025.rawValue) alone."), 400)
        }
        var answers: [JSON] = []
        for element in list.elements {
            do throws(MCPError) {
                guard case .request(let request) = try MCPMessage(element) else { continue }
                do throws(MCPError) {
                    answers.append(Self.message(request, try await server.answer(request)))
                } catch { answers.append(error.json(for: request.id)) }
            } catch { answers.append(error.json(for: nil)) }
        }
        return answers.isEmpty ? Response(status: .accepted) : Self.answer(.array(answers))
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

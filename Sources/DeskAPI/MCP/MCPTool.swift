import DeskJSON
import DeskWeb

/// Something that an assistant can have done, by one or more routes of the API.
struct MCPTool: Sendable {
    /// What a client may think of a tool before it calls it.
    enum Effect: Sendable {
        /// Changes nothing.
        case reads
        /// Adds something that a person decides on.
        case suggests
        /// Sends something to a customer, which cannot be undone.
        case sends
    }

    /// What became of a call.
    struct Result: Sendable {
        /// For the model to read.
        var text: [UInt8]
        /// The same as JSON, for programs; nil where it is a text.
        var structured: JSON?
        var isError = false

        /// An answer of the API as it is.
        init(_ answer: OwnClient.Answer) {
            text = answer.body
            structured = answer.isSuccess && !answer.body.isEmpty ? .raw(answer.body) : nil
            isError = !answer.isSuccess
        }

        /// JSON that was put together here.
        init(_ value: JSON, isError: Bool = false) {
            text = value.bytes()
            structured = value
            self.isError = isError
        }
    }

    /// One use of it.
    struct Use: Sendable {
        let arguments: JSONValue
        let context: RequestContext
        let own: OwnClient

        /// An argument that is a text.
        func text(_ name: String) -> String? { arguments[name]?.string }
    }

    let name: String
    let title: String
    let description: String
    /// What its routes demand.
    ///
    /// A key that lacks it does not see the tool, and the routes refuse it anyway.
    let permission: Permission
    let effect: Effect
    /// The members of its arguments, as schemas.
    let properties: [(String, JSON)]
    let required: [String]
    let run: @Sendable (Use) async -> Result

    /// Its schema of arguments.
    var inputSchema: JSON {
        [
            "type": "object", "properties": .object(properties),
            "required": .array(required.map { .string($0) }), "additionalProperties": false,
        ]
    }

    /// What `tools/list` says of it.
    var listed: JSON {
        [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": inputSchema,
            "annotations": [
                "title": .string(title), "readOnlyHint": .bool(effect == .reads),
                "destructiveHint": .bool(effect == .sends),
                "idempotentHint": .bool(effect == .reads), "openWorldHint": .bool(effect == .sends),
            ],
        ]
    }
}

/// All tools, with the compiled schemas of their arguments.
struct MCPToolbox: Sendable {
    private let tools: [(tool: MCPTool, schema: JSONSchema)]

    /// Compiles the schemas; a tool whose schema is broken traps.
    init(_ tools: [MCPTool]) {
        var library = SchemaLibrary()
        self.tools = tools.map { tool in
            let uri = "https://frontdesk.invalid/mcp/\(tool.name)"
            do throws(SchemaError) {
                try library.register(tool.inputSchema.bytes(), at: uri)
                return (tool, try library.compile(uri))
            } catch { preconditionFailure("the tool \(tool.name): \(error)") }
        }
    }

    /// Whether the caller may use a tool: the one place where what a key may do decides on tools.
    private func mayUse(_ tool: MCPTool, _ context: RequestContext) -> Bool {
        guard let principal = context.principal else { return false }
        let permissions = context.services.permissions
        if case .key(let key) = principal,
            permissions.scopes(with: tool.permission).isDisjoint(with: key.scopes)
        {
            return false
        }
        let roles = permissions.roles(with: tool.permission)
        return principal.businesses.contains { business in
            principal.role(in: business).map { roles.contains($0) } ?? false
        }
    }

    /// What `tools/list` answers a caller.
    func list(for context: RequestContext) -> JSON {
        .array(tools.filter { mayUse($0.tool, context) }.map(\.tool.listed))
    }

    /// The tool of a name, if the caller may use it.
    func find(_ name: String, for context: RequestContext) -> MCPTool? {
        tools.first { $0.tool.name.utf8.elementsEqual(name.utf8) && mayUse($0.tool, context) }?.tool
    }

    /// Has a tool do its work; arguments that break its schema are answered with what is wrong.
    func call(
        _ tool: MCPTool, _ arguments: JSONValue?, _ context: RequestContext
    ) async -> MCPTool.Result {
        // Some clients write null for none.
        let given = arguments.flatMap { $0.isNull ? nil : $0 } ?? Self.empty
        guard let schema = tools.first(where: { $0.tool.name == tool.name })?.schema,
            schema.isValid(given)
        else {
            let findings =
                tools.first { $0.tool.name == tool.name }?.schema.findings(given) ?? []
            return MCPTool.Result(
                [
                    "error": "The arguments break the tool's schema.",
                    "findings": .array(
                        findings.prefix(Fields.maximumFindings).map { finding in
                            [
                                "pointer": .string(finding.value.path),
                                "found": .string(finding.found),
                                "allowed": .string(finding.allowed),
                            ]
                        }),
                ], isError: true)
        }
        return await tool.run(
            MCPTool.Use(arguments: given, context: context, own: OwnClient(for: context)))
    }

    private static let empty: JSONValue = {
        guard let root = JSONValue.parsed(Array("{}".utf8)) else {
            preconditionFailure("an empty object is JSON")
        }
        return root
    }()
}

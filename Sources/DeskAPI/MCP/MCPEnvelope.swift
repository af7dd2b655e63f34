import DeskBytes
import DeskHTTP
import DeskJSON

/// What a request says of itself, in its header fields and since 2026-07-28 in `params._meta`.
enum MCPEnvelope {
    static let versionKey = "io.modelcontextprotocol/protocolVersion"
    static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    static let serverKey = "io.modelcontextprotocol/serverInfo"

    /// The methods whose subject is repeated in the field `Mcp-Name`, with the member that names it.
    private static let named = [
        "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    ]

    /// The revision of a request.
    ///
    /// - Throws: `unsupportedVersion` for one that is not spoken here.
    static func version(of root: JSONValue, _ headers: HeaderFields) throws(MCPError) -> MCPVersion
    {
        // `initialize` negotiates: what it wants stands in its parameters.
        if root["method"]?.equals("initialize") == true { return .newestWithHandshake }
        let stated = root["params"]?["_meta"]?[versionKey]?.string
        guard let text = headers.first("mcp-protocol-version") ?? stated else { return .unstated }
        guard let version = MCPVersion(rawValue: text) else {
            throw MCPError(
                .unsupportedVersion, "This revision of the protocol is not spoken here.",
                id: MCPMessage.id(of: root),
                data: [
                    "supported": .array(MCPVersion.allCases.map { .string($0.rawValue) }),
                    "requested": .string(String(text.prefix(64))),
                ])
        }
        return version
    }

    /// Checks what each request without a handshake says of itself.
    ///
    /// - Throws: `invalidParams` where `_meta` lacks a member, `headerMismatch` where a header field says
    ///   something else than the body.
    static func check(_ request: MCPRequest, _ headers: HeaderFields) throws(MCPError) {
        guard let meta = request.meta, meta.kind == .object, let stated = meta[versionKey]?.string,
            meta[capabilitiesKey]?.kind == .object
        else {
            throw MCPError(
                .invalidParams,
                "params._meta has \(versionKey), a text, and \(capabilitiesKey), an object.",
                id: request.id)
        }
        func mismatch(_ field: String) -> MCPError {
            MCPError(
                .headerMismatch, "The field \(field) does not say what the body says.",
                id: request.id)
        }
        guard headers.values("mcp-protocol-version") == [stated] else {
            throw mismatch("MCP-Protocol-Version")
        }
        guard headers.values("mcp-method") == [request.method] else {
            throw mismatch("Mcp-Method")
        }
        guard let member = named[request.method],
            let subject = request.params?[member]?.string
        else { return }
        let names = headers.values("mcp-name")
        guard names.count == 1, decoded(names[0]) == subject else { throw mismatch("Mcp-Name") }
    }

    /// A field's value; what cannot stand in a field comes as `=?base64?…?=`.
    private static func decoded(_ value: String) -> String? {
        let (lead, trail) = ("=?base64?", "?=")
        guard value.hasPrefix(lead), value.hasSuffix(trail), value.utf8.count >= 11 else {
            return value
        }
        let inner = String(value.dropFirst(lead.count).dropLast(trail.count))
        return Base64.decode(inner, alphabet: .standard).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }
}

/// The revisions of the Model Context Protocol that are spoken here.
enum MCPVersion: String, CaseIterable {
    /// With batches.
    case march2025 = "2025-03-26"
    /// The first that names itself in `MCP-Protocol-Version`.
    case june2025 = "2025-06-18"
    /// The last with a handshake.
    case november2025 = "2025-11-25"
    /// Without a handshake: each request says what its client is.
    case july2026 = "2026-07-28"

    /// What a client is offered that asks for a revision that is not spoken here.
    static let newestWithHandshake = MCPVersion.november2025
    /// What a request without the header is read as, as the protocol says.
    static let unstated = MCPVersion.march2025

    /// Whether a client begins with `initialize`.
    var hasHandshake: Bool { self != .july2026 }
    /// Whether several messages may come in one array.
    var hasBatches: Bool { self == .march2025 }
    /// Whether a tool's answer may have `structuredContent`.
    var hasStructuredContent: Bool { self != .march2025 }
}

import DeskJSON

/// One JSON-RPC message of a client.
enum MCPMessage {
    /// Wants an answer.
    case request(MCPRequest)
    /// Says that the client wants no answer any more to its request of this id.
    case cancelled(JSONValue)
    /// Wants none: another notification, or the answer to a request that this server never sends.
    case unanswered

    /// Reads one.
    ///
    /// - Throws: `invalidRequest` for what is no message of JSON-RPC 2.0.
    init(_ value: JSONValue) throws(MCPError) {
        guard value.kind == .object, value["jsonrpc"]?.equals("2.0") == true else {
            throw .invalidRequest
        }
        guard let method = value["method"] else {
            // An answer: nothing was asked.
            guard value["result"] != nil || value["error"] != nil else { throw .invalidRequest }
            self = .unanswered
            return
        }
        guard let name = method.string else { throw .invalidRequest }
        guard value["id"] != nil else {
            let cancelled =
                method.equals("notifications/cancelled")
                ? value["params"].flatMap { Self.id(of: $0, as: "requestId") } : nil
            self = cancelled.map { MCPMessage.cancelled($0) } ?? .unanswered
            return
        }
        guard let id = Self.id(of: value) else { throw .invalidRequest }
        // Some clients write null for none.
        let params = value["params"].flatMap { $0.isNull ? nil : $0 }
        if let params, params.kind != .object {
            throw MCPError(.invalidParams, "params is an object.", id: id)
        }
        self = .request(MCPRequest(id: id, method: name, params: params))
    }

    /// The id that an answer repeats: a text or a number of at most 256 bytes; nil for everything else.
    static func id(of message: JSONValue, as name: String = "id") -> JSONValue? {
        guard let id = message[name], id.kind == .string || id.kind == .number,
            id.rawBytes.count <= maximumIDBytes
        else { return nil }
        return id
    }

    /// Longest id of a request in bytes; it is written into the answer.
    private static let maximumIDBytes = 256
}

/// One request of a client.
struct MCPRequest {
    /// A text or a number, answered as it came.
    let id: JSONValue
    let method: String
    let params: JSONValue?
    /// What the request says of itself.
    var meta: JSONValue? { params?["_meta"] }
}

/// A refusal in JSON-RPC's form.
struct MCPError: Error {
    /// The numbers that programs test.
    enum Code: Int {
        case parse = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case resourceNotFound = -32002
        case headerMismatch = -32020
        case unsupportedVersion = -32022
    }

    let code: Code
    let message: String
    /// The id of the request; nil where it could not be read.
    var id: JSONValue?
    var data: JSON?

    init(_ code: Code, _ message: String, id: JSONValue? = nil, data: JSON? = nil) {
        self.code = code
        self.message = message
        self.id = id
        self.data = data
    }

    static let invalidRequest = MCPError(
        .invalidRequest, "The body is one JSON-RPC 2.0 message.")

    /// The status that goes with it where each request has an answer of its own.
    var status: Int {
        switch code {
        case .methodNotFound: 404
        case .internalError: 200
        case .parse, .invalidRequest, .invalidParams, .resourceNotFound, .headerMismatch,
            .unsupportedVersion:
            400
        }
    }

    /// The answer's text.
    func json(for request: JSONValue?) -> JSON {
        var error: [(String, JSON)] = [
            ("code", .integer(code.rawValue)), ("message", .string(message)),
        ]
        if let data { error.append(("data", data)) }
        let id = request ?? self.id
        return [
            "jsonrpc": "2.0", "id": id.map { .raw(Array($0.rawBytes)) } ?? .null,
            "error": .object(error),
        ]
    }
}

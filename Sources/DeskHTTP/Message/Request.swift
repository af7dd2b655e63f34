/// One request that the parser has validated: it obeys RFC 9112 and the server's limits.
public struct Request: Sendable {
    private let head: RequestHead
    /// The sender; behind a trusted proxy the client that the proxy names.
    public var peer: Peer
    /// Whether it came over TLS.
    public let isSecure: Bool
    /// The body, read on demand.
    public var body: RequestBody
    /// What the route's pattern captured; set by the router.
    public var parameters = PathParameters()
    private var rerouted: RequestPath?
    private var renamed: Query?

    init(head: RequestHead, peer: Peer, isSecure: Bool, body: RequestBody) {
        self.head = head
        self.peer = peer
        self.isSecure = isSecure
        self.body = body
    }

    /// Makes a request by hand, for tests of handlers; the target is validated like a received one.
    public init(
        method: Method, target: String, headers: HeaderFields = [:], body: [UInt8] = [],
        host: String = "localhost", peer: Peer = .loopback, isSecure: Bool = false,
        isHTTP10: Bool = false
    ) throws(RequestProblem) {
        let parsed = try RequestTarget(originForm: target)
        self.init(
            head: RequestHead(
                method: method, target: target, path: parsed.path, query: parsed.query,
                headers: headers, host: host, isHTTP10: isHTTP10),
            peer: peer, isSecure: isSecure, body: RequestBody(body))
    }

    /// What is asked to be done.
    public var method: Method { head.method }

    /// The target as sent.
    public var target: String { head.target }

    /// The decoded path; of a rerouted request the one that it was rerouted to.
    public var path: RequestPath { rerouted ?? head.path }

    /// The decoded path as sent.
    public var sentPath: RequestPath { head.path }

    /// The same request for another path, as if that had been sent.
    public func rerouted(to path: RequestPath) -> Request {
        var request = self
        request.rerouted = path
        return request
    }

    /// The decoded query, in order.
    public var query: Query { renamed ?? head.query }

    /// Has the query's parameters read under other names.
    public mutating func rename(_ names: [String: String]) {
        guard !names.isEmpty else { return }
        renamed = query.renamed(names)
    }

    /// All header fields, in order.
    public var headers: HeaderFields { head.headers }

    /// The host the client named, with its port where it gave one; syntax checked, lower case kept as sent.
    public var host: String { head.host }

    /// Whether it came as HTTP/1.0.
    public var isHTTP10: Bool { head.isHTTP10 }

    /// The cookies sent, in order.
    public var cookies: Cookies { Cookies(headers) }

    /// Whether the client asks to turn this connection into a WebSocket (RFC 6455 4.2.1).
    public var isWebSocketUpgrade: Bool {
        method == .get
            && TokenList.contains("websocket", in: headers["upgrade"])
            && TokenList.contains("upgrade", in: headers["connection"])
    }
}

/// Why a request is refused before any handler sees it; the connection is closed afterwards.
public struct RequestProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The status of the answer.
    public let status: Status
    /// The word a client's program can test.
    public let code: String

    /// Names a problem.
    public init(_ status: Status, _ code: String) {
        self.status = status
        self.code = code
    }

    /// The status and the code; safe to log.
    public var description: String { "RequestProblem(\(status.code) \(code))" }
}

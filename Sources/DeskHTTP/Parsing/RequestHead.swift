/// How the end of a request's body is found (RFC 9112 6.3).
public enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// The body has this many bytes; above zero.
    case length(Int)
    /// The body is chunked.
    case chunked
}

/// Everything before the body of one request, validated.
///
/// One object, so that passing a request between modules costs one reference count.
public final class RequestHead: Sendable {
    /// What is asked to be done.
    public let method: Method
    /// The target as sent, in origin form.
    public let target: String
    /// The decoded path.
    public let path: RequestPath
    /// The decoded query.
    public let query: Query
    /// All fields, in order.
    public let headers: HeaderFields
    /// The host named, with its port where one was given.
    public let host: String
    /// How the end of the body is found.
    public let framing: BodyFraming
    /// Whether the client may send another request on this connection.
    public let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    public let expectsContinue: Bool
    /// Whether it speaks HTTP/1.0, which knows no chunks.
    public let isHTTP10: Bool

    init(
        method: Method, target: String, path: RequestPath, query: Query, headers: HeaderFields,
        host: String, framing: BodyFraming = .none, keepsAlive: Bool = true,
        expectsContinue: Bool = false, isHTTP10: Bool = false
    ) {
        self.method = method
        self.target = target
        self.path = path
        self.query = query
        self.headers = headers
        self.host = host
        self.framing = framing
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
        self.isHTTP10 = isHTTP10
    }

    /// The request for handlers.
    public func request(body: RequestBody, peer: Peer, isSecure: Bool) -> Request {
        Request(head: self, peer: peer, isSecure: isSecure, body: body)
    }
}

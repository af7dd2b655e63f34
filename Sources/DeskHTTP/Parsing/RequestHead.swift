/// How the end of a request's body is found (RFC 9112 6.3).
public enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// The body has this many bytes; above zero.
    case length(Int)
    /// The body comes in chunks.
    case chunked
}

/// Everything before the body of one request, judged.
public struct RequestHead: Sendable {
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
    /// Whether the client wants to send another request on this connection.
    public let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    public let expectsContinue: Bool
    /// Whether it speaks HTTP/1.0, which knows no chunks.
    public let isHTTP10: Bool

    /// The request as handlers see it.
    public func request(body: RequestBody, peer: Peer, isSecure: Bool) -> Request {
        Request(
            method: method, target: target, path: path, query: query, headers: headers,
            host: host, peer: peer, isSecure: isSecure, body: body)
    }
}

/// What a request asks to be done; anything but the known ones is kept as written.
public enum Method: Hashable, Sendable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// A token we give no meaning to; never in a route table.
    case other(String)

    /// Reads the token; upper and lower case differ.
    public init(_ token: String) {
        self = Method.known.first { $0.token.utf8.elementsEqual(token.utf8) } ?? .other(token)
    }

    /// The token as it goes over the wire.
    public var token: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other(let token): token
        }
    }

    private static let known: [Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]
}

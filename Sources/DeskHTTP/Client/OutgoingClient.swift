/// One outgoing request to another server.
public struct OutgoingRequest: Sendable {
    /// The request's body.
    public enum Body: Sendable {
        /// No bytes.
        case empty
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes that a source supplies piece by piece; their number is known before.
        case pieces(any BodySource, byteCount: Int64)
    }

    /// The method.
    public var method: Method
    /// The whole address, `http://` or `https://`.
    public var url: String
    /// The fields; the client sets `Host`, `Content-Length` and `Connection` itself.
    public var headers: HeaderFields
    /// The body.
    public var body: Body
    /// The deadline of the whole exchange; a long body only has to keep its minimum rate, up to `longest`.
    public var timeout: Duration
    /// How long the exchange may last, however fast a body moves; nil for no such end.
    ///
    /// It is stated where another party decides how long a body is, or how slowly it is read.
    public var longest: Duration?
    /// Most bytes of an answer that `send` collects.
    public var answerLimit: Int

    /// Puts a request together.
    public init(
        _ method: Method, _ url: String, headers: HeaderFields = [:], body: Body = .empty,
        timeout: Duration = .seconds(10), longest: Duration? = nil, answerLimit: Int = 1_048_576
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.longest = longest
        self.answerLimit = answerLimit
    }
}

/// The answer; redirects are answers like others and are never followed.
public struct OutgoingAnswer: Sendable {
    /// The status.
    public let status: Status
    /// The fields.
    public let headers: HeaderFields
    /// The body: whole from `send`, to be read from `open`.
    public let body: RequestBody

    /// Puts an answer together.
    public init(status: Status, headers: HeaderFields = [:], body: RequestBody = RequestBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why a request got no answer.
public struct OutgoingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The address is no address, or its scheme is not supported.
        case address
        /// The name has no address.
        case name
        /// The client may not connect to the address, such as a private one.
        case forbidden
        /// The connection was refused.
        case connection
        /// TLS failed, or the certificate is not trusted.
        case security
        /// The deadline passed.
        case timeout
        /// The connection ended before the answer did.
        case cutOff
        /// The answer exceeds its limit.
        case tooLarge
        /// The caller was cancelled, or the client ends.
        case cancelled
    }

    /// The kind of failure.
    public let code: Code
    /// The library's message; never text of a body or a field.
    public let detail: String

    /// Puts the two together.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Both; safe to log.
    public var description: String { "\(code.rawValue): \(detail)" }
}

/// Asks others over HTTP; the server has one, tests bring their own.
public protocol OutgoingClient: Sendable {
    /// Sends the request and collects the whole answer.
    ///
    /// Limit: `answerLimit`; one byte more throws `tooLarge`. Cancel: honoured.
    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer

    /// Sends the request and returns when the answer's head has arrived; the body is read piece by piece.
    ///
    /// The transfer ends when the body is read to its end or released.
    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer
}

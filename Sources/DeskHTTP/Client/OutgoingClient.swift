/// One request of ours to somebody outside.
public struct OutgoingRequest: Sendable {
    /// What is sent after the head.
    public enum Body: Sendable {
        /// No bytes.
        case empty
        /// Bytes at hand.
        case bytes([UInt8])
        /// Bytes that come piece by piece, of a length known before.
        case pieces(any BodySource, byteCount: Int64)
    }

    /// What is asked.
    public var method: Method
    /// The whole address, `http://` or `https://`.
    public var url: String
    /// The fields; `Host`, `Content-Length` and `Connection` are the client's.
    public var headers: HeaderFields
    /// The body.
    public var body: Body
    /// Time for all of it, the answer's head included; a longer body has to keep moving only.
    public var timeout: Duration
    /// Most bytes of an answer that `send` collects.
    public var answerLimit: Int

    /// Puts a request together.
    public init(
        _ method: Method, _ url: String, headers: HeaderFields = [:], body: Body = .empty,
        timeout: Duration = .seconds(10), answerLimit: Int = 1_048_576
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

/// What was answered; redirects are answers like others and are never followed.
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

/// Why no answer came.
public struct OutgoingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sorts of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// The address is no address, or its scheme is not spoken.
        case address
        /// The name has no address.
        case name
        /// The address is one that may not be asked, such as a private one.
        case forbidden
        /// Nobody took the connection.
        case connection
        /// TLS failed, or the certificate is not trusted.
        case security
        /// It took too long.
        case timeout
        /// The connection ended before the answer did.
        case cutOff
        /// The answer is larger than asked for.
        case tooLarge
        /// The caller was cancelled, or the client ends.
        case cancelled
    }

    /// What sort of failure it was.
    public let code: Code
    /// The library's words for it; never a body's or a field's text.
    public let detail: String

    /// Puts the two together.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Both, fit for a log.
    public var description: String { "\(code.rawValue): \(detail)" }
}

/// Asks others over HTTP; the house has one, tests bring their own.
public protocol OutgoingClient: Sendable {
    /// Asks and collects the whole answer.
    ///
    /// Limit: `answerLimit`; one byte more throws `tooLarge`. Cancel: honoured.
    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer

    /// Asks and returns when the answer's head is here; its body is read piece by piece.
    ///
    /// The transfer ends when the body is read to its end or let go.
    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer
}

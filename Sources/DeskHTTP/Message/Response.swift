public import DeskBytes

/// What is answered: status, fields and one of nine sorts of body.
///
/// The server itself writes `Content-Length`, `Transfer-Encoding`, `Connection` and `Date`; fields of
/// these names in `headers` are ignored.
public struct Response: Sendable {
    /// How the body is produced.
    public enum Body: Sendable {
        /// No bytes.
        case empty
        /// No answer at all: the connection ends before its first byte. For faults made on purpose.
        case cut
        /// Bytes in memory.
        case bytes([UInt8])
        /// A part of a file, sent by the kernel on plain connections. `range` counts bytes from the
        /// file's start; the file must not shrink before the response is sent.
        case file(path: String, range: Range<Int>)
        /// A part of an open file, as `file(path:range:)`.
        case openFile(OpenFile, range: Range<Int>)
        /// Bytes written over time by the closure; the body ends when it returns. Its task is
        /// cancelled when the peer goes away and when the server drains.
        case stream(@Sendable (ResponseStream) async -> Void)
        /// As many bytes as are announced, written over time by the closure. When it writes fewer or more, the
        /// connection is cut, so that no reader mistakes a part for the whole.
        case counted(Int, @Sendable (ResponseStream) async -> Void)
        /// Bytes that the stream writes in its steps; the connection ends with it.
        case steps(any SteppedStream)
        /// The connection becomes a WebSocket whose server side the stream runs in steps. The status is
        /// 101 then, whatever `status` says.
        case socketSteps(any SteppedStream)
    }

    /// The status.
    public var status: Status
    /// The fields, in order.
    public var headers: HeaderFields
    /// The body.
    public var body: Body
    /// Whether the connection ends after this response.
    public var closesConnection = false

    /// Makes a response.
    public init(status: Status, headers: HeaderFields = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a response with bytes of one type.
    public init(status: Status = .ok, type: String, _ bytes: [UInt8]) {
        self.init(status: status, body: .bytes(bytes))
        headers.append("Content-Type", type)
    }

    /// Makes a response of UTF-8 text.
    public init(status: Status = .ok, text: String) {
        self.init(status: status, type: "text/plain; charset=utf-8", Array(text.utf8))
    }

    /// A plain refusal: an RFC 9457 problem with a code a program can test and a sentence for a person,
    /// the code's own when none is given.
    ///
    /// The code must be of lower-case letters, digits and underscores, the detail of plain words: nothing
    /// in them is escaped.
    public static func problem(
        _ status: Status, code: String, detail: String? = nil
    ) -> Response {
        let text =
            #"{"type":"/docs/problems/\#(code)","title":"\#(status.reason)","#
            + #""status":\#(status.code),"#
            + #""detail":"\#(detail ?? ProblemSentence.text(of: code, status))","code":"\#(code)"}"#
        return Response(status: status, type: "application/problem+json", Array(text.utf8))
    }

    /// The refusal of a request whose body could not be read; the connection ends after it.
    public static func refusal(_ error: BodyError) -> Response {
        var response = problem(error.status, code: error.code)
        response.closesConnection = true
        return response
    }
}

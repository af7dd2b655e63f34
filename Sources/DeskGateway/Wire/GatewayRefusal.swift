public import DeskHTTP

/// A refusal in the gateway's own form: a status and a sentence (protocol page 1.6).
public struct GatewayRefusal: Error, Hashable, Sendable {
    /// The status.
    public let status: Status
    /// What is wrong, in one line of plain words.
    public let detail: String

    /// When to try again; nil says nothing of it.
    public let retryAfterSeconds: Int?

    /// Puts the parts together.
    public init(_ status: Status, _ detail: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// `text/plain`: `"<code> <reason> : <detail>"`, as the one public capture has it.
    public var response: Response {
        var response = Response(
            status: status, text: "\(status.code) \(status.reason) : \(detail)")
        if let retryAfterSeconds { response.headers.append("Retry-After", "\(retryAfterSeconds)") }
        return response
    }
}

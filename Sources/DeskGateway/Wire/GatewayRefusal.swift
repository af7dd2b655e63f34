public import DeskHTTP

/// A refusal in the gateway's own form: a status and a sentence (protocol page 1.6).
public struct GatewayRefusal: Error, Hashable, Sendable {
    /// The status.
    public let status: Status
    /// What is wrong, in one line of plain words.
    public let detail: String

    /// When to try again; nil says nothing of it.
    public let retryAfterSeconds: Int?
    /// Whether a fault dial ordered it.
    public let isMeant: Bool

    /// Puts the parts together.
    public init(
        _ status: Status, _ detail: String, retryAfterSeconds: Int? = nil, isMeant: Bool = false
    ) {
        self.status = status
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.isMeant = isMeant
    }

    /// Nothing is stored below the disk's hard mark (promise P11).
    public static let storageFull = GatewayRefusal(
        .serviceUnavailable, "nothing can be stored until there is space again",
        retryAfterSeconds: 5)

    /// `text/plain`: `"<code> <reason> : <detail>"`, as the one public capture has it.
    public var response: Response {
        var response = Response(
            status: status, text: "\(status.code) \(status.reason) : \(detail)")
        if let retryAfterSeconds { response.headers.append("Retry-After", "\(retryAfterSeconds)") }
        return response
    }
}

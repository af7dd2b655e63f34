public import DeskHTTP

/// A refusal in the gateway's own form: a status and a sentence (protocol page 1.6).
public struct GatewayRefusal: Error, Hashable, Sendable {
    /// The status.
    public let status: Status
    /// What is wrong, in one line of plain words.
    public let detail: String

    /// Puts the two together.
    public init(_ status: Status, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    /// `text/plain`: `"<code> <reason> : <detail>"`, as the one public capture has it.
    public var response: Response {
        Response(status: status, text: "\(status.code) \(status.reason) : \(detail)")
    }
}

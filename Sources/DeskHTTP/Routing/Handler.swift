/// Answers requests; never throws, since every outcome is a response.
public protocol Handler: Sendable {
    /// Returns the response to one request.
    ///
    /// Cancel: the task is cancelled when the handler deadline passes (503 has been sent then) and
    /// when the server ends.
    func respond(to request: Request) async -> Response
}

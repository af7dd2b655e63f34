import DeskHTTP

extension OutgoingRequest {
    /// A request that ends with its timeout, however steadily the answer comes.
    ///
    /// A slow answer keeps its conversation, and the attempts of others, for no longer.
    static func bounded(
        _ method: Method, _ url: String, headers: HeaderFields = [:], body: Body = .empty,
        timeout: Duration = .seconds(10), answerLimit: Int = 1_048_576
    ) -> OutgoingRequest {
        OutgoingRequest(
            method, url, headers: headers, body: body, timeout: timeout, longest: timeout,
            answerLimit: answerLimit)
    }
}

extension Duration {
    /// How long an upload of so many bytes may take: a minute, and a second for each 64 KiB.
    static func ofUpload(_ byteCount: Int64) -> Duration {
        .seconds(60) + .seconds(byteCount / 65_536)
    }
}

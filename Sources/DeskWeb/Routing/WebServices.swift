public import DeskHTTP
public import DeskLog
public import DeskModel

/// What the framework uses of the parts that a product's handlers share.
///
/// The properties are constant: a pipeline reads them once, when it is made.
public protocol WebServices: AnyObject, Sendable {
    /// The address by which clients reach the server.
    var publicURL: PublicURL { get }
    /// The clocks.
    var time: TimeSource { get }
    /// Where lines of the log go.
    var log: Log { get }
    /// Names requests, logs and counts their answers.
    var notes: RequestNotes { get }
    /// The budgets of callers.
    var rates: RateBuckets { get }
    /// Knows whether there is room to write.
    var disk: DiskGuard { get }
    /// The proxies that may name the client.
    var proxies: TrustedProxies { get }

    /// Loads a conversation; nil when there is none.
    ///
    /// - Throws: `unavailable` when the store cannot answer.
    func findConversation(_ id: ConversationID) async throws(Problem) -> Conversation?

    /// Remembers for a while what a key's request came to, for the people who made the key.
    func note(_ request: KeyRequest, of key: KeyID)

    /// Answers a request with an `Idempotency-Key`: the first time by `action`, and with the remembered
    /// answer when the same request comes again.
    ///
    /// - Throws: `bad_request` for a malformed key, `idempotency_mismatch` for a known key with another
    ///   body, and what `action` throws where a further try may succeed.
    func answerOnce(
        _ request: Request, by principal: Principal?, _ key: String, _ body: [UInt8],
        _ action: @Sendable () async throws(Problem) -> Response
    ) async throws(Problem) -> Response
}

extension WebServices {
    /// Whether cookies of a request may and must be for TLS only.
    public func isSecure(_ request: Request) -> Bool { request.isSecure || publicURL.isSecure }
}

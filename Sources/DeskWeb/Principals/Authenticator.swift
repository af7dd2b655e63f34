public import DeskHTTP
public import DeskModel

/// Whom a credential belongs to.
public struct Authenticated: Sendable {
    /// The principal.
    public let principal: Principal
    /// The conversation of a customer's session, as it was read to check the session.
    public let conversation: Conversation?

    /// Describes a principal.
    public init(_ principal: Principal, conversation: Conversation? = nil) {
        self.principal = principal
        self.conversation = conversation
    }
}

/// Authenticates requests by credentials of one kind.
public protocol Authenticator: Sendable {
    /// The principal of a request's credential; nil when the request has none of this kind, or when
    /// the credential is unknown, expired or revoked.
    ///
    /// - Throws: `unavailable` when the store cannot answer.
    func authenticate(_ request: Request) async throws(Problem) -> Authenticated?
}

/// An authenticator that knows no credential.
public struct NoAuthenticator: Authenticator {
    /// Makes one.
    public init() {}

    /// Always nil.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? { nil }
}

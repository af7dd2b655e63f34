public import DeskHTTP

/// Finds out who a request speaks for by a credential of one kind.
public protocol Door: Sendable {
    /// The principal of the request's credential; nil when it carries none of this kind, or a dead one.
    ///
    /// - Throws: `unavailable` when the store cannot tell.
    func findPrincipal(of request: Request) async throws(Problem) -> Principal?
}

/// A door that nobody comes through.
public struct NoAuthenticator: Door {
    /// Makes one.
    public init() {}

    /// Always nil.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? { nil }
}

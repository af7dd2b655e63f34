package import DeskHTTP

/// Checks again whether the credential of a long request is still good; never extends a session.
public struct PrincipalWatch: Sendable {
    private let request: Request
    private let principal: Principal?
    private let authorizer: any Authorizer

    package init(request: Request, principal: Principal?, authorizer: any Authorizer) {
        self.request = request
        self.principal = principal
        self.authorizer = authorizer
    }

    /// Whether the same principal would have the same permissions now; no when that cannot be found
    /// out.
    public func holds() async -> Bool { await authorizer.stillHolds(principal, of: request) }
}

public import DeskHTTP
public import DeskModel

/// What a route demands of its caller, with the roles that meet it.
public struct AccessRule: Sendable {
    /// What the route lets its caller do.
    public let permission: Permission
    /// Where the request names the business.
    public let source: BusinessSource
    /// The roles that have the permission.
    public let roles: [PrincipalRole]
    /// The scopes of keys of which each meets it.
    public let scopes: KeyScopes

    /// Reads what a route demands from a table.
    public init(_ permission: Permission, _ source: BusinessSource, in table: PermissionTable) {
        self.permission = permission
        self.source = source
        roles = table.roles(with: permission)
        scopes = table.scopes(with: permission)
    }

    /// Whether a role meets it.
    package func admits(_ role: PrincipalRole) -> Bool { roles.contains(role) }

    /// Whether a key with these scopes meets it, where keys do at all.
    package func admits(_ keys: KeyScopes) -> Bool { !scopes.isDisjoint(with: keys) }
}

/// What an authorized request is about.
public struct Access: Sendable {
    /// The caller; nil on public routes, and for a customer who has not written yet.
    public var principal: Principal?
    /// The one business that the request names; nil when it names none.
    public var business: BusinessID?
    /// The conversation of the path or of the customer's session.
    public var conversation: Conversation?

    /// Describes an authorized request; a public one has nothing.
    public init(
        _ principal: Principal? = nil, business: BusinessID? = nil,
        conversation: Conversation? = nil
    ) {
        self.principal = principal
        self.business = business
        self.conversation = conversation
    }
}

/// Finds out who calls, and what about; the product implements it for the request pipeline.
public protocol Authorizer: Sendable {
    /// The head of the log now, for routes that ask for it.
    var head: EventID { get }

    /// Authenticates the caller of a request and checks the permission that its route demands.
    ///
    /// Limit: it loads a conversation at most once.
    /// - Parameter caller: the key of the request once its secret was found right, also where it is then refused.
    /// - Throws: `unauthenticated`, `forbidden` or `not_found`; `unavailable` when the store cannot answer.
    func authorize(
        _ request: Request, _ rule: AccessRule, caller: inout KeyID?
    ) async throws(Problem) -> Access

    /// Whether the same principal would have the same permissions now; no when that cannot be found out.
    ///
    /// It never counts as use of a session.
    func stillHolds(_ principal: Principal?, of request: Request) async -> Bool

    /// Adds to an answer what the caller's credential needs, such as a renewed cookie.
    func finish(_ response: inout Response, to request: Request, _ access: Access)
}

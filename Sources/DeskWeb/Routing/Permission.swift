public import DeskModel

/// What a route lets its caller do.
///
/// The product names its permissions as static members; a `PermissionTable` says which role has which.
public struct Permission: Hashable, Sendable {
    /// The name, such as `conversations.read`.
    public let name: String

    /// Names a permission.
    public init(_ name: String) { self.name = name }
}

/// In what role a principal acts; one row of a `PermissionTable`.
///
/// The product names its roles as static members.
public struct PrincipalRole: Hashable, Sendable {
    /// The name, such as `owner`.
    public let name: String
    /// Whether people have it by a membership in a business.
    ///
    /// It keeps a member's role apart from a kind of principal of the same name.
    public let isMembership: Bool

    /// Names the role of a kind of principal.
    public init(_ name: String) {
        self.name = name
        isMembership = false
    }

    /// The role that a membership gives.
    public init(_ role: Role) {
        name = role.name
        isMembership = true
    }

    /// The role of a member; nil for a kind of principal.
    public var member: Role? { isMembership ? Role(name) : nil }
}

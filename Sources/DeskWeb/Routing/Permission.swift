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

    /// Names a role.
    public init(_ name: String) { self.name = name }

    /// The role that a membership gives.
    public init(_ role: Role) { self.init(role.rawValue) }
}

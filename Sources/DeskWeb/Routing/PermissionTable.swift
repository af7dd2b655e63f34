public import DeskModel

/// Which role has which permissions.
public struct PermissionTable: Sendable {
    /// One role.
    public struct Row: Sendable {
        /// The role.
        public let role: PrincipalRole
        /// Everything that it may do.
        public let permissions: Set<Permission>

        /// Describes a role.
        public init(_ role: PrincipalRole, _ permissions: Set<Permission>) {
            self.role = role
            self.permissions = permissions
        }
    }

    /// All roles, in the order in which a refusal names them.
    public private(set) var rows: [Row] = []

    // Of each scope of keys, what it stands for.
    private let scopes: [(scope: KeyScopes, permissions: Set<Permission>)]

    /// Puts a table together; a role has one row.
    ///
    /// - Parameter scopes: what each scope of keys stands for. A key has a permission when the row of
    ///   keys and one of its scopes have it.
    public init(
        _ rows: [Row], scopes: [(scope: KeyScopes, permissions: Set<Permission>)] = []
    ) {
        self.scopes = scopes
        for row in rows { add(row) }
    }

    /// Adds a role.
    public mutating func add(_ row: Row) {
        precondition(
            !rows.contains { $0.role == row.role }, "the role \(row.role.name) has two rows")
        rows.append(row)
    }

    /// The roles that a member can have, in the order of the rows.
    public var memberRoles: [Role] { rows.compactMap(\.role.member) }

    /// What a role may do; nothing for a role without a row.
    public func permissions(of role: PrincipalRole) -> Set<Permission> {
        rows.first { $0.role == role }?.permissions ?? []
    }

    /// The scopes of keys of which each stands for a permission.
    public func scopes(with permission: Permission) -> KeyScopes {
        KeyScopes(scopes.filter { $0.permissions.contains(permission) }.map(\.scope))
    }

    /// The roles that have a permission, in the order of the rows.
    public func roles(with permission: Permission) -> [PrincipalRole] {
        rows.filter { $0.permissions.contains(permission) }.map(\.role)
    }
}

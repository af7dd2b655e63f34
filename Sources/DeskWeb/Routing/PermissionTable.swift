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

    /// Puts a table together; a role has one row.
    public init(_ rows: [Row]) { for row in rows { add(row) } }

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

    /// The roles that have a permission, in the order of the rows.
    public func roles(with permission: Permission) -> [PrincipalRole] {
        rows.filter { $0.permissions.contains(permission) }.map(\.role)
    }
}

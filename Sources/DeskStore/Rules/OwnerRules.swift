package import DeskModel

/// What holds of owners whatever the table of permissions says.
///
/// Who may invite members and change roles is a permission, and the table's. These are rules of the
/// product about the role `owner` itself; ADR 22 lists them.
package enum OwnerRules {
    /// Whether a member in one role may give another: only an owner makes another member an owner.
    package static func mayGive(_ role: Role, in own: Role) -> Bool {
        role != .owner || own == .owner
    }

    /// Whether a member in one role may change or remove one of another: an owner only by an owner.
    package static func mayChange(_ held: Role, to role: Role?, in own: Role) -> Bool {
        own == .owner || held != .owner && role != .owner
    }

    /// Whether a business is left without an owner who can sign in.
    package static func isLastOwner(_ held: Role, besides owners: Set<AgentID>) -> Bool {
        held == .owner && owners.isEmpty
    }

    /// Whether grants and invitations of a member outlive the change to a role.
    ///
    /// A member who gets another role than owner, or leaves, answers for nothing made before: the
    /// grants of keys end and invitations are withdrawn, also where the new role could make them.
    package static func keepsWhatWasMade(in role: Role?) -> Bool { role == .owner }
}

/// What a member is in a business, by name; the server's table of permissions says what each may do.
///
/// Stores and archives keep the name. A role that the table does not name may do nothing.
public struct Role: Hashable, Sendable {
    /// Limit of a name in bytes.
    public static let maximumBytes = 32

    /// Who answers for the business: `OwnerRules` bind it, whatever the table says.
    public static let owner = Role(known: "owner")
    /// Who leads the people of the business: does what agents do, and looks after what they work with.
    public static let supervisor = Role(known: "supervisor")
    /// Who answers customers; what an invitation gives when it names no role.
    public static let agent = Role(known: "agent")
    /// Who reads everything of the business's work and changes nothing.
    public static let auditor = Role(known: "auditor")

    /// The name, such as `owner`.
    public let name: String

    /// Reads a name: 1 to 32 letters a to z and `_`.
    public init?(_ name: String) {
        guard (1...Role.maximumBytes).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x5F })
        else { return nil }
        self.name = name
    }

    private init(known name: String) { self.name = name }
}

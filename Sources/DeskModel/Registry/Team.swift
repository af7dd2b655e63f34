/// Members of a business who look after conversations together.
///
/// Nothing is deleted: a retired team is given no further conversation, and stays readable on those
/// that it has and in their events. Who leaves the business leaves its teams.
public struct Team: Hashable, Sendable {
    /// Most teams of a business, retired ones included; one more is refused.
    public static let most = 100
    /// Most members of a team; one more is refused.
    public static let mostMembers = 200
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 120

    /// Its name on the server.
    public let id: TeamID
    /// Whose it is.
    public let business: BusinessID
    /// What people call it; unique in the business without regard to case.
    public var name: String
    /// `#rrggbb`.
    public var colour: String
    /// Who belongs to it, each once, in the order in which they were named.
    public var members: [AgentID]
    /// Whether it is given no further conversation.
    public var isRetired: Bool

    /// Describes a team.
    public init(
        id: TeamID, business: BusinessID, name: String, colour: String, members: [AgentID] = [],
        isRetired: Bool = false
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.colour = colour
        self.members = members
        self.isRetired = isRetired
    }

    /// The name in the form in which names are compared.
    public var key: [UInt8] { Array(name.lowercased().utf8) }
}

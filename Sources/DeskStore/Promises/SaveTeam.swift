public import DeskModel

/// Makes a team of a business, or changes what is named of one.
///
/// Refused as `notFound` without the business or the team, as `nameTaken` when another of the business
/// has the name, and as `unusable` for one team or member too many and for a person who has none of the
/// permitted roles in the business.
public struct SaveTeam: WriteStep {
    /// What is made or changed; nil members stay as they are.
    public struct Values: Hashable, Sendable {
        /// The name.
        public var name: String?
        /// The colour, `#rrggbb`.
        public var colour: String?
        /// Everybody who belongs to it, instead of those before.
        public var members: [AgentID]?
        /// Who belongs to it besides.
        public var joining: [AgentID] = []
        /// Who no longer belongs to it.
        public var leaving: Set<AgentID> = []
        /// Whether it is given no further conversation.
        public var isRetired: Bool?

        /// Changes nothing.
        public init() {}
    }

    let id: TeamID
    let business: BusinessID
    let isNew: Bool
    let values: Values
    let permitted: Set<Role>
    let author: Author
    let time: Timestamp

    /// Says who makes or changes what; a new one needs a name and a colour.
    ///
    /// - Parameter permitted: the roles whose members can be added, as the table of permissions has them.
    public init(
        _ id: TeamID, of business: BusinessID, isNew: Bool, _ values: Values,
        permitted: Set<Role> = [], by author: Author, at time: Timestamp
    ) {
        self.permitted = permitted
        self.id = id
        self.business = business
        self.isNew = isNew
        self.values = values
        self.author = author
        self.time = time
    }
}

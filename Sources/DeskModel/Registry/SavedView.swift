/// A filter of conversations under a name, of one agent or of all members of a business.
public struct SavedView: Hashable, Sendable {
    /// Most views that a business shares, and most that one agent has.
    public static let most = 50
    /// Longest name in bytes.
    public static let maximumNameBytes = 120
    /// Up to here conversations of a view are counted one by one.
    public static let mostCounted = 1_000

    /// Its name for ever.
    public let id: SavedViewID
    /// Of whose conversations it shows some; nil for those of every business that its owner may see.
    public var business: BusinessID?
    /// The agent who alone sees it; nil for one that all members of the business share.
    public var owner: AgentID?
    /// What people call it.
    public var name: String
    /// What it shows and in which order, a JSON object's text; it may hold words of customers.
    public var filter: [UInt8]
    /// Its place in lists; those with the same are sorted by name.
    public var order: Int

    /// Describes a view; a shared one has a business.
    public init(
        id: SavedViewID, business: BusinessID?, owner: AgentID?, name: String, filter: [UInt8],
        order: Int = 0
    ) {
        self.id = id
        self.business = business
        self.owner = owner
        self.name = name
        self.filter = filter
        self.order = order
    }

    /// Whose views are counted together: all that a business shares, or all of an agent.
    public enum Scope: Hashable, Sendable {
        /// What the members of a business share.
        case business(BusinessID)
        /// What an agent has alone.
        case agent(AgentID)
    }

    /// Where it lies; nil for a shared one without a business, which is none.
    public var scope: Scope? {
        owner.map { .agent($0) } ?? business.map { .business($0) }
    }
}

/// Several actions that an agent has done to a conversation at once.
public struct Macro: Hashable, Sendable {
    /// Most macros that a business shares, and most that one agent has for it; retired ones included.
    public static let most = 100
    /// Longest name in bytes.
    public static let maximumNameBytes = 120

    /// Its name for ever.
    public let id: MacroID
    /// Whose conversations it is for.
    public let business: BusinessID
    /// The agent who alone sees it; nil for one that all share.
    public let owner: AgentID?
    /// What people call it.
    public var name: String
    /// The parameters that it asks for, a JSON array's text as a template's are.
    public var parameters: [UInt8]
    /// What it does, a JSON array's text with placeholders.
    public var actions: [UInt8]
    /// Whether it is offered no longer.
    public var isRetired: Bool

    /// Describes a macro.
    public init(
        id: MacroID, business: BusinessID, owner: AgentID?, name: String, parameters: [UInt8],
        actions: [UInt8], isRetired: Bool = false
    ) {
        self.id = id
        self.business = business
        self.owner = owner
        self.name = name
        self.parameters = parameters
        self.actions = actions
        self.isRetired = isRetired
    }
}

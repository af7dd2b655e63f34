/// When a business or one of its teams answers, as it is stored.
public struct StoredHours: Hashable, Sendable {
    /// Whose hours they are.
    public let business: BusinessID
    /// The team that they are for; nil for the business itself.
    public let team: TeamID?
    /// The hours as a JSON object's text, in the form that the calendar writes.
    public let data: [UInt8]

    /// Puts the three together.
    public init(of business: BusinessID, for team: TeamID? = nil, data: [UInt8]) {
        self.business = business
        self.team = team
        self.data = data
    }
}

public import DeskModel

/// When businesses and teams answer; set and removed through the log.
public protocol HoursRegistry: Sendable {
    /// Lists the hours of a business, its own first, and those of its teams.
    ///
    /// Limit: one of the business and one of each team.
    func hours(of business: BusinessID) async throws(StoreError) -> [StoredHours]
}

/// Sets or removes the hours of a business or of one of its teams, and appends their event.
///
/// Refused as `notFound` without the business or the team, also for a retired team.
public struct SaveHours: WriteStep {
    let business: BusinessID
    let team: TeamID?
    let data: [UInt8]?
    let event: [UInt8]
    let author: Author
    let time: Timestamp

    /// Says who sets what; nil removes the hours.
    ///
    /// - Parameter event: what the event says, a JSON object's text.
    public init(
        of business: BusinessID, for team: TeamID?, _ data: [UInt8]?, event: [UInt8],
        by author: Author, at time: Timestamp
    ) {
        self.business = business
        self.team = team
        self.data = data
        self.event = event
        self.author = author
        self.time = time
    }

    /// Replaces what there was.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}

extension GroupDecision {
    /// Sets or removes hours.
    mutating func save(_ step: SaveHours) throws(Undecided) {
        let number = try require(step.business)
        if let team = step.team {
            guard
                try teams(of: step.business).contains(where: { $0.id == team && !$0.isRetired })
            else { throw .refused(.notFound) }
        }
        changes.append(.hours(step.data, of: step.business, for: step.team))
        changes.append(
            .registry(
                .contents(.saveHours(of: step.business, for: step.team)), author: step.author))
        put(DueWork.recount(of: step.business, for: step.team, at: step.time))
        append(
            .hoursSaved, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }
}

public import DeskModel

/// How soon businesses want to answer; set and removed through the log.
public protocol ServiceLevelRegistry: Sendable {
    /// Finds what a business promises, a JSON object's text; nil where it promises nothing.
    func serviceLevels(of business: BusinessID) async throws(StoreError) -> [UInt8]?
}

/// Sets or removes the service levels of a business, and appends their event.
///
/// Refused as `notFound` without the business.
public struct SaveServiceLevels: WriteStep {
    let data: [UInt8]?
    let business: BusinessID
    let event: [UInt8]
    let author: Author
    let time: Timestamp

    /// Says who sets what; nil removes them.
    ///
    /// - Parameter event: what the event says, a JSON object's text.
    public init(
        _ data: [UInt8]?, of business: BusinessID, event: [UInt8], by author: Author,
        at time: Timestamp
    ) {
        self.data = data
        self.business = business
        self.event = event
        self.author = author
        self.time = time
    }

    /// Replaces what there was.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}

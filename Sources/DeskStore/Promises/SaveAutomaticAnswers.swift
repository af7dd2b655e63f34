public import DeskModel

/// What the server answers by itself; chosen through the log.
public protocol AutomaticAnswerRegistry: Sendable {
    /// Finds what is answered for a business; nothing where it chose nothing.
    func automaticAnswers(of business: BusinessID) async throws(StoreError) -> AutomaticAnswers
}

/// Chooses what the server answers by itself for a business, and appends the event of it.
///
/// Refused as `notFound` without the business.
public struct SaveAutomaticAnswers: WriteStep {
    let answers: AutomaticAnswers
    let business: BusinessID
    let event: [UInt8]
    let author: Author
    let time: Timestamp

    /// Says who chooses what.
    ///
    /// - Parameter event: what the event says, a JSON object's text.
    public init(
        _ answers: AutomaticAnswers, of business: BusinessID, event: [UInt8], by author: Author,
        at time: Timestamp
    ) {
        self.answers = answers
        self.business = business
        self.event = event
        self.author = author
        self.time = time
    }

    /// Replaces what was chosen before.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}

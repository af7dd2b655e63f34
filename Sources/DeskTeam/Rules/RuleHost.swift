package import DeskCalendar
package import DeskModel
package import DeskStore

/// What rules need of the server around them.
package protocol RuleHost: Sendable {
    /// A template for a conversation, filled and judged as it is when an agent sends it.
    ///
    /// - Throws: why it cannot be sent.
    func submission(
        of template: TemplateName, values: [UInt8], to conversation: Conversation,
        by author: Author
    ) async throws(RuleFailure) -> Submission

    /// When a team answers, by its own hours or else by its business's; nil is always.
    func openingTimes(of team: TeamID?, _ stored: [StoredHours]) -> OpeningTimes?

    /// The roles of members to whom a conversation can be assigned.
    var handlingRoles: Set<Role> { get }

    /// A refusal in words.
    func words(for refusal: Refusal) -> String
}

/// Why a rule did not do what it was to do.
package enum RuleFailure: Error, Sendable {
    /// It cannot be done, with a code and a sentence.
    case refused(code: String, detail: String)
    /// The store did not answer; it is tried again.
    case store(StoreError)
}

package import DeskCalendar
import DeskHTTP
package import DeskModel
import DeskStore
package import DeskTeam
import DeskWeb

/// What rules need of the server: judging messages, clocks, words.
package struct RuleSurroundings: RuleHost {
    private let services: Services

    /// Judges as the API does.
    package init(_ services: Services) { self.services = services }

    /// A template for a conversation, filled without anybody's help, and judged.
    package func submission(
        of template: TemplateName, values: [UInt8], to conversation: Conversation,
        by author: Author
    ) async throws(RuleFailure) -> Submission {
        do throws(Problem) {
            return try await services.unattendedMessage(
                template, values: values, to: conversation, by: author)
        } catch {
            // A full disk or a store that is away: the batch comes again.
            guard error.code.status != .serviceUnavailable else {
                throw .store(StoreError(.unavailable, "a rule waits: \(error.code.rawValue)"))
            }
            throw .refused(code: error.code.rawValue, detail: error.detail)
        }
    }

    /// When a team answers; nil is always.
    package func openingTimes(of team: TeamID?, _ stored: [StoredHours]) -> OpeningTimes? {
        services.openingTimes(of: team, stored)
    }

    /// The roles of members to whom a conversation can be assigned.
    package var handlingRoles: Set<Role> { services.handlingRoles }

    /// A refusal as the API says it.
    package func words(for refusal: Refusal) -> String { Problem(refusal).detail }
}

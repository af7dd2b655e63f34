import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a request changes of a conversation's team.
struct TeamChange {
    /// The change; nil when the request does not speak of the team.
    private(set) var change: ConversationChange?
    /// Reads the members of a request's body.
    ///
    /// What cannot be is a finding; the commit decides again.
    init(
        _ fields: inout Fields, _ conversation: Conversation, _ services: Services
    ) async throws(Problem) {
        let list = "GET /api/businesses/\(conversation.business.text)/teams"
        guard let value = fields.value("team") else { return }
        if value.isNull {
            change = .move(to: nil)
            return
        }
        let teams = try await services.asking { store throws(StoreError) in
            try await store.teams(of: conversation.business)
        }
        let id = value.string.flatMap { TeamID($0) }
        guard let team = teams.first(where: { $0.id == id }),
            !team.isRetired || team.id == conversation.team
        else {
            fields.note(
                "team", "null, or the id of a team of the business that is not retired",
                "Take the id from \(list).")
            return
        }
        change = .move(to: team.id)
    }
}

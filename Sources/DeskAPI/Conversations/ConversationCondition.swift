import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What must be so of a conversation for a change to be made; what is nil is not asked for.
struct ConversationCondition {
    private var assignee: AgentID??
    private var team: TeamID??
    private var state: ConversationState?
    private var priority: Priority?
    private var has: [LabelID] = []
    private var lacks: [LabelID] = []
    private var metadata: Metadata.Change?

    /// Asks for nothing.
    init() {}

    /// Reads the members that begin with `if`; what cannot be is a finding.
    init(_ fields: inout Fields) throws(Problem) {
        assignee = Self.id("ifAssignee", of: "an agent", &fields)
        team = Self.id("ifTeam", of: "a team", &fields)
        state = fields.word("ifState", ConversationState.self)
        priority = fields.word("ifPriority", Priority.self)
        metadata = fields.metadataOfMany("ifMetadata")
        guard let value = fields.value("ifLabels"), !value.isNull else { return }
        var members = try Fields(value)
        has = LabelChange.ids("has", &members)
        lacks = LabelChange.ids("lacks", &members)
        try members.finish()
    }

    /// What a commit itself can look at: the assignee and the team.
    func demands(of conversation: ConversationID) -> [Write] {
        var demands: [Write] = []
        if let assignee { demands.append(.requireAssignee(assignee, of: conversation)) }
        if let team { demands.append(.requireTeam(team, of: conversation)) }
        return demands
    }

    /// Whether it asks for more than those: that holds for the revision that was looked at.
    var needsRevision: Bool {
        state != nil || priority != nil || !has.isEmpty || !lacks.isEmpty || metadata != nil
    }

    private static func id<ID: UniquelyNamed>(
        _ name: String, of what: String, _ fields: inout Fields
    ) -> ID?? {
        guard let value = fields.value(name) else { return nil }
        let id = value.string.flatMap { ID($0) }
        guard id != nil || value.isNull else {
            fields.note(
                name, "null, or the id of \(what)",
                "Send the id as the conversation showed it.")
            return nil
        }
        return .some(id)
    }

    /// Refuses a conversation that is different, with what it is now.
    func require(_ conversation: Conversation) throws(Problem) {
        if let assignee, assignee != conversation.assignee {
            throw Problem(Refusal.alreadyAssigned)
        }
        if let team, team != conversation.team { throw Problem(Refusal.alreadyAssigned) }
        let different: String? =
            if let state, state != conversation.state {
                "state is \(conversation.state.rawValue)"
            } else if let priority, priority != conversation.priority {
                "priority is \(conversation.priority.rawValue)"
            } else if !has.allSatisfy({ conversation.labels.contains($0) })
                || lacks.contains(where: { conversation.labels.contains($0) })
            {
                "labels are others"
            } else if let metadata,
                conversation.metadata.changed(by: metadata) != conversation.metadata
            {
                "metadata is other"
            } else {
                nil
            }
        guard let different else { return }
        throw Problem(
            .preconditionFailed,
            "The conversation was changed since, and is left as it is: its \(different) now.")
    }
}

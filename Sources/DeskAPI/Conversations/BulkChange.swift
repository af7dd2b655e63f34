import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a request does to a conversation that it has not looked at.
///
/// It has the members of a change of one conversation, conditions among them: what must still be so for the
/// conversation to be changed. Each commit decides whether the people, teams and labels can be used there.
struct BulkChange {
    /// Most names of metadata that it changes.
    static let mostMetadata = 10

    /// The changes, in the order in which they are made.
    private(set) var changes: [ConversationChange] = []
    /// The person whom it assigns, who must be a member.
    private var assignee: AgentID?
    /// What must still be so.
    private var condition = ConversationCondition()

    /// Reads the object of a change.
    ///
    /// - Throws: `invalid` with all that is wrong with it.
    init(_ value: JSONValue, by principal: Principal, at now: Timestamp) throws(Problem) {
        var fields = try Fields(value)
        if let metadata = fields.metadataOfMany() { changes.append(.annotate(metadata)) }
        if let priority = fields.word("priority", Priority.self) {
            changes.append(.prioritize(priority))
        }
        if let labels = try LabelChange.read(&fields) {
            changes.append(.label(add: labels.add, remove: labels.remove))
        }
        if let value = fields.value("team") {
            let team = value.string.flatMap { TeamID($0) }
            if team == nil, !value.isNull {
                fields.note("team", "null, or the id of a team", "Take the id of a team.")
            }
            changes.append(.move(to: team))
        }
        if let value = fields.value("assignee") {
            assignee = value.string.flatMap { AgentID($0) }
            if case .agent(let agent) = principal, value.equals("me") { assignee = agent.agent.id }
            if assignee == nil, !value.isNull {
                fields.note(
                    "assignee", "null, or the id of a member; of a person who is signed in also me",
                    "Take the id of a member.")
            }
            changes.append(.assign(assignee))
        }
        if let change = StateChange(&fields, at: now).change { changes.append(change) }
        condition = try ConversationCondition(&fields)
        try fields.finish()
    }

    /// Refuses to change a conversation of which something is different from what the request demands.
    func requireUnchanged(_ conversation: Conversation) throws(Problem) {
        try condition.require(conversation)
    }

    /// What must hold for a conversation of a business.
    ///
    /// - Parameter handling: the roles of those to whom it can be assigned.
    func demands(in business: BusinessID, handling: Set<Role>) -> [Write] {
        assignee.map { [.requireMember($0, of: business, in: handling)] } ?? []
    }
}

/// What brings a conversation back to what it was before a change.
struct ConversationUndo {
    private let before: Conversation
    private let after: Conversation

    /// Nil where nothing was changed.
    init?(from before: Conversation, to after: Conversation) {
        self.before = before
        self.after = after
        guard
            before.assignee != after.assignee || before.team != after.team
                || before.priority != after.priority || before.labels != after.labels
                || before.metadata != after.metadata || isOtherState
        else { return nil }
    }

    private var isOtherState: Bool {
        before.state != after.state || before.snoozedUntil != after.snoozedUntil
    }

    /// Writes it as the body of a change of the conversation.
    ///
    /// It demands that what was changed is still so: what others changed since is left as it is.
    func write(to text: inout JSONWriter) {
        text.object { text in
            writeConditions(to: &text)
            if before.assignee != after.assignee {
                text.member("assignee", before.assignee?.text)
            }
            if before.team != after.team { text.member("team", before.team?.text) }
            if before.priority != after.priority {
                text.member("priority", before.priority.rawValue)
            }
            if before.labels != after.labels {
                text.member("labels") { text in
                    text.object { text in
                        text.member("add") { $0.ids(before.labels, without: after.labels) }
                        text.member("remove") { $0.ids(after.labels, without: before.labels) }
                    }
                }
            }
            if before.metadata != after.metadata {
                text.member("metadata") {
                    $0.values(of: before.metadata, differingIn: after.metadata)
                }
            }
            if isOtherState {
                text.member("state", before.state.rawValue)
                if let until = before.snoozedUntil { text.member("snoozedUntil", until) }
                if after.state == .closed { text.member("undoClose", true) }
            }
        }
    }
}

extension ConversationUndo {
    private func writeConditions(to text: inout JSONWriter) {
        if before.assignee != after.assignee { text.member("ifAssignee", after.assignee?.text) }
        if before.team != after.team { text.member("ifTeam", after.team?.text) }
        if before.priority != after.priority {
            text.member("ifPriority", after.priority.rawValue)
        }
        if isOtherState { text.member("ifState", after.state.rawValue) }
        if before.metadata != after.metadata {
            text.member("ifMetadata") {
                $0.values(of: after.metadata, differingIn: before.metadata)
            }
        }
        guard before.labels != after.labels else { return }
        text.member("ifLabels") { text in
            text.object { text in
                text.member("has") { $0.ids(after.labels, without: before.labels) }
                text.member("lacks") { $0.ids(before.labels, without: after.labels) }
            }
        }
    }
}

extension JSONWriter {
    /// Writes what metadata has of the names that are different in another one; null for one that it has not.
    fileprivate mutating func values(of metadata: Metadata, differingIn other: Metadata) {
        let (set, removed) = metadata.names(changedTo: other)
        object { text in
            for name in set + removed {
                text.key(text: name)
                if let value = metadata[name] { text.string(value) } else { text.null() }
            }
        }
    }

    fileprivate mutating func ids(_ labels: [LabelID], without others: [LabelID]) {
        array { text in
            for label in labels where !others.contains(label) { text.string(label.text) }
        }
    }
}

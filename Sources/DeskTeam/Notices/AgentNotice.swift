import DeskJSON
package import DeskModel

/// Whom an event is news to, and why.
///
/// `web/console/notice-rules.js` decides the same for a console that is open; a test has both judge the events of one story.
package struct AgentNotice: Hashable, Sendable {
    /// Who is notified.
    package enum Audience: Hashable, Sendable {
        /// These agents.
        case agents([AgentID])
        /// All who handle conversations in the business, but these agents.
        case handlers(but: [AgentID] = [])
    }

    /// Why.
    package let reason: NoticeReason
    /// Who.
    package let audience: Audience
    /// Where a look leads.
    package let conversation: ConversationID
    /// Whether it is no news while a bot controls the conversation, which answers then.
    package let waitsForPeople: Bool

    private init(
        _ reason: NoticeReason, _ audience: Audience, in conversation: ConversationID,
        waitsForPeople: Bool = false
    ) {
        self.reason = reason
        self.audience = audience
        self.conversation = conversation
        self.waitsForPeople = waitsForPeople
    }

    /// Whether it reaches an agent of the business.
    package func reaches(_ agent: AgentID, handling handles: Bool) -> Bool {
        switch audience {
        case .agents(let agents): agents.contains(agent)
        case .handlers(but: let others): handles && !others.contains(agent)
        }
    }

    /// The types of events that may be news.
    package static let types: Set<EventType> = [
        .messageAccepted, .conversationAssigned, .conversationTeamChanged, .conversationClosed,
        .conversationReopened, .conversationParticipantsChanged, .noteAdded, .noteEdited,
        .conversationControlChanged, .contactSaved,
    ]

    /// What an event is to whom; each agent is in one of them at most.
    package static func all(of event: Event) -> [AgentNotice] {
        guard !event.isImported else { return [] }
        switch event.body {
        case .message(let message): return event.type == .messageAccepted ? of(message, event) : []
        case .note(let note): return of(note, event)
        case .conversation(let step): return of(step, event)
        case .json(let data):
            switch event.type {
            case .contactSaved: return ofContact(data)
            case .conversationControlChanged: return ofHandOver(data, event)
            default: return []
            }
        }
    }

    /// A customer's message but a score: to the assignee, or where there is none the first that waits to all.
    private static func of(_ message: StoredMessage, _ event: Event) -> [AgentNotice] {
        guard let now = event.conversation, message.facts.direction == .inbound,
            now.satisfaction?.answer?.message != message.id
        else { return [] }
        if let assignee = now.assignee {
            return [AgentNotice(.mine, .agents([assignee]), in: now.id)]
        }
        guard now.state == .open, now.waitingSince == message.time else { return [] }
        return [AgentNotice(.unassigned, .handlers(), in: now.id, waitsForPeople: true)]
    }

    /// A bot let go: the customer waits for people, unless one of them was named, who is assigned then.
    private static func ofHandOver(_ data: [UInt8], _ event: Event) -> [AgentNotice] {
        // Safe: what cannot be read was written by another program, and is no news.
        guard let conversation = event.conversation,
            let root = try? JSONDocument(parsing: data).root,
            root["from"]?["type"]?.string == "bot"
        else { return [] }
        let next = root["to"]?["type"]?.string
        guard next == nil || next == "team" else { return [] }
        return [AgentNotice(.unassigned, .handlers(), in: conversation.id)]
    }

    private static func of(_ note: Note, _ event: Event) -> [AgentNotice] {
        guard let conversation = event.conversation, types.contains(event.type) else { return [] }
        // Who was mentioned before has been notified: a corrected word of a note is no news.
        let mentioned = note.mentions.filter {
            .agent($0) != note.author
                && (event.type == .noteAdded || note.mentioning($0) == event.time)
        }
        return mentioned.isEmpty
            ? [] : [AgentNotice(.mention, .agents(mentioned), in: conversation.id)]
    }

    /// A change by another of a conversation that one has, had, is a participant of or follows.
    private static func of(_ step: ConversationStep, _ event: Event) -> [AgentNotice] {
        guard let now = event.conversation, let reason = changes[event.type] else { return [] }
        var concerned = now.concerned
        switch step.change {
        case .assignee(let from?, to: _, by: _): concerned.append(from)
        case .participants(added: _, let removed): concerned += removed
        default: break
        }
        concerned = concerned.filter { .agent($0) != step.author }
        var found: [AgentNotice] = []
        if reason == .handed, let assignee = now.assignee {
            if concerned.contains(assignee) {
                found.append(AgentNotice(.assigned, .agents([assignee]), in: now.id))
            }
            concerned.removeAll { $0 == assignee }
        }
        if !concerned.isEmpty {
            found.append(AgentNotice(reason, .agents(concerned), in: now.id))
        }
        // It woke: the one who snoozed it need not be there.
        if reason == .reopened, step.author == .server, now.assignee == nil {
            found.append(
                AgentNotice(
                    .unassigned, .handlers(but: concerned), in: now.id, waitsForPeople: true))
        }
        return found
    }

    private static let changes: [EventType: NoticeReason] = [
        .conversationAssigned: .handed, .conversationTeamChanged: .moved,
        .conversationClosed: .closed, .conversationReopened: .reopened,
        .conversationParticipantsChanged: .participants,
    ]

    /// A contact was renamed; its first conversation has its id.
    private static func ofContact(_ data: [UInt8]) -> [AgentNotice] {
        // Safe: what cannot be read was written by another program, and is no news.
        guard let root = try? JSONDocument(parsing: data).root,
            let id = root["contact"]?["id"]?.string.flatMap({ UniqueID($0) }),
            root["change"]?["name"] != nil
        else { return [] }
        let author = root["by"]?["id"]?.string
        var concerned: [AgentID] = []
        for name in root["concerned"]?.elements.compactMap(\.string) ?? [] where name != author {
            if let agent = UniqueID(name) { concerned.append(AgentID(agent)) }
        }
        return concerned.isEmpty
            ? [] : [AgentNotice(.renamed, .agents(concerned), in: ConversationID(id))]
    }
}

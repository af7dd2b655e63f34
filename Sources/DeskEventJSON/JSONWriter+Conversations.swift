package import DeskJSON
package import DeskModel
import DeskStore

extension JSONWriter {
    /// Writes a conversation as the business sees it; that the customer muted it is not shown.
    ///
    /// `own` adds what only the asking agent sees of it.
    package mutating func conversation(
        _ conversation: Conversation, _ authorNames: AuthorNames,
        own: (inout JSONWriter) -> Void = { _ in }
    ) {
        object { text in
            text.member("id", conversation.id.text)
            text.member("business", conversation.business.text)
            text.member("customer") { $0.customer(of: conversation) }
            text.member("contact") {
                $0.object {
                    $0.member("id", conversation.contact.text)
                    $0.member("name", conversation.contactName)
                }
            }
            text.member("state", conversation.state.rawValue)
            text.member("snoozedUntil", conversation.snoozedUntil)
            text.member("assignee") { $0.assignee(conversation.assignee, authorNames) }
            text.member("team", conversation.team?.text)
            text.member("participants") { $0.agents(conversation.participants, authorNames) }
            text.member("watchers") { $0.agents(conversation.watchers, authorNames) }
            text.member("priority", conversation.priority.rawValue)
            text.member("labels") { $0.labels(conversation.labels) }
            text.member("attributes") { $0.attributes(conversation.attributes) }
            text.member("metadata") { $0.metadata(conversation.metadata) }
            text.member("left", conversation.hasLeft)
            text.member("blockedAt", conversation.blockedAt)
            // Most channels have no such end, and say nothing of it.
            if let end = conversation.freeFormUntil { text.member("freeFormUntil", end) }
            text.member("intent", conversation.customer.intent)
            text.member("group", conversation.customer.group)
            text.member("openedAt", conversation.openedAt)
            text.member("lastMessage") { $0.lastMessage(conversation.last, authorNames) }
            text.member("waitingSince", conversation.waitingSince)
            text.member("answerDue") { $0.answerDue(conversation.answerDue) }
            text.member("satisfaction") { $0.satisfaction(conversation.satisfaction, authorNames) }
            text.member("unread", conversation.unread)
            text.member("sequence", Int(conversation.newest.value))
            text.member("revision", Int(conversation.revision.value))
            own(&text)
        }
    }

    private mutating func answerDue(_ due: AnswerDue?) {
        guard let due, let at = due.at else { return null() }
        object {
            $0.member("kind", due.kind.rawValue)
            $0.member("at", at)
        }
    }

    /// Writes what an event changed: before and after.
    mutating func change(_ change: StepChange, _ authorNames: AuthorNames) {
        object { text in
            switch change {
            case .assignee(let from, let to, let cause):
                text.member("assignee") { text in
                    text.object { text in
                        text.member("from") { $0.assignee(from, authorNames) }
                        text.member("to") { $0.assignee(to, authorNames) }
                    }
                }
                if cause == .reply { text.member("byReply", true) }
                if let word = cause.automatic { text.member("automatic", word) }
            case .priority(let from, let to):
                text.member("priority") {
                    $0.object {
                        $0.member("from", from.rawValue)
                        $0.member("to", to.rawValue)
                    }
                }
            case .team(let from, let to):
                text.member("team") {
                    $0.object {
                        $0.member("from", from?.text)
                        $0.member("to", to?.text)
                    }
                }
            case .attributes(let steps):
                text.member("attributes") { text in
                    text.object { text in
                        for step in steps {
                            text.key(text: step.key)
                            text.object { text in
                                text.member("from") { $0.attribute(step.from) }
                                text.member("to") { $0.attribute(step.to) }
                            }
                        }
                    }
                }
            case .participants(let added, let removed):
                text.member("participants") { $0.agents(added, removed, authorNames) }
            case .watchers(let added, let removed):
                text.member("watchers") { $0.agents(added, removed, authorNames) }
            case .labels(let added, let removed):
                text.member("labels") { text in
                    text.object { text in
                        text.member("added") { $0.labels(added) }
                        text.member("removed") { $0.labels(removed) }
                    }
                }
            case .satisfaction(let step):
                text.member("satisfaction") { $0.satisfaction(step, authorNames) }
            case .overdue(let kind, let due):
                text.member("overdue") {
                    $0.object {
                        $0.member("answer", kind.rawValue)
                        $0.member("dueAt", due)
                    }
                }
            case .waiting(let ended):
                text.member("waiting") { text in
                    text.object { text in
                        text.member("since", ended.since)
                        text.member("answerDue") { $0.answerDue(ended.answer) }
                    }
                }
            }
        }
    }

    /// Writes the values of attributes by their keys.
    package mutating func attributes(_ attributes: [String: AttributeValue]) {
        object { text in
            for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                text.key(text: key)
                text.attribute(value)
            }
        }
    }

    private mutating func attribute(_ value: AttributeValue?) {
        switch value {
        case nil: null()
        case .text(let text): string(text)
        case .number(let number): raw(Array(AttributeValue.written(number).utf8))
        }
    }

    private mutating func labels(_ labels: [LabelID]) {
        array { text in
            for label in labels { text.string(label.text) }
        }
    }

    mutating func assignee(_ agent: AgentID?, _ authorNames: AuthorNames) {
        guard let agent else { return null() }
        object {
            $0.member("id", agent.text)
            $0.member("name", authorNames.name(of: agent))
        }
    }

    private mutating func agents(_ agents: [AgentID], _ authorNames: AuthorNames) {
        array { text in for agent in agents { text.assignee(agent, authorNames) } }
    }

    private mutating func agents(
        _ added: [AgentID], _ removed: [AgentID], _ authorNames: AuthorNames
    ) {
        object { text in
            text.member("added") { $0.agents(added, authorNames) }
            text.member("removed") { $0.agents(removed, authorNames) }
        }
    }

    private mutating func customer(of conversation: Conversation) {
        let customer = conversation.customer
        object { text in
            text.member("id", customer.id.text)
            text.member("name", customer.name)
            if conversation.isPersonErased { text.member("erased", true) }
            text.member("locale", customer.locale)
            text.member("capabilities") { text in
                guard let capabilities = customer.capabilities else { return text.null() }
                text.array { text in
                    for capability in capabilities { text.string(capability) }
                }
            }
        }
    }

    /// Writes what lists show of a message; null for none.
    package mutating func lastMessage(_ last: LastMessage?, _ authorNames: AuthorNames) {
        guard let last else { return null() }
        object {
            $0.member("id", last.id.text)
            $0.member("sequence", Int(last.sequence.value))
            $0.member("direction", last.direction.rawValue)
            $0.member("kind", last.kind.rawValue)
            $0.member("author") { $0.author(last.author, authorNames) }
            $0.member("summary", last.summary)
            $0.member("time", last.time)
            if let erasedAt = last.erasedAt { $0.member("erasedAt", erasedAt) }
        }
    }
}

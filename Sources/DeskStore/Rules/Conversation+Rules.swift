package import DeskModel

/// What a message or change does to its conversation: the same for every store.
extension Conversation {
    /// Applies a message and returns the events that go before its own.
    ///
    /// A customer's message clears left, closed and snoozed; an answer ends the waiting, unless it is the
    /// server's own. An answer to a question about satisfaction changes none of that.
    ///
    /// - Parameter isRating: whether it is such an answer.
    /// - Throws: `customerLeft` for an outbound message after the customer left, `replyWindowOver` for one
    ///   after the channel's time for answers that is no template of the channel, and `customerBlocked` for one of a customer who is blocked.
    package mutating func take(
        _ message: MessageFacts, id: MessageID, isRating: Bool = false, at time: Timestamp
    ) throws(Refusal) -> [EventType] {
        var events: [EventType] = []
        let sequence = newest.next
        switch message.direction {
        case _ where message.importedFrom != nil:
            // History: no customer waits, nothing is unread, and one who left or was blocked stays so.
            if unread == 0 { readUpTo = sequence }
        case .inbound:
            guard blockedAt == nil else { throw .customerBlocked }
            guard !isRating else {
                if unread == 0 { readUpTo = sequence }
                break
            }
            if hasLeft {
                hasLeft = false
                events.append(.customerReturned)
            }
            if state == .closed || state == .snoozed {
                state = .open
                snoozedUntil = nil
                events.append(.conversationReopened)
            }
            unread += 1
            if waitingSince == nil { waitingSince = time }
        case .outbound:
            guard !hasLeft else { throw .customerLeft }
            if let freeFormUntil, time >= freeFormUntil, message.whatsAppTemplate == nil {
                throw .replyWindowOver
            }
            guard !message.author.isByItself else {
                if unread == 0 { readUpTo = sequence }
                break
            }
            unread = 0
            readUpTo = sequence
            waitingSince = nil
            if case .agent(let agent) = message.author { join([agent]) }
        }
        last = LastMessage(
            id: id, sequence: sequence, direction: message.direction, kind: message.kind,
            author: message.author, time: time, summary: message.summary)
        settleDue()
        return events
    }

    /// Carries a change out and returns its event; nil when it has none.
    package mutating func take(_ change: ConversationChange) -> EventType? {
        let type = carryOut(change)
        settleDue()
        return type
    }

    /// Has the customer wait again, as before the conversation was closed.
    ///
    /// - Parameter answer: which answer is awaited; nil where the business promises none.
    package mutating func wait(again since: Timestamp, for answer: AnswerDue?) {
        waitingSince = since
        answerDue = answer
        settleDue()
    }

    /// An answer, closing and leaving end what was due; a state other than open pauses it.
    private mutating func settleDue() {
        guard let due = answerDue else { return }
        if waitingSince == nil || hasLeft {
            answerDue = nil
        } else if state != .open, due.at != nil {
            answerDue = AnswerDue(due.kind)
        }
    }

    /// Since when an answer is awaited of which is not computed yet when it is due; nil where none is.
    package var uncountedSince: Timestamp? {
        guard let due = answerDue, due.at == nil, state == .open, !hasLeft else { return nil }
        return waitingSince
    }

    private mutating func carryOut(_ change: ConversationChange) -> EventType? {
        switch change {
        case .assign(let agent):
            guard assignee != agent else { return nil }
            assignee = agent
            return .conversationAssigned
        case .move(let next):
            guard team != next else { return nil }
            team = next
            return .conversationTeamChanged
        case .participate(let add, let remove):
            let before = participants
            participants.removeAll { remove.contains($0) }
            join(add)
            return participants == before ? nil : .conversationParticipantsChanged
        case .watch(let agent, let watches):
            guard watchers.contains(agent) != watches else { return nil }
            if watches { watchers.append(agent) } else { watchers.removeAll { $0 == agent } }
            return .conversationWatchersChanged
        case .prioritize(let next):
            guard priority != next else { return nil }
            priority = next
            return .conversationPriorityChanged
        case .label(let add, let remove):
            let before = labels
            labels.removeAll { remove.contains($0) }
            for label in add where !labels.contains(label) { labels.append(label) }
            guard Set(labels) != Set(before) else {
                labels = before
                return nil
            }
            return .conversationLabelsChanged
        case .attribute(let values):
            let changed = attributes.changed(by: values)
            guard changed != attributes else { return nil }
            attributes = changed
            return .conversationAttributesChanged
        case .annotate(let change):
            let changed = metadata.changed(by: change)
            guard changed != metadata else { return nil }
            metadata = changed
            return .conversationMetadataChanged
        case .block(let time):
            guard (blockedAt == nil) != (time == nil) else { return nil }
            blockedAt = time
            return time == nil ? .customerUnblocked : .customerBlocked
        case .close:
            guard enter(.closed) else { return nil }
            waitingSince = nil
            return .conversationClosed
        case .snooze(let until):
            guard state != .snoozed || snoozedUntil != until else { return nil }
            state = .snoozed
            snoozedUntil = until
            return .conversationSnoozed
        case .pend: return enter(.pending) ? .conversationPending : nil
        case .reopen: return enter(.open) ? .conversationReopened : nil
        case .undoClose(let state, let until):
            return carryOut(ConversationChange(entering: state, until: until))
        case .expect(let due):
            guard state == .open, waitingSince != nil, !hasLeft, answerDue != due else {
                return nil
            }
            answerDue = due
            return .conversationAnswerDueChanged
        case .breach:
            return answerDue?.at == nil ? nil : .conversationAnswerOverdue
        case .ask(let question):
            satisfaction = Satisfaction(question, satisfaction?.answer)
            return .satisfactionAsked
        case .leave:
            guard !hasLeft else { return nil }
            hasLeft = true
            deletedUpTo = newest
            return .customerLeft
        case .mute(let isMuted):
            self.isMuted = isMuted
            return nil
        case .markRead(let sequence):
            let seen = min(sequence, newest)
            guard seen > readUpTo else { return nil }
            readUpTo = seen
            // An answer marks all before it as read, so what comes after is all the customer's, but
            // for the server's own.
            let isLastOwn = last?.author.isByItself == true && seen < newest
            unread = min(unread, Int(newest.value - seen.value) - (isLastOwn ? 1 : 0))
            if unread == 0 { readUpTo = newest }
            return nil
        case .describe(let customer):
            // The name in the protocol never changes: it is what the conversation is for.
            guard customer.id == self.customer.id else { return nil }
            self.customer = customer
            return nil
        }
    }

    /// What an event says of the conversation, and of the change that it reports.
    package func step(
        by author: Author, _ change: StepChange? = nil, isImported: Bool = false
    ) -> ConversationStep {
        ConversationStep(
            author: author, state: state, assignee: assignee, snoozedUntil: snoozedUntil,
            change: change, isImported: isImported)
    }

    /// What is different from before, as far as the state after it does not say it.
    package func change(since before: Conversation) -> StepChange? {
        if assignee != before.assignee {
            return .assignee(from: before.assignee, to: assignee, by: .hand)
        }
        if team != before.team { return .team(from: before.team, to: team) }
        if state == .closed, before.state != .closed, let since = before.waitingSince {
            return .waiting(
                EndedWaiting(since: since, answer: before.answerDue, newest: before.newest))
        }
        if priority != before.priority {
            return .priority(from: before.priority, to: priority)
        }
        if attributes != before.attributes {
            return .attributes(AttributeStep.all(from: before.attributes, to: attributes))
        }
        if participants != before.participants {
            return .participants(
                added: participants.filter { !before.participants.contains($0) },
                removed: before.participants.filter { !participants.contains($0) })
        }
        if watchers != before.watchers {
            return .watchers(
                added: watchers.filter { !before.watchers.contains($0) },
                removed: before.watchers.filter { !watchers.contains($0) })
        }
        if let asked = satisfaction?.question, asked != before.satisfaction?.question {
            return .satisfaction(Satisfaction.Step(asked))
        }
        guard labels != before.labels else { return nil }
        return .labels(
            added: labels.filter { !before.labels.contains($0) },
            removed: before.labels.filter { !labels.contains($0) })
    }

    /// The conversation beside a replayed event that made a revision; with nil, one from before
    /// revisions were counted.
    package func asOf(_ revision: Revision?) -> Conversation {
        var past = self
        past.revision = revision ?? .start
        return past
    }

    /// The conversation as an older event left it, as far as that event fixed it.
    package func asOf(_ step: ConversationStep) -> Conversation {
        var past = self
        past.state = step.state
        past.assignee = step.assignee
        past.snoozedUntil = step.snoozedUntil
        switch step.change {
        case .priority(_, let to): past.priority = to
        case .team(_, let to): past.team = to
        case .assignee, .labels, .attributes, .participants, .watchers, .overdue, .satisfaction,
            .waiting, nil:
            break
        }
        return past
    }

    /// The conversation as an older message left it, as far as the message and the newest step before
    /// it fixed that.
    package func asOf(_ message: StoredMessage, after step: ConversationStep?) -> Conversation {
        var past = step.map { asOf($0) } ?? self
        past.last = LastMessage(message)
        return past
    }

    /// Adds participants, each once; beyond the limit none.
    package mutating func join(_ agents: [AgentID]) {
        let new = agents.filter { !participants.contains($0) }
        if !new.isEmpty { participants += new.prefix(Self.mostParticipants - participants.count) }
    }

    private mutating func enter(_ next: ConversationState) -> Bool {
        guard state != next else { return false }
        state = next
        snoozedUntil = nil
        return true
    }
}

extension LastMessage {
    /// What lists show of a message.
    package init(_ message: StoredMessage) {
        self.init(
            id: message.id, sequence: message.sequence, direction: message.facts.direction,
            kind: message.facts.kind, author: message.facts.author, time: message.time,
            summary: message.facts.summary, erasedAt: message.erasedAt)
    }
}

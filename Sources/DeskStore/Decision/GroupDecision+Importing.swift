public import DeskModel

extension ImportCustomer {
    /// Answers with the conversation, and with what was done.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> ImportedConversation {
        try decision.importCustomer(self)
    }
}

extension ImportState {
    /// Answers with the conversation, and with what was done.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> ImportedConversation {
        try decision.importState(self)
    }

    /// The one that is meant.
    public var neededConversation: ConversationID? { conversation }
}

extension ImportNote {
    /// Answers with what was done.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> ImportOutcome {
        try decision.importNote(self)
    }

    /// The one that it is about.
    public var neededConversation: ConversationID? { conversation }
}

extension GroupDecision {
    /// Names the contact of a customer whose conversation an earlier step opened or found.
    mutating func importCustomer(
        _ step: ImportCustomer
    ) throws(Undecided) -> ImportedConversation {
        let key = FoundRows.CustomerKey(customer: step.customer, business: step.business)
        guard let found = rows.conversationsOf[key] else {
            throw .needs(.conversationOf(step.customer, step.business))
        }
        guard let id = found else { throw .refused(.notFound) }
        let conversation = conversations[try require(id)].row.conversation
        let before = try require(conversation.contact, of: step.business)
        let contact = try save(
            SaveContact(
                conversation.contact, of: step.business, step.values, by: step.importer,
                at: step.time, isImported: true))
        let isNew = events.contains { $0.type == .conversationOpened && $0.conversation?.id == id }
        return ImportedConversation(
            conversation: conversations[try require(id)].row.conversation,
            outcome: isNew ? .added : contact == before ? .known : .updated, keepsWork: false)
    }

    /// Adds labels to a conversation, and gives one without messages the work of another system.
    mutating func importState(_ step: ImportState) throws(Undecided) -> ImportedConversation {
        let place = try require(step.conversation)
        let before = conversations[place].row.conversation
        // Labels come first: they are all that has to be looked up, and a step is decided whole or not at all.
        var changes: [ConversationChange] = []
        if !step.labels.isEmpty { changes.append(.label(add: step.labels, remove: [])) }
        let metadata = step.added(to: before)
        if !metadata.isEmpty { changes.append(.annotate(metadata)) }
        let isFresh = before.newest == .start
        if isFresh {
            changes.append(.prioritize(step.work.priority))
            if let assignee = step.work.assignee { changes.append(.assign(assignee)) }
            changes.append(
                ConversationChange(entering: step.work.state, until: step.work.snoozedUntil))
        }
        for change in changes {
            _ = try self.change(
                ChangeConversation(
                    step.conversation, change, by: step.importer, at: step.time, isImported: true))
        }
        let after = conversations[place].row.conversation
        return ImportedConversation(
            conversation: after, outcome: after == before ? .known : .updated,
            keepsWork: !isFresh)
    }

    /// Adds a note behind the newest message, unless it is there.
    mutating func importNote(_ step: ImportNote) throws(Undecided) -> ImportOutcome {
        _ = try require(step.conversation)
        let key = FoundRows.NoteKey(id: step.id, conversation: step.conversation)
        guard let found = rows.notes[key] else {
            throw .needs(.note(step.id, in: step.conversation))
        }
        guard found == nil else { return .known }
        _ = try add(
            AddNote(
                step.id, to: step.conversation, text: step.text, by: .provider(step.author),
                at: step.time))
        return .added
    }
}

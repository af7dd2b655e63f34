public import DeskModel
public import DeskStore

/// A customer's first message, with all that begins with it.
public struct Opening: Sendable {
    /// The business written to.
    public var business: BusinessID
    /// The customer; known or new.
    public var customer: Customer
    /// The conversation's name if it is new.
    public var conversation: ConversationID
    /// The device's session, begun in the same commit.
    public var session: Session?
    /// The hash of the join code's link that led here; used once in the same commit.
    public var code: Digest?
    /// What the gateway notes of the link that the message came over, in the same commit.
    public var notes: LinkNotes
    /// The message; its `conversation` is ignored.
    public var message: Submission

    /// Puts an opening together.
    public init(
        business: BusinessID, customer: Customer, conversation: ConversationID,
        session: Session? = nil, code: Digest? = nil, notes: LinkNotes = LinkNotes(),
        message: Submission
    ) {
        self.business = business
        self.customer = customer
        self.conversation = conversation
        self.session = session
        self.code = code
        self.notes = notes
        self.message = message
    }
}

extension Broker {
    /// Opens a conversation with its first message in one commit.
    ///
    /// The caller made the conversation's name; it must be new together with the customer.
    /// - Throws: `notFound` as a refusal when the code has expired or the business is unknown, and what
    ///   `accept` throws; then nothing was stored.
    public func open(_ opening: Opening) async throws(BrokerError) -> Acceptance {
        let time = now()
        var message = opening.message
        message.conversation = opening.conversation
        var group: [Write] = [
            .open(
                OpenConversation(
                    opening.conversation, business: opening.business, customer: opening.customer,
                    at: time))
        ]
        if let session = opening.session { group.append(.session(session)) }
        if let code = opening.code {
            group.append(.redeem(link: code, for: opening.conversation, at: time))
        }
        group += opening.notes.steps(in: opening.conversation)
        return count(try await commit(NewMessage(message, at: time), after: group))
    }

    /// Finds a customer's conversation with a business, or opens one without a message.
    public func openConversation(
        of customer: Customer, with business: BusinessID
    ) async throws(BrokerError) -> Conversation {
        let opened = try await commit(
            OpenConversation(
                ConversationID(makeID()), business: business, customer: customer, at: now()))
        return opened.conversation
    }

    /// Changes a conversation and publishes the change; a change to the present state publishes
    /// nothing.
    ///
    /// - Throws: `notFound` as a refusal.
    public func change(
        _ conversation: ConversationID, _ change: ConversationChange, by author: Author
    ) async throws(BrokerError) -> Conversation {
        try await self.change(conversation, [change], by: author, if: .always)
    }

    /// Makes several changes of a conversation in one commit, all or none.
    ///
    /// - Parameter demands: steps that look at what must hold, such as `requireAssignee`.
    /// - Throws: `notFound`, `preconditionFailed` or what the demands say as refusals; then nothing was
    ///   changed.
    public func change(
        _ conversation: ConversationID, _ changes: [ConversationChange], by author: Author,
        if condition: RevisionCondition, demanding demands: [Write] = []
    ) async throws(BrokerError) -> Conversation {
        let time = now()
        let steps = changes.map { ChangeConversation(conversation, $0, by: author, at: time) }
        let first = condition.steps(for: conversation) + demands
        // Without a change the conversation is answered as it is.
        guard let last = steps.last else {
            return try await commit(RequireRevision(of: conversation, in: nil), after: first)
        }
        return try await commit(last, after: first + steps.dropLast().map { .change($0) })
    }

    /// Leaves a note for colleagues.
    ///
    /// - Throws: `notFound`, `unusable` or `preconditionFailed` as refusals.
    public func addNote(
        _ text: String, mentioning mentions: Mentioned = Mentioned(),
        to conversation: ConversationID,
        by author: Author, if condition: RevisionCondition = .always
    ) async throws(BrokerError) -> Note {
        let note = AddNote(
            NoteID(makeID()), to: conversation, text: text, mentions: mentions, by: author,
            at: now())
        return try await commit(note, after: condition.steps(for: conversation))
    }

    /// Changes the text of an author's own note, or with nil deletes it.
    ///
    /// - Throws: `notFound`, `notAuthor`, `noteDeleted` or `preconditionFailed` as refusals.
    public func changeNote(
        _ id: NoteID, in conversation: ConversationID, to text: String?,
        mentioning mentions: Mentioned = Mentioned(), by author: Author,
        if condition: RevisionCondition = .always
    ) async throws(BrokerError) -> Note {
        let note = ChangeNote(
            id, in: conversation, to: text, mentions: mentions, by: author, at: now())
        return try await commit(note, after: condition.steps(for: conversation))
    }

    /// Makes a label of a business, and its event.
    ///
    /// - Throws: `nameTaken` or `unusable` as refusals.
    public func makeLabel(
        _ values: SaveLabel.Values, of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Label {
        try await commit(
            SaveLabel(
                LabelID(makeID()), of: business, isNew: true, values, by: author, at: now()))
    }

    /// Changes a label of a business; a change to what it is already publishes nothing.
    ///
    /// - Throws: `notFound` or `nameTaken` as refusals.
    public func change(
        _ label: LabelID, of business: BusinessID, _ values: SaveLabel.Values, by author: Author
    ) async throws(BrokerError) -> Label {
        try await commit(
            SaveLabel(label, of: business, isNew: false, values, by: author, at: now()))
    }

    /// Makes a team of a business, and its event.
    ///
    /// - Throws: `nameTaken` or `unusable` as refusals.
    public func makeTeam(
        _ values: SaveTeam.Values, of business: BusinessID, permitted: Set<Role>,
        by author: Author
    ) async throws(BrokerError) -> Team {
        try await commit(
            SaveTeam(
                TeamID(makeID()), of: business, isNew: true, values, permitted: permitted,
                by: author, at: now()))
    }

    /// Changes a team of a business; a change to what it is already publishes nothing.
    ///
    /// - Throws: `notFound`, `nameTaken` or `unusable` as refusals.
    public func change(
        _ team: TeamID, of business: BusinessID, _ values: SaveTeam.Values,
        permitted: Set<Role>, by author: Author
    ) async throws(BrokerError) -> Team {
        try await commit(
            SaveTeam(
                team, of: business, isNew: false, values, permitted: permitted, by: author,
                at: now()))
    }

    /// Sets how soon a business wants to answer, or with nil removes it, and publishes the event of it;
    /// `event` is what it says, a JSON object's text.
    ///
    /// - Throws: `notFound` as a refusal.
    public func saveServiceLevels(
        _ data: [UInt8]?, of business: BusinessID, event: [UInt8], by author: Author
    ) async throws(BrokerError) {
        try await commit(
            SaveServiceLevels(data, of: business, event: event, by: author, at: now()))
    }

    /// Chooses whether and how customers of a business are asked, and publishes the event of it; `event` is
    /// what it says, a JSON object's text.
    ///
    /// - Throws: `notFound` as a refusal.
    public func saveSatisfaction(
        _ chosen: StoredSatisfaction, of business: BusinessID, event: [UInt8], by author: Author
    ) async throws(BrokerError) {
        try await commit(
            SaveSatisfaction(chosen, of: business, event: event, by: author, at: now()))
    }

    /// Saves a view; `isNew` says that it is made, and not replaced.
    ///
    /// - Throws: `notFound` or `unusable` as refusals.
    public func save(
        _ view: SavedView, isNew: Bool, by author: Author
    ) async throws(BrokerError) {
        _ = try await commit(SaveView(view, isNew: isNew, by: author, at: now()))
    }

    /// Removes a saved view.
    ///
    /// - Throws: `notFound` as a refusal.
    public func removeView(_ id: SavedViewID, by author: Author) async throws(BrokerError) {
        _ = try await commit(RemoveView(id, by: author, at: now()))
    }

    /// Sets the hours of a business or of one of its teams, or with nil removes them, and publishes
    /// their event; `event` is what it says, a JSON object's text.
    ///
    /// - Throws: `notFound` as a refusal.
    public func saveHours(
        of business: BusinessID, for team: TeamID?, _ data: [UInt8]?, event: [UInt8],
        by author: Author
    ) async throws(BrokerError) {
        try await commit(
            SaveHours(of: business, for: team, data, event: event, by: author, at: now()))
    }

    /// Chooses what the server answers by itself for a business, and publishes the event of it;
    /// `event` is what it says, a JSON object's text.
    ///
    /// - Throws: `notFound` as a refusal.
    public func save(
        _ answers: AutomaticAnswers, of business: BusinessID, event: [UInt8], by author: Author
    ) async throws(BrokerError) {
        try await commit(
            SaveAutomaticAnswers(answers, of: business, event: event, by: author, at: now()))
    }

    /// Merges a contact into another, and publishes that.
    ///
    /// - Throws: `notFound`, `alreadyMerged` or `unusable` as refusals.
    public func merge(
        _ other: ContactID, into root: ContactID, of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Contact {
        try await commit(MergeContacts(other, into: root, of: business, by: author, at: now()))
    }

    /// Undoes the merge of a contact, and publishes that.
    ///
    /// - Throws: `notFound`, `notMerged` or `alreadyMerged` as refusals.
    public func unmerge(
        _ contact: ContactID, of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Contact {
        try await commit(UnmergeContact(contact, of: business, by: author, at: now()))
    }

    /// Blocks the customers of a contact, or no longer, and publishes it of each conversation.
    ///
    /// - Throws: `notFound` or `alreadyMerged` as refusals.
    public func block(
        _ contact: ContactID, of business: BusinessID, _ isBlocked: Bool, by author: Author
    ) async throws(BrokerError) -> Contact {
        try await commit(
            BlockContact(contact, of: business, isBlocked: isBlocked, by: author, at: now()))
    }

    /// Defines an attribute of a business.
    ///
    /// - Throws: `nameTaken` or `unusable` as refusals.
    public func define(
        _ attribute: AttributeDefinition, by author: Author
    ) async throws(BrokerError) -> AttributeDefinition {
        try await commit(SaveAttribute(attribute, by: author, at: now()))
    }

    /// Changes the definition of an attribute; a change to what it is already publishes nothing.
    ///
    /// - Throws: `notFound` or `unusable` as refusals.
    public func change(
        _ attribute: AttributeID, of business: BusinessID, _ values: SaveAttribute.Values,
        by author: Author
    ) async throws(BrokerError) -> AttributeDefinition {
        try await commit(SaveAttribute(attribute, of: business, values, by: author, at: now()))
    }

    /// Changes what a business knows of a person; a change to what it is already publishes nothing.
    ///
    /// - Throws: `notFound` or `nameTaken` as refusals.
    public func change(
        _ contact: ContactID, of business: BusinessID, _ values: SaveContact.Values,
        by author: Author
    ) async throws(BrokerError) -> Contact {
        try await commit(SaveContact(contact, of: business, values, by: author, at: now()))
    }

    /// Publishes a template's next version and its event.
    public func publish(_ template: Template) async throws(BrokerError) -> Template {
        try await commit(template)
    }

    /// Publishes a template of another system, unless its newest version says the same.
    public func publish(_ step: ImportTemplate) async throws(BrokerError) -> ImportOutcome {
        try await commit(step)
    }

    /// Appends the event of another part of the server; `data` is a JSON object's text.
    public func append(
        _ type: EventType, of business: BusinessID, in conversation: ConversationID? = nil,
        data: [UInt8]
    ) async throws(BrokerError) -> EventID {
        try await commit(AppendEvent(type, of: business, in: conversation, data: data, at: now()))
    }

    /// Sends typing or presence to connected readers; nothing is stored.
    ///
    /// Agents' typing reaches the customer unless muted, presence never does.
    public func signal(_ signal: Signal) { signals.publish(signal) }

    /// Says who looks at or writes in a conversation, as one stream has it; nothing is stored.
    ///
    /// It holds until the stream says otherwise, and readers that begin meanwhile receive it. The
    /// streams of one person are combined into one state before others receive it.
    public func signal(_ signal: Signal, by stream: UniqueID) {
        signals.publish(signal, by: stream)
    }

    /// Publishes what an agent chose of being there; nothing is stored.
    ///
    /// Every process with a page of the agent does so when the page opens, and the one where the agent
    /// chooses.
    public func signal(_ chosen: ChosenAvailability, in business: BusinessID) {
        signals.publish(.choice(chosen, in: business), by: chosen.agent.value)
    }

    /// The agents who are there in a business, as others see them: online, away or busy.
    public func availability(in business: BusinessID) -> [AgentID: Signal.State] {
        var states: [AgentID: Signal.State] = [:]
        for (who, state) in tail.availability(in: business) {
            if case .agent(let agent) = who { states[agent] = state }
        }
        return states
    }

    /// The agents who use a console of a business now, also those who look offline to others.
    public func agentsAtConsoles(of business: BusinessID) -> Set<AgentID> {
        Set(
            tail.inUse(in: business).compactMap {
                if case .agent(let agent) = $0 { agent } else { nil }
            })
    }
}

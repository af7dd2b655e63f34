import DeskModel

extension GroupDecision {
    /// Opens a conversation unless the customer has one with the business already.
    mutating func open(_ step: OpenConversation) throws(Undecided) -> OpenedConversation {
        let (id, business, customer) = (step.id, step.business, step.customer)
        let number = try require(business)
        let key = FoundRows.CustomerKey(customer: customer.id, business: business)
        guard let existing = rows.conversationsOf[key] else {
            throw .needs(.conversationOf(customer.id, business))
        }
        if let existing {
            return OpenedConversation(
                conversation: conversations[try require(existing)].row.conversation, isNew: false)
        }
        guard try find(id) == nil else { throw .refused(.nameTaken) }
        var conversation = step.beginning
        conversation.activity = Position(newest + 1)
        var row = ConversationRow(
            number: 0, business: number, conversation: conversation, head: nil)
        let place = conversations.count
        changes.append(.openConversation(place))
        append(
            .conversationOpened, to: &row, at: place,
            body: .conversation(
                conversation.step(
                    by: step.importer ?? .customer(device: ""), isImported: step.importer != nil)),
            at: step.time)
        begin(Contact(of: row.conversation))
        missing.removeAll { $0 == id }
        conversations.append(DecidedConversation(row: row, change: .ofItsRow))
        rows.conversationsOf.updateValue(id, forKey: key)
        return OpenedConversation(conversation: row.conversation, isNew: true)
    }

    /// Goes on only while the conversation has one of some revisions; with nil while it exists.
    func require(_ step: RequireRevision) throws(Undecided) -> Conversation {
        let conversation = conversations[try require(step.conversation)].row.conversation
        guard step.revisions?.contains(conversation.revision) ?? true else {
            throw .refused(.preconditionFailed)
        }
        return conversation
    }

    /// Goes on only while the conversation is assigned to an agent, or with nil to none.
    func requireAssignee(
        _ agent: AgentID?, of conversation: ConversationID
    ) throws(Undecided) {
        let place = try require(conversation)
        guard conversations[place].row.conversation.assignee == agent else {
            throw .refused(.alreadyAssigned)
        }
    }

    /// Goes on only while a person is a member of a business in one of some roles.
    ///
    /// Every step that gives a person work asks this: an assignment, a capacity, a team, a mention, control.
    func requireMember(
        _ agent: AgentID, of business: BusinessID, in roles: Set<Role>
    ) throws(Undecided) {
        let key = FoundRows.MemberKey(agent: agent, business: business)
        guard let member = rows.members[key] else { throw .needs(.member(agent, of: business)) }
        guard let role = member.role, roles.contains(role) else { throw .refused(.unusable) }
    }

    /// Goes on only where a conversation has room for those who are added.
    private func requireRoom(
        _ change: ConversationChange, on conversation: Conversation
    ) throws(Undecided) {
        let count: Int
        if case .participate(let add, let remove) = change {
            let kept = conversation.participants.filter { !remove.contains($0) }
            count = Set(kept).union(add).count
        } else if case .watch(let agent, true) = change {
            count = Set(conversation.watchers).union([agent]).count
        } else {
            return
        }
        guard count <= Conversation.mostParticipants else { throw .refused(.unusable) }
    }

    /// Changes a conversation; a change to the present state has no event.
    mutating func change(_ step: ChangeConversation) throws(Undecided) -> Conversation {
        let place = try require(step.conversation)
        let before = conversations[place].row.conversation
        try requireLabels(step.change, on: before)
        try requireAttributes(step.change, on: before)
        try requireMetadata(step.change, on: before)
        try requireTeam(step.change, on: before)
        try requireRoom(step.change, on: before)
        try requirePerson(step, on: before)
        let closing = try closing(undoneBy: step, at: place)
        var row = row(at: place)
        let type = row.conversation.take(step.change)
        if let closing { try wait(again: closing, &row.conversation) }
        guard type != nil || row.conversation != before else { return before }
        let control = try controlChange(after: step, before: before, &row.conversation)
        let work = try work(of: step, type, from: before, to: row.conversation, closing)
        if let type {
            row.conversation.activity = Position(newest + 1)
            let body: EventBody
            if type.hasStep {
                let change =
                    row.conversation.change(since: before) ?? overdue(step, in: before)
                    ?? closing?.change(in: type)
                body = .conversation(
                    row.conversation.step(by: step.author, change, isImported: step.isImported))
                if type == .conversationClosed { note(change, ofClosing: step) }
            } else {
                body = .json(Self.metadataEvent(from: before, to: row.conversation, by: step))
            }
            append(type, to: &row, at: place, body: body, at: step.time)
        }
        if let control { keep(control, of: &row, at: place, by: step.author, at: step.time) }
        scheduleWake(
            of: row.conversation, before: before.snoozedUntil, by: step.author, at: step.time)
        if let control = work.control { put(control) }
        for one in work.due { put(one) }
        carryOut(breach: work.breach)
        if row.conversation.customer.name != before.customer.name {
            changes.append(.customerName(conversation: place))
        }
        if row.conversation.attributes != before.attributes {
            changes.append(.attributeValues(conversation: place))
        }
        if row.conversation.metadata != before.metadata {
            changes.append(.conversationMetadata(conversation: place))
        }
        keep(row, at: place, .ofItsRow)
        return row.conversation
    }

    /// The work that a change begins or ends, decided before anything is written down.
    private struct ChangeWork {
        var due: [DueWork] = []
        var breach: RowChange?
        /// Who controls the conversation, where its bot has another moment to answer by.
        var control: Control?
    }

    /// What a change leads to; nothing where an import made it.
    private func work(
        of step: ChangeConversation, _ type: EventType?, from before: Conversation,
        to after: Conversation, _ closing: UndoneClosing?
    ) throws(Undecided) -> ChangeWork {
        var work = ChangeWork()
        guard !step.isImported else { return work }
        var due: [DueWork?] = []
        if type == .conversationAssigned { due.append(try giveBack(of: after, since: step.time)) }
        if let closing {
            due.append(try giveBack(after: closing, of: after, at: step.time))
            work.breach = breachStep(of: after, after: closing, at: step.time)
            work.control = try botWait(after: closing, on: after, at: step.time)
        } else {
            work.breach = try breachStep(
                of: after, before: before.answerDue, by: step.author, at: step.time)
        }
        due.append(try countedAgain(after, since: before, by: step.author, at: step.time))
        if type == .conversationClosed {
            due.append(try question(after: after, at: step.time))
        }
        work.due = due.compactMap(\.self)
        return work
    }

    /// Appends an event of a business or of one of its conversations.
    mutating func append(_ step: AppendEvent) throws(Undecided) -> EventID {
        let number = try require(step.business)
        if let conversation = step.conversation {
            let place = try require(conversation)
            var row = row(at: place)
            guard row.business == number else { throw .refused(.notFound) }
            append(step.type, to: &row, at: place, body: .json(step.data), at: step.time)
            keep(row, at: place, .inItsEvents)
        } else {
            append(
                step.type, of: step.business, beside: nil, .json(step.data),
                EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        }
        return EventID(epoch: epoch, position: Position(newest))
    }
}

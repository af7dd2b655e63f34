import DeskModel

extension GroupDecision {
    /// Opens a conversation unless the customer has one with the business already.
    mutating func open(
        _ id: ConversationID, business: BusinessID, customer: Customer, at time: Timestamp
    ) throws(Undecided) -> Outcome {
        let number = try require(business)
        let key = FoundRows.CustomerKey(customer: customer.id, business: business)
        guard let existing = rows.conversationsOf[key] else {
            throw .needs(.conversationOf(customer.id, business))
        }
        if let existing {
            return .conversation(
                conversations[try require(existing)].row.conversation, isNew: false)
        }
        guard try find(id) == nil else { throw .refused(.nameTaken) }
        var conversation = Conversation(
            id: id, business: business, customer: customer, openedAt: time)
        conversation.activity = Position(newest + 1)
        var row = ConversationRow(
            number: 0, business: number, conversation: conversation, head: nil)
        let place = conversations.count
        changes.append(.openConversation(place))
        append(
            .conversationOpened, to: &row, at: place,
            body: .conversation(conversation.step(by: .customer(device: ""))), at: time)
        missing.removeAll { $0 == id }
        conversations.append(DecidedConversation(row: row, change: .ofItsRow))
        rows.conversationsOf.updateValue(id, forKey: key)
        return .conversation(row.conversation, isNew: true)
    }

    /// Goes on only while the conversation has one of some revisions; with nil while it exists.
    func demand(
        _ revisions: [Revision]?, of id: ConversationID
    ) throws(Undecided) -> Conversation {
        let conversation = conversations[try require(id)].row.conversation
        guard revisions?.contains(conversation.revision) ?? true else {
            throw .refused(.preconditionFailed)
        }
        return conversation
    }

    /// Changes a conversation; a change to what is already so has no event.
    mutating func change(
        _ id: ConversationID, _ change: ConversationChange, by author: Author, at time: Timestamp
    ) throws(Undecided) -> Conversation {
        let place = try require(id)
        let before = conversations[place].row.conversation
        var row = conversations[place].row
        let type = row.conversation.take(change)
        guard type != nil || row.conversation != before else { return before }
        if let type {
            row.conversation.activity = Position(newest + 1)
            let step = row.conversation.step(by: author)
            append(type, to: &row, at: place, body: .conversation(step), at: time)
        }
        if row.conversation.customer.name != before.customer.name {
            changes.append(.customerName(conversation: place))
        }
        keep(row, at: place, .ofItsRow)
        return row.conversation
    }

    /// Adds a note for colleagues.
    mutating func add(
        _ id: NoteID, _ text: String, to conversation: ConversationID, by author: Author,
        at time: Timestamp
    ) throws(Undecided) -> Note {
        let place = try require(conversation)
        var row = conversations[place].row
        let note = Note(
            id: id, time: time, author: author, text: text,
            afterSequence: row.conversation.newest)
        changes.append(.note(note, conversation: place))
        row.conversation.activity = Position(newest + 1)
        append(.noteAdded, to: &row, at: place, body: .note(note), isOfNote: true, at: time)
        keep(row, at: place, .ofItsRow)
        return note
    }

    /// Appends an event of a business or of one of its conversations.
    mutating func record(
        _ type: EventType, of business: BusinessID, in conversation: ConversationID?,
        _ data: [UInt8], at time: Timestamp
    ) throws(Undecided) -> EventID {
        let number = try require(business)
        if let conversation {
            let place = try require(conversation)
            var row = conversations[place].row
            guard row.business == number else { throw .refused(.notFound) }
            append(type, to: &row, at: place, body: .json(data), at: time)
            keep(row, at: place, .inItsEvents)
        } else {
            append(
                type, of: business, beside: nil, .json(data),
                EventPlace(business: number, conversation: nil, isOfNote: false), at: time)
        }
        return EventID(epoch: epoch, position: Position(newest))
    }
}

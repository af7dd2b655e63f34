import DeskModel
import DeskStore

extension WriteSession {
    /// Writes what a message changes of its conversation: the accept path's only update.
    func updateActivity(_ one: ConversationRow) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                UPDATE conversations SET newest = ?, last_id = ?, last_direction = ?, \
                last_kind = ?, last_time = ?, last_summary = ?, unread = ?, read_up_to = ?, \
                waiting_since = ?, activity = ?, head = ?, last_position = ?, revision = ?, \
                last_author_kind = ?, last_author_name = ?, seal = ? WHERE number = ?
                """)
        try bindActivity(of: one, to: statement)
        try statement.bind(one.seal)
        try statement.bind(one.number)
        try statement.run()
    }

    /// Writes every column that may change.
    func updateWhole(_ one: ConversationRow) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                UPDATE conversations SET newest = ?, last_id = ?, last_direction = ?, \
                last_kind = ?, last_time = ?, last_summary = ?, unread = ?, read_up_to = ?, \
                waiting_since = ?, activity = ?, head = ?, last_position = ?, revision = ?, \
                last_author_kind = ?, last_author_name = ?, customer_name = ?, locale = ?, capabilities = ?, intent = ?, group_name = ?, \
                state = ?, assignee = ?, snoozed_until = ?, has_left = ?, is_muted = ?, \
                customer_floor = ?, seal = ? WHERE number = ?
                """)
        try bindActivity(of: one, to: statement)
        try bindState(of: one.conversation, to: statement)
        try statement.bind(one.seal)
        try statement.bind(one.number)
        try statement.run()
    }

    /// Adds the row of a conversation that may have messages, and returns its number.
    func insert(_ one: ConversationRow) throws(StoreError) -> Int64 {
        let statement = try connection.statement(
            literal: """
                INSERT INTO conversations (newest, last_id, last_direction, last_kind, \
                last_time, last_summary, unread, read_up_to, waiting_since, activity, head, \
                last_position, revision, last_author_kind, last_author_name, customer_name, \
                locale, capabilities, intent, group_name, state, assignee, snoozed_until, \
                has_left, is_muted, customer_floor, id, business, customer, opened_at, seal) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
                ?, ?, ?, ?, ?, ?, ?)
                """)
        let conversation = one.conversation
        try bindActivity(of: one, to: statement)
        try bindState(of: conversation, to: statement)
        try statement.bind(conversation.id.value)
        try statement.bind(one.business)
        try statement.bind(conversation.customer.id.text)
        try statement.bind(conversation.openedAt)
        try statement.bind(one.seal)
        try statement.run()
        let number = connection.lastRow
        try CustomerWords.add(
            conversation.customer, of: number, in: one.business, on: connection)
        return number
    }

    /// Adds a message's row; false when the conversation has a message of that id.
    ///
    /// `posted` is the digest of what was posted, nil where that is the payload itself, and
    /// `previous` where the conversation's message before it lies, 0 before the first.
    func insert(
        _ stored: StoredMessage, posted: Digest?, ofConversation number: Int64,
        after previous: Int64
    ) throws(StoreError) -> Bool {
        let statement = try connection.statement(
            literal: """
                INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
                ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id, conversation) DO NOTHING
                """)
        let facts = stored.facts
        statement.beginSeal()
        try statement.bind(stored.position.value)
        try statement.bind(number)
        try statement.bind(stored.sequence.value)
        try statement.bind(previous)
        try statement.bind(stored.id.text)
        try statement.bind(stored.time)
        try statement.bind(facts.direction.rawValue)
        try statement.bind(facts.kind.rawValue)
        try statement.bind(facts.author.kind)
        try statement.bind(facts.author.name)
        try statement.bind(facts.origin.rawValue)
        try statement.bind(stored.digest)
        try statement.bind(posted)
        try statement.bind(Int64(stored.checksum))
        try statement.bind(facts.summary)
        try statement.bind(Fields.write(facts.headers))
        try statement.bind(facts.warnings.isEmpty ? nil : facts.warnings)
        try statement.bind(facts.template?.name.text)
        try statement.bind(facts.template.map { Int64($0.version) })
        try statement.bind(facts.template?.values)
        try statement.bind(Fields.write(facts.attachments))
        try statement.bind(facts.inReplyTo?.text)
        try statement.bind(facts.entryCode)
        try statement.bindSeal()
        try statement.bind(stored.payload.carriedBytes)
        guard try statement.runCounting() == 1 else { return false }
        if Milestones.isDue(at: stored.sequence) {
            try Milestones.add(
                stored.position.value, at: stored.sequence, in: number, on: connection)
        }
        return true
    }

    /// Adds an event's row and notes where it lies; `body` is what lies beside it.
    ///
    /// `revision` is the one that it made of its conversation.
    func insertEvent(
        _ type: EventType, at position: Int64, time: Timestamp, business: Int64,
        conversation: Int64?, subject: Int64?, revision: Revision?, body: EventRowBody
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                INSERT INTO events (position, type, time, business, conversation, subject, data, \
                revision, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        statement.beginSeal()
        try statement.bind(position)
        try statement.bind(type.rawValue)
        try statement.bind(time)
        try statement.bind(business)
        try statement.bind(conversation)
        try statement.bind(subject)
        switch body {
        case .none: statement.bindNull()
        case .step(let step): try statement.bind(Fields.write(step))
        case .json(let bytes): try statement.bind(bytes)
        }
        if let revision {
            try statement.bind(revision.value)
        } else {
            statement.skipOutsideSeal()
        }
        try statement.bindSeal()
        try statement.run()
        let stretch = position >> EventStretches.bits
        guard stretches[business] != stretch else { return }
        try EventStretches.note(position, of: business, on: connection)
        stretches[business] = stretch
    }

    /// Adds a note's row and returns its number: the one given, or the next one.
    func insert(
        _ note: Note, ofConversation conversation: Int64, number: Int64? = nil
    ) throws(StoreError) -> Int64 {
        let statement = try connection.statement(
            literal: """
                INSERT INTO notes (number, conversation, id, time, author_kind, author_name, text, \
                after_sequence, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(number)
        statement.beginSeal()
        try statement.bind(conversation)
        try statement.bind(note.id.value)
        try statement.bind(note.time)
        try statement.bind(note.author.kind)
        try statement.bind(note.author.name)
        try statement.bind(note.text)
        try statement.bind(note.afterSequence.value)
        try statement.bindSeal()
        try statement.run()
        return connection.lastRow
    }

    private func bindActivity(
        of one: ConversationRow, to statement: Statement
    ) throws(StoreError) {
        let conversation = one.conversation
        try statement.bind(conversation.newest.value)
        try statement.bind(conversation.last?.id.text)
        try statement.bind(conversation.last?.direction.rawValue)
        try statement.bind(conversation.last?.kind.rawValue)
        try statement.bind(conversation.last?.time)
        try statement.bind(conversation.last?.summary)
        try statement.bind(Int64(conversation.unread))
        try statement.bind(conversation.readUpTo.value)
        try statement.bind(conversation.waitingSince)
        try statement.bind(conversation.activity.value)
        try statement.bind(one.head)
        try statement.bind(one.end)
        try statement.bind(conversation.revision.value)
        try statement.bind(conversation.last?.author.kind)
        try statement.bind(conversation.last?.author.name)
    }

    private func bindState(
        of conversation: Conversation, to statement: Statement
    ) throws(StoreError) {
        let customer = conversation.customer
        try statement.bind(customer.name)
        try statement.bind(customer.locale)
        try statement.bind(customer.capabilities?.joined(separator: ","))
        try statement.bind(customer.intent)
        try statement.bind(customer.group)
        try statement.bind(conversation.state.rawValue)
        try statement.bind(conversation.assignee?.value)
        try statement.bind(conversation.snoozedUntil)
        try statement.bind(conversation.hasLeft)
        try statement.bind(conversation.isMuted)
        try statement.bind(conversation.customerFloor.value)
    }
}

/// What lies beside an event in its row.
enum EventRowBody {
    /// Nothing: the event tells of a message or a note.
    case none
    /// What a change fixed of its conversation.
    case step(ConversationStep)
    /// A JSON object's text.
    case json([UInt8])
}

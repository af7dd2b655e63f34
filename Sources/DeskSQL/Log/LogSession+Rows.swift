package import DeskModel
package import DeskStore

extension LogSession {
    /// Writes what a message changes of its conversation: the accept path's only update.
    package func updateActivity(_ one: ConversationRow) throws(StoreError) {
        try run(ConversationColumns.updateActivity, ConversationColumns.withMessages, of: one)
    }

    /// The same for many, by few statements.
    package func updateActivity(of all: [ConversationRow]) throws(StoreError) {
        var rest = all[...]
        while let one = rest.first {
            guard rest.count > 1, let count = [32, 8, 2].first(where: { $0 <= rest.count }) else {
                return try updateActivity(one)
            }
            let statement = try sql.statement(
                ConversationColumns.updateActivity(of: count, in: sql.dialect))
            for row in rest.prefix(count) {
                try bind(ConversationColumns.withMessages, of: row, to: statement)
            }
            try statement.run()
            rest = rest.dropFirst(count)
        }
    }

    /// Writes every column that may change.
    package func updateWhole(_ one: ConversationRow) throws(StoreError) {
        try run(ConversationColumns.updateWhole, ConversationColumns.changing, of: one)
    }

    private func run(
        _ update: String, _ columns: [ConversationColumn], of one: ConversationRow
    ) throws(StoreError) {
        let statement = try sql.statement(update)
        try bind(columns, of: one, to: statement)
        try statement.run()
    }

    private func bind(
        _ columns: [ConversationColumn], of one: ConversationRow, to statement: any SQLStatement
    ) throws(StoreError) {
        for column in columns { try statement.bind(column.value(one)) }
        try statement.bind(ConversationColumns.checksum(of: one))
        try statement.bind(one.number)
    }

    /// Adds the row of a conversation that may have messages, and returns its number.
    package func insert(_ one: ConversationRow) throws(StoreError) -> Int64 {
        let statement = try sql.statement(ConversationColumns.insert)
        for column in ConversationColumn.all { try statement.bind(column.value(one)) }
        try statement.bind(ConversationColumns.checksum(of: one))
        let number = try statement.requireNumber()
        try CustomerWords.add(
            SearchedNames(of: one.conversation), of: number, in: one.business, on: sql)
        try AttributeRows.add(
            one.conversation.attributes, of: number, in: one.business,
            state: one.conversation.state.rawValue, activity: one.conversation.activity.value,
            on: sql)
        try ConversationMetadata.add(one.conversation.metadata, of: number, on: sql)
        return number
    }

    /// Adds a message's row; false when the conversation has a message of that id.
    ///
    /// `posted` is the digest of what was posted, nil where that is the payload itself, and
    /// `previous` where the conversation's message before it lies, 0 before the first.
    package func insert(
        _ stored: StoredMessage, posted: Digest?, ofConversation number: Int64,
        after previous: Int64
    ) throws(StoreError) -> Bool {
        let statement = try requireMessageInsert()
        try bind(stored, posted: posted, ofConversation: number, after: previous, to: statement)
        if answersAtOnce {
            guard try statement.runCounting() == 1 else { return false }
        } else {
            try statement.run()
        }
        if SkipIndex.isDue(at: stored.sequence) {
            try SkipIndex.add(
                stored.position.value, at: stored.sequence, in: number, on: sql)
        }
        return true
    }

    /// Binds all columns of a message's row, its checksum and its payload.
    func bind(
        _ stored: StoredMessage, posted: Digest?, ofConversation number: Int64,
        after previous: Int64, to statement: any SQLStatement
    ) throws(StoreError) {
        let facts = stored.facts
        statement.beginChecksum()
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
        try statement.bind(RowFields.write(facts.headers))
        try statement.bind(facts.warnings.isEmpty ? nil : facts.warnings)
        try statement.bind(facts.template?.name.text)
        try statement.bind(facts.template.map { Int64($0.version) })
        try statement.bind(facts.template?.values)
        try statement.bind(RowFields.write(facts.attachments))
        try statement.bind(facts.inReplyTo?.text)
        try statement.bind(facts.entryCode)
        try statement.bind(stored.erasedAt)
        try statement.bindChecksum(.messages)
        try statement.bind(stored.payload.carriedBytes)
    }

    /// Adds an event's row and notes where it lies; `body` is what lies beside it.
    ///
    /// `revision` is the one that it made of its conversation.
    package func insertEvent(
        _ type: EventType, at position: Int64, time: Timestamp, business: Int64,
        conversation: Int64?, subject: Int64?, revision: Revision?, body: EventRowBody
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO events (position, type, time, business, conversation, subject, data, \
                revision, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        statement.beginChecksum()
        try statement.bind(position)
        try statement.bind(type.rawValue)
        try statement.bind(time)
        try statement.bind(business)
        try statement.bind(conversation)
        try statement.bind(subject)
        switch body {
        case .none: statement.bindNull()
        // As bytes, which is what the column holds: to a row checksum a text is something else.
        case .step(let step): try statement.bind(Array(RowFields.write(step).utf8))
        case .json(let bytes): try statement.bind(bytes)
        }
        try statement.bind(revision?.value)
        try statement.bindChecksum(.events)
        try statement.run()
        let range = position >> EventRanges.bits
        guard ranges[business] != range else { return }
        try EventRanges.note(position, of: business, on: sql)
        ranges[business] = range
    }

    /// Adds a note's row under the number that it had in another store.
    package func insert(
        _ note: Note, ofConversation conversation: Int64, numbered number: Int64
    ) throws(StoreError) {
        let statement = try sql.statement(
            """
            INSERT INTO notes (conversation, id, time, author_kind, author_name, text, \
            after_sequence, mentions, edited_at, deleted_at, seal, number) \
            \(sql.dialect.statedNumber)VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try bind(note, ofConversation: conversation, to: statement)
        try statement.bind(number)
        try statement.run()
    }

    /// Adds a note's row and returns its number.
    func insert(_ note: Note, ofConversation conversation: Int64) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: """
                INSERT INTO notes (conversation, id, time, author_kind, author_name, text, \
                after_sequence, mentions, edited_at, deleted_at, seal) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
                """)
        try bind(note, ofConversation: conversation, to: statement)
        return try statement.requireNumber()
    }

    /// Overwrites a note's row; what was deleted is overwritten on the disk too.
    func overwrite(
        _ note: Note, ofConversation conversation: Int64, number: Int64
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE notes SET (conversation, id, time, author_kind, author_name, text, \
                after_sequence, mentions, edited_at, deleted_at, seal) = \
                (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE number = ?
                """)
        try bind(note, ofConversation: conversation, to: statement)
        try statement.bind(number)
        try statement.run()
        if note.deletedAt != nil { hasErased = true }
    }

    /// Binds all columns of a note's row but the number, and its checksum.
    private func bind(
        _ note: Note, ofConversation conversation: Int64, to statement: any SQLStatement
    ) throws(StoreError) {
        statement.beginChecksum()
        try statement.bind(conversation)
        try statement.bind(note.id.value)
        try statement.bind(note.time)
        try statement.bind(note.author.kind)
        try statement.bind(note.author.name)
        try statement.bind(note.text)
        try statement.bind(note.afterSequence.value)
        try statement.bind(RowFields.write(mentionsOf: note))
        try statement.bind(note.editedAt)
        try statement.bind(note.deletedAt)
        try statement.bindChecksum(.notes)
    }
}

/// What lies beside an event in its row.
package enum EventRowBody {
    /// Nothing: the event reports a message or a note.
    case none
    /// What a change fixed of its conversation.
    case step(ConversationStep)
    /// A JSON object's text.
    case json([UInt8])
}

extension SQLStatement {
    /// Runs a statement that answers with the number of the row that it made.
    fileprivate func requireNumber() throws(StoreError) -> Int64 {
        guard let number = try first({ $0.integer() }) else {
            throw StoreError(.failed, "a row was added without a number")
        }
        return number
    }
}

public import DeskModel
public import DeskStore

extension SQLLog {
    /// Finds a conversation by its name.
    public func findConversation(
        _ id: ConversationID
    ) async throws(StoreError) -> Conversation? {
        let unflushed = unflushedRow(of: id)
        return try await readRegistry { sql throws(StoreError) in
            try ConversationRows.find(id, ahead: unflushed, on: sql)?.conversation
        }
    }

    /// Finds the one conversation of a customer with a business.
    public func findConversation(
        of customer: CustomerID, with business: BusinessID
    ) async throws(StoreError) -> Conversation? {
        let unflushed = unflushedRows()
        return try await readRegistry { sql throws(StoreError) in
            let found = try ConversationRows.find(of: customer, with: business, on: sql)
            guard let found else { return nil }
            return (unflushed[found.conversation.id] ?? found).conversation
        }
    }

    /// Reads a range of a thread, payloads included.
    public func messages(
        in conversation: ConversationID, _ range: ThreadRange, limit: Int
    ) async throws(StoreError) -> Page<StoredMessage> {
        let limit = min(max(limit, 1), 300)
        let unflushed = unflushedRow(of: conversation)
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            let row = try ConversationRows.find(conversation, ahead: unflushed, on: sql)
            guard let one = row else { return Page(elements: [], hasMore: false) }
            return try ThreadRows.page(of: one, range, limit: limit, damaged: damaged, on: sql)
        }
    }

    /// Finds a message by its sender's id.
    public func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> StoredMessage? {
        try await readRegistry { sql throws(StoreError) in
            guard let one = try ConversationRows.find(conversation, on: sql) else { return nil }
            let statement = try sql.statement(
                "SELECT \(MessageColumns.whole) FROM messages m WHERE id = ? AND conversation = ?")
            try statement.bind(id.text)
            try statement.bind(one.number)
            return try statement.first { row throws(StoreError) in
                try MessageColumns.read(row, in: conversation, of: one.conversation.business)
            }
        }
    }

    /// Finds which answer settled a request; nil while none did.
    public func findSettlement(
        of request: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> MessageID? {
        try await readRegistry { sql throws(StoreError) in
            guard let one = try ConversationRows.find(conversation, on: sql) else { return nil }
            return try Settlements.find(request, in: one.number, on: sql)
        }
    }

    /// Whether anybody but the server and its rules wrote to the customer since it was opened last.
    public func wasAnswered(
        sinceOpening conversation: ConversationID
    ) async throws(StoreError) -> Bool {
        let unflushed = unflushedRow(of: conversation)
        return try await readRegistry { sql throws(StoreError) in
            let row = try ConversationRows.find(conversation, ahead: unflushed, on: sql)
            guard let one = row else { return false }
            return try ThreadRows.wasAnswered(sinceOpening: one, on: sql)
        }
    }

    /// Reads the notes left between two messages, oldest first, the newest 300 at most.
    public func notes(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [Note] {
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(NoteRows.ofThread)
            try statement.bind(conversation.value)
            try statement.bind(first.value)
            try statement.bind(last.value)
            return try statement.all { row throws(StoreError) -> Note? in
                do throws(StoreError) {
                    return try NoteRows.read(row)
                } catch {
                    guard error.code == .damaged else { throw error }
                    damaged(
                        Damage("note", conversation: conversation, reason: "cannot be read"))
                    return nil
                }
            }.compactMap { $0 }.reversed()
        }
    }

    /// Reads the events of a thread between two messages, oldest first, the newest 300 at most.
    public func threadEvents(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [ThreadEvent] {
        let unflushed = unflushedRow(of: conversation)
        let damaged = damaged
        let epoch = epoch
        return try await readRegistry { sql throws(StoreError) in
            let row = try ConversationRows.find(conversation, ahead: unflushed, on: sql)
            guard let one = row else { return [] }
            return try ThreadEventRows.page(
                of: one, from: first, to: last, epoch: epoch, damaged: damaged, on: sql)
        }
    }
}

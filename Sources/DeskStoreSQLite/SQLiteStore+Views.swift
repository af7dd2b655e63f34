public import DeskModel
import DeskSQL
public import DeskStore

extension SQLiteStore: ConversationViews {
    /// Finds a conversation by its name.
    public func findConversation(
        _ id: ConversationID
    ) async throws(StoreError) -> Conversation? {
        let known = memory.find(id)
        if let conversation = known.conversation { return conversation }
        let found = try await read { connection throws(StoreError) in
            try Self.find(id, on: connection)?.conversation
        }
        if let found { memory.keep(found, asOf: known.commits) }
        return found
    }

    /// Finds the one conversation of a customer with a business.
    public func findConversation(
        of customer: CustomerID, with business: BusinessID
    ) async throws(StoreError) -> Conversation? {
        let unflushed = memory.unflushed
        return try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                """
                SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
                WHERE b.id = ? AND c.customer = ?
                """)
            try statement.bind(business.value)
            try statement.bind(customer.text)
            let found = try statement.first { row throws(StoreError) in
                try ConversationColumns.read(row).conversation
            }
            guard let found else { return nil }
            return unflushed[found.id]?.conversation ?? found
        }
    }

    /// Lists conversations by their newest event, newest first; a damaged row is left out.
    public func conversations(
        _ filter: ConversationFilter, before: Position?, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        let limit = min(max(limit, 1), 300)
        // The order of a list is in the rows.
        try await flushRows()
        let damaged = damaged
        let place = before?.value
        return try await read { connection throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            let among = try Self.numbers(of: filter.among, on: connection)
            for business in filter.businesses {
                guard NarrowQuery.serves(filter) else {
                    let statement = try ListQuery.page(
                        of: filter, in: business, before: place ?? Int64.max, limit: limit + 1,
                        on: connection)
                    found += try Self.readListed(statement, counting: &read, damaged: damaged)
                    continue
                }
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                for query in NarrowQuery.all(
                    of: filter, among: among, in: number, from: place, limit: limit + 1)
                {
                    found += try Self.readListed(
                        query.statement(on: connection), counting: &read, damaged: damaged)
                }
            }
            let isRising = filter.order == .oldest
            found.sort { ($0.activity < $1.activity) == isRising }
            return Page(elements: Array(found.prefix(limit)), hasMore: read > limit)
        }
    }

    /// Finds conversations of some businesses by their customers' names.
    public func findConversations(
        named query: SearchQuery, in businesses: Set<BusinessID>, limit: Int
    ) async throws(StoreError) -> [Conversation] {
        let unflushed = memory.unflushed
        return try await read { connection throws(StoreError) in
            var found: [Conversation] = []
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                found += try CustomerWords.find(query, in: number, on: connection)
                    .map { unflushed[$0.conversation.id]?.conversation ?? $0.conversation }
                    // The words may be in another order, or be parts of longer ones.
                    .filter { SearchedNames(of: $0).have(query) }
            }
            found.sort { $0.activity > $1.activity }
            return Array(found.prefix(min(max(limit, 1), 300)))
        }
    }

    /// Reads a range of a thread, payloads included.
    public func messages(
        in conversation: ConversationID, _ range: ThreadRange, limit: Int
    ) async throws(StoreError) -> Page<StoredMessage> {
        let limit = min(max(limit, 1), 300)
        let unflushed = memory.findUnflushed(conversation)
        let damaged = damaged
        return try await read { connection throws(StoreError) in
            let row = try unflushed == nil ? Self.find(conversation, on: connection) : nil
            guard let one = unflushed ?? row else {
                return Page(elements: [], hasMore: false)
            }
            return try ThreadRows.page(
                of: one, range, limit: limit, damaged: damaged, on: connection)
        }
    }

    /// Finds a message by its sender's id.
    public func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> StoredMessage? {
        try await read { connection throws(StoreError) in
            guard let one = try Self.find(conversation, on: connection) else { return nil }
            let statement = try connection.statement(
                "SELECT \(MessageColumns.whole) FROM messages m WHERE id = ? AND conversation = ?")
            try statement.bind(id.text)
            try statement.bind(one.number)
            return try statement.first { row throws(StoreError) in
                try MessageColumns.read(
                    row, in: conversation, of: one.conversation.business)
            }
        }
    }

    /// Finds which answer settled a request; nil while none did.
    public func findSettlement(
        of request: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> MessageID? {
        try await read { connection throws(StoreError) in
            guard let one = try Self.find(conversation, on: connection) else { return nil }
            return try Settlements.find(request, in: one.number, on: connection)
        }
    }

    /// Reads the notes left between two messages, oldest first, the newest 300 at most.
    public func notes(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [Note] {
        let damaged = damaged
        return try await read { connection throws(StoreError) in
            let statement = try connection.statement(NoteRows.ofThread)
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
        let unflushed = memory.findUnflushed(conversation)
        let damaged = damaged
        let epoch = epoch
        return try await read { connection throws(StoreError) in
            let row = try unflushed == nil ? Self.find(conversation, on: connection) : nil
            guard let one = unflushed ?? row else { return [] }
            return try ThreadEventRows.page(
                of: one, from: first, to: last, epoch: epoch, damaged: damaged, on: connection)
        }
    }

    /// The rows of some conversations; those that are not there are left out.
    static func numbers(
        of conversations: Set<ConversationID>?, on connection: Connection
    ) throws(StoreError) -> [Int64]? {
        try conversations.map { ids throws(StoreError) in
            let statement = try connection.statement(
                literal: "SELECT number FROM conversations WHERE id = ?")
            var numbers: [Int64] = []
            for id in ids {
                try statement.bind(id.value)
                if let number = try statement.first({ $0.integer() }) { numbers.append(number) }
            }
            return numbers
        }
    }

    /// Reads the rows of a list and counts them; damaged ones are counted and left out.
    static func readListed(
        _ statement: Statement, counting count: inout Int, damaged: (Damage) -> Void
    ) throws(StoreError) -> [Conversation] {
        let rows = try statement.all { row throws(StoreError) -> Conversation? in
            do throws(StoreError) {
                return try ConversationColumns.read(row).conversation
            } catch {
                guard error.code == .damaged else { throw error }
                damaged(Damage("conversation", name: error.detail, reason: "check sum"))
                return nil
            }
        }
        count += rows.count
        return rows.compactMap(\.self)
    }

    static func find(
        _ id: ConversationID, on connection: Connection
    ) throws(StoreError) -> ConversationRow? {
        let statement = try connection.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
    }
}

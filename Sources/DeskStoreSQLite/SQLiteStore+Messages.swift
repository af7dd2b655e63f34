public import DeskModel
public import DeskStore

extension SQLiteStore: MessageSource {
    private static let rows = """
        SELECT m.position, c.id, b.id, \(MessageColumns.whole) FROM messages m \
        JOIN conversations c ON c.number = m.conversation \
        JOIN businesses b ON b.number = c.business
        """

    /// Payload bytes after which a range ends.
    private static let rangeBytes = 4 * 1_024 * 1_024

    /// Reads the messages after a position.
    public func messages(
        after position: Position, limit: Int
    ) async throws(StoreError) -> MessageRange {
        let newest = newest
        guard position < newest else {
            return MessageRange(messages: [], damaged: [], end: newest)
        }
        return try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                "\(Self.rows) WHERE m.position > ? AND m.position <= ? ORDER BY m.position LIMIT ?")
            try statement.bind(position.value)
            try statement.bind(newest.value)
            try statement.bind(Int64(max(limit, 1)))
            var found: [StoredMessage] = []
            var damaged: [Position] = []
            var bytes = 0
            var last = position
            while try statement.step() {
                last = Position(max(0, statement.integer()))
                guard let message = try Self.wholeMessage(statement) else {
                    damaged.append(last)
                    continue
                }
                found.append(message)
                bytes += message.payload.byteCount
                if bytes >= Self.rangeBytes || found.count + damaged.count == limit {
                    statement.reset()
                    return MessageRange(messages: found, damaged: damaged, end: last)
                }
            }
            return MessageRange(messages: found, damaged: damaged, end: newest)
        }
    }

    /// Lists erased messages after a number, at most 300.
    public func erasures(after number: Int64) async throws(StoreError) -> [Erasure] {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT number, position FROM erasures WHERE number > ? ORDER BY number LIMIT 300
                    """)
            try statement.bind(number)
            return try statement.all {
                Erasure(number: $0.integer(), position: Position(max(0, $0.integer())))
            }
        }
    }

    /// Reads the messages at some positions; what is missing or not whole is left out.
    public func messages(
        at positions: [Position]
    ) async throws(StoreError) -> [StoredMessage] {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement("\(Self.rows) WHERE m.position = ?")
            var found: [StoredMessage] = []
            for position in positions {
                try statement.bind(position.value)
                guard try statement.step() else { continue }
                statement.skip(1)
                let message = try Self.wholeMessage(statement)
                statement.reset()
                if let message { found.append(message) }
            }
            return found
        }
    }

    private static func wholeMessage(_ row: Statement) throws(StoreError) -> StoredMessage? {
        do {
            let conversation = ConversationID(try row.id())
            let business = BusinessID(try row.id())
            return try MessageColumns.read(row, in: conversation, of: business)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}

public import DeskModel
public import DeskStore

extension SQLLog {
    /// Reads events after a position, payloads over 32 KiB by reference.
    public func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        let end = newest
        guard position < end, limit > 0, scope != .businesses([]) else {
            return EventPage(events: [], end: end)
        }
        let epoch = epoch
        let unflushed = unflushedRows()
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            try EventRows.page(
                after: position, upTo: end, in: scope, limit: min(limit, 300), epoch: epoch,
                ahead: unflushed, damaged: damaged, on: sql)
        }
    }

    /// Reads the messages after a position.
    public func messages(
        after position: Position, limit: Int
    ) async throws(StoreError) -> MessageRange {
        let newest = newest
        guard position < newest else {
            return MessageRange(messages: [], damaged: [], end: newest)
        }
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                "\(LogMessages.rows) WHERE m.position > ? AND m.position <= ? ORDER BY m.position LIMIT ?"
            )
            try statement.bind(position.value)
            try statement.bind(newest.value)
            try statement.bind(Int64(max(limit, 1)))
            var found: [StoredMessage] = []
            var damaged: [Position] = []
            var bytes = 0
            var last = position
            while try statement.step() {
                last = Position(max(0, statement.integer()))
                guard let message = try LogMessages.whole(statement) else {
                    damaged.append(last)
                    continue
                }
                found.append(message)
                bytes += message.payload.byteCount
                if bytes >= LogMessages.rangeBytes || found.count + damaged.count == limit {
                    statement.reset()
                    return MessageRange(messages: found, damaged: damaged, end: last)
                }
            }
            return MessageRange(messages: found, damaged: damaged, end: newest)
        }
    }

    /// Lists erased messages after a number, at most 300.
    public func erasures(after number: Int64) async throws(StoreError) -> [Erasure] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
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
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement("\(LogMessages.rows) WHERE m.position = ?")
            var found: [StoredMessage] = []
            for position in positions {
                try statement.bind(position.value)
                guard try statement.step() else { continue }
                statement.skip(1)
                let message = try LogMessages.whole(statement)
                statement.reset()
                if let message { found.append(message) }
            }
            return found
        }
    }
}

/// How messages are read by their places in the log.
private enum LogMessages {
    static let rows = """
        SELECT m.position, c.id, b.id, \(MessageColumns.whole) FROM messages m \
        JOIN conversations c ON c.number = m.conversation \
        JOIN businesses b ON b.number = c.business
        """

    /// Payload bytes after which a range ends.
    static let rangeBytes = 4 * 1_024 * 1_024

    static func whole(_ row: any SQLStatement) throws(StoreError) -> StoredMessage? {
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

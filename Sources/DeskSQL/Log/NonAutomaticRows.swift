import DeskModel
import DeskStore

/// How the newest messages are found that neither the server nor a rule sent.
///
/// One statement walks back from the ends of many threads at once, so that a page costs one round trip.
package enum NonAutomaticRows {
    /// Messages that are looked at before the newest one.
    static let lookBack = 8
    /// How many names a statement has; those that are not needed are NULL.
    private static let sizes = [1, 50, 300]

    private static let isAutomatic =
        "m.author_kind IN ('\(Author.kindsByThemselves.joined(separator: "', '"))')"

    /// The statement for the threads that end where `ends` says: id, number, the newest message's position, 0.
    private static func statement(from ends: String, in dialect: Dialect) -> String {
        let join = dialect.orderedJoin
        return """
            WITH RECURSIVE back (id, number, position, steps) AS (\(ends) UNION ALL \
            SELECT b.id, b.number, m.previous, b.steps + 1 FROM back b \
            \(join) messages m ON m.position = b.position \
            WHERE b.steps < \(lookBack) AND m.conversation = b.number \
            AND m.previous < m.position AND \(isAutomatic)) \
            SELECT b.id, \(MessageColumns.heads), CAST(NULL AS \(dialect.bytes)) FROM back b \
            \(join) messages m ON m.position = b.position \
            WHERE m.conversation = b.number AND NOT \(isAutomatic)
            """
    }

    /// The statement for some conversations, whose rows say where their threads end.
    package static func statement(ofNames count: Int, in dialect: Dialect) -> String {
        statement(
            from: """
                SELECT c.id, c.number, c.last_position, 0 FROM conversations c \
                WHERE c.id IN (\(Dialect.parameters(count)))
                """, in: dialect)
    }

    /// The statement for a conversation whose row lacks its newest messages.
    package static func statementAhead(in dialect: Dialect) -> String {
        statement(
            from: """
                SELECT CAST(? AS \(dialect.bytes)), CAST(? AS \(dialect.integer)), \
                CAST(? AS \(dialect.integer)), 0
                """, in: dialect)
    }

    static func find(
        of conversations: [Conversation], ahead unflushed: UnflushedRows,
        damaged: (Damage) -> Void, on sql: any SQLSession
    ) throws(StoreError) -> [ConversationID: LastMessage] {
        let asked = Dictionary(conversations.map { ($0.id, $0) }) { first, _ in first }
        var found: [LastOfConversation] = []
        var names: [ConversationID] = []
        for id in asked.keys {
            guard let row = unflushed[id] else {
                names.append(id)
                continue
            }
            found += try attempt([id], damaged, on: sql) { _ throws(StoreError) in
                let statement = try sql.statement(statementAhead(in: sql.dialect))
                try statement.bind(id.value)
                try statement.bind(row.number)
                try statement.bind(row.end)
                return try read(statement, asked, damaged)
            }
        }
        while !names.isEmpty {
            let part = Array(names.prefix(sizes[sizes.count - 1]))
            names.removeFirst(part.count)
            found += try attempt(part, damaged, on: sql) { ids throws(StoreError) in
                let size = sizes.first { $0 >= ids.count } ?? ids.count
                let statement = try sql.statement(statement(ofNames: size, in: sql.dialect))
                for id in ids { try statement.bind(id.value) }
                for _ in ids.count..<size { statement.bindNull() }
                return try read(statement, asked, damaged)
            }
        }
        // What was written since the conversations were read is newer than they are.
        return found.reduce(into: [:]) { messages, one in
            guard let asking = asked[one.conversation], one.message.sequence < asking.newest else {
                return
            }
            messages[one.conversation] = one.message
        }
    }

    /// Reads of some conversations; where the file is damaged, of one by one without those that cannot be read.
    private static func attempt(
        _ ids: [ConversationID], _ damaged: (Damage) -> Void, on sql: any SQLSession,
        _ read: ([ConversationID]) throws(StoreError) -> [LastOfConversation]
    ) throws(StoreError) -> [LastOfConversation] {
        do throws(StoreError) {
            return try sql.attempt { () throws(StoreError) in try read(ids) }
        } catch {
            guard error.code == .damaged else { throw error }
        }
        var found: [LastOfConversation] = []
        for id in ids {
            guard ids.count > 1 else {
                damaged(Damage("message", conversation: id, reason: "cannot be read"))
                break
            }
            found += try attempt([id], damaged, on: sql, read)
        }
        return found
    }

    private static func read(
        _ statement: any SQLStatement, _ asked: [ConversationID: Conversation],
        _ damaged: (Damage) -> Void
    ) throws(StoreError) -> [LastOfConversation] {
        let rows = try statement.all { row throws(StoreError) -> LastOfConversation? in
            let id = ConversationID(try row.id())
            guard let conversation = asked[id] else { return nil }
            do throws(StoreError) {
                let message = try MessageColumns.read(row, in: id, of: conversation.business)
                return LastOfConversation(conversation: id, message: LastMessage(message))
            } catch {
                guard error.code == .damaged else { throw error }
                damaged(Damage("message", conversation: id, reason: "cannot be read"))
                return nil
            }
        }
        return rows.compactMap(\.self)
    }
}

/// What is found of a conversation.
private struct LastOfConversation {
    let conversation: ConversationID
    let message: LastMessage
}

public import DeskModel
public import DeskStore

/// The rows of suggested answers.
///
/// Summary, remark and payload are words for a customer: they go with the first erasure in the conversation.
package enum Suggestions {
    package static let columns = """
        SELECT id, business, conversation, author_kind, author_name, created_at, model, kind, \
        summary, remark, payload FROM suggestions
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Suggestion {
        let id = SuggestionID(try row.id())
        let business = BusinessID(try row.id())
        let conversation = ConversationID(try row.id())
        let author = row.text()
        return Suggestion(
            id: id, business: business, conversation: conversation,
            author: try row.value { Author(kind: author, name: $0) }, createdAt: row.time(),
            model: row.textIfAny(), kind: try row.value { MessageKind(rawValue: $0) },
            summary: row.text(), remark: row.textIfAny(), payload: row.bytes())
    }

    /// Those of a conversation, the oldest first.
    package static func all(
        in conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> [Suggestion] {
        let statement = try sql.statement("\(columns) WHERE conversation = ? ORDER BY number")
        try statement.bind(conversation.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds one.
    package static func add(_ one: Suggestion, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO suggestions (id, business, conversation, author_kind, author_name, \
                created_at, model, kind, summary, remark, payload) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(one.id.value)
        try statement.bind(one.business.value)
        try statement.bind(one.conversation.value)
        try statement.bind(one.author.kind)
        try statement.bind(one.author.name)
        try statement.bind(one.createdAt)
        try statement.bind(one.model)
        try statement.bind(one.kind.rawValue)
        try statement.bind(one.summary)
        try statement.bind(one.remark)
        try statement.bind(one.payload)
        try statement.run()
    }

    /// Removes one.
    package static func remove(_ id: SuggestionID, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM suggestions WHERE id = ?")
        try statement.bind(id.value)
        try statement.run()
    }

    /// Removes all of a conversation: they may repeat what is erased there.
    static func removeAll(
        in conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM suggestions WHERE conversation = ?")
        try statement.bind(conversation.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists the suggested answers of a conversation, the oldest first.
    public func suggestions(
        in conversation: ConversationID
    ) async throws(StoreError) -> [Suggestion] {
        try await readRegistry { sql throws(StoreError) in
            try Suggestions.all(in: conversation, on: sql)
        }
    }

    /// Deletes the suggested answers that were stored before a moment.
    public func pruneSuggestions(before time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneSuggestions(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM suggestions WHERE created_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of first answers.
enum Answers {
    static func add(_ answer: RememberedAnswer, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)")
        try statement.bind(answer.scope)
        try statement.bind(answer.body)
        switch answer.content {
        case .message(let conversation, let message):
            try statement.bind(conversation.value)
            try statement.bind(message.text)
            try statement.bindNull()
            try statement.bindNull()
        case .answer(let status, let body):
            try statement.bindNull()
            try statement.bindNull()
            try statement.bind(Int64(status))
            try statement.bind(body)
        }
        try statement.bind(answer.time)
        try statement.run()
    }
}

extension SQLiteStore: AnswerRegistry {
    /// Finds the answer that a scope was given, or the message that it stored.
    public func findAnswer(_ scope: String) async throws(StoreError) -> RememberedAnswer? {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT body, conversation, message, status, answer, answered_at \
                    FROM answers WHERE scope = ?
                    """)
            try statement.bind(scope)
            return try statement.first { row throws(StoreError) in
                let body = try row.digest()
                let conversation = row.idIfAny().map { ConversationID($0) }
                let message = row.textIfAny().flatMap { MessageID($0) }
                let status = Int(row.integer())
                let answer = row.bytes()
                let content: RememberedAnswer.Content =
                    if let conversation, let message {
                        .message(conversation, message)
                    } else {
                        .answer(status: status, body: answer)
                    }
                return RememberedAnswer(
                    scope: scope, body: body, content: content, time: row.time())
            }
        }
    }

    /// Remembers an answer unless the scope has one.
    public func remember(_ answer: RememberedAnswer) async throws(StoreError) {
        try await write { connection throws(StoreError) in
            try Answers.add(answer, on: connection)
        }
    }

    /// Forgets answers given before a moment.
    public func pruneAnswers(before time: Timestamp) async throws(StoreError) {
        try await write { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: "DELETE FROM answers WHERE answered_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of first answers.
package enum Answers {
    /// The columns that the checksum covers, of `answers a`.
    package static let covered = RowLayout.answers.list(of: "a")

    package static func add(_ answer: RememberedAnswer, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO answers (scope, body, conversation, message, status, answer, \
                answered_at, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope) DO NOTHING
                """)
        statement.beginChecksum()
        try statement.bind(answer.scope)
        try statement.bind(answer.body)
        switch answer.content {
        case .message(let conversation, let message):
            try statement.bind(conversation.value)
            try statement.bind(message.text)
            statement.bindNull()
            statement.bindNull()
        case .answer(let status, let body):
            statement.bindNull()
            statement.bindNull()
            try statement.bind(Int64(status))
            try statement.bind(body)
        }
        try statement.bind(answer.time)
        try statement.bindChecksum(CheckedRow(.answers))
        try statement.run()
    }

    /// Finds what a scope was answered.
    ///
    /// - Throws: `damaged` when the row is not what was written.
    package static func find(
        _ scope: String, on sql: any SQLSession
    ) throws(StoreError) -> RememberedAnswer? {
        let statement = try sql.statement(
            "SELECT \(covered), a.seal FROM answers a WHERE a.scope = ?")
        try statement.bind(scope)
        return try statement.first { row throws(StoreError) in
            guard row.isVerified(CheckedRow(.answers)) else {
                throw StoreError(.damaged, "an answer")
            }
            row.skip(1)
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
            return RememberedAnswer(scope: scope, body: body, content: content, time: row.time())
        }
    }
}

extension SQLRegistries {
    /// Finds the answer that a scope was given, or the message that it stored.
    ///
    /// - Throws: `damaged` when the row is not what was written.
    public func findAnswer(_ scope: String) async throws(StoreError) -> RememberedAnswer? {
        try await readRegistry { sql throws(StoreError) in
            try Answers.find(scope, on: sql)
        }
    }

    /// Notes that the holder of a lease answers the request with a body, unless it was answered.
    public func beginAnswer(
        _ scope: String, to body: Digest, under lease: Lease, at time: Timestamp
    ) async throws(StoreError) -> AnswerBeginning {
        try await change(.contents(.beginAnswer), author: .server, where: { $0 == .begun }) {
            sql throws(StoreError) -> AnswerBeginning in
            try requireCurrent(lease, on: sql)
            if let known = try Answers.find(scope, on: sql) { return .answered(known) }
            if let begun = try BegunAnswers.find(scope, on: sql), begun != body {
                return .belongsToAnother
            }
            try BegunAnswers.note(scope, to: body, under: lease, at: time, on: sql)
            return .begun
        }
    }

    /// Remembers an answer that was begun.
    public func finish(_ answer: RememberedAnswer, under lease: Lease) async throws(StoreError) {
        try await change(.contents(.rememberAnswer), author: .server) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            try Answers.add(answer, on: sql)
            try BegunAnswers.remove(answer.scope, under: lease, on: sql)
        }
    }

    /// Gives up an answer that was begun and shall not be remembered, unless the lease is another's.
    public func giveUpAnswer(_ scope: String, under lease: Lease) async throws(StoreError) {
        try await change(.contents(.giveUpAnswer), author: .server) { sql throws(StoreError) in
            try BegunAnswers.remove(scope, under: lease, on: sql)
        }
    }

    /// Forgets answers given, and begun, before a moment.
    public func pruneAnswers(before time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneAnswers(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM answers WHERE answered_at < ?")
            try statement.bind(time)
            try statement.run()
            try BegunAnswers.prune(before: time, on: sql)
        }
    }
}

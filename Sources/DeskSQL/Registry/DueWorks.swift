public import DeskModel
public import DeskStore

/// The rows of work that is due.
package enum DueWorks {
    package static let columns = """
        SELECT kind, conversation, subject, business, due_at, made_at, author_kind, author_name, \
        data, failure, failure_detail FROM due_work
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> DueWork {
        let kind = try row.value { DueWork.Kind(rawValue: $0) }
        let name = DueWork.Name(kind, in: ConversationID(try row.id()), on: row.text())
        let business = BusinessID(try row.id())
        let (dueAt, madeAt) = (row.time(), row.time())
        let authorKind = row.text()
        let author = try row.value { Author(kind: authorKind, name: $0) }
        let data = row.bytes()
        let failure = row.textIfAny().map { DueWork.Failure(code: $0, detail: row.text()) }
        return DueWork(
            name, of: business, dueAt: dueAt, madeAt: madeAt, author: author, data: data,
            failure: failure)
    }

    package static func find(
        _ name: DueWork.Name, on sql: any SQLSession
    ) throws(StoreError) -> DueWork? {
        let statement = try sql.statement(
            "\(columns) WHERE kind = ? AND conversation = ? AND subject = ?")
        try bind(name, to: statement)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// Adds work or replaces that of its name.
    package static func put(_ work: DueWork, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO due_work (kind, conversation, subject, business, due_at, made_at, \
                author_kind, author_name, data, failure, failure_detail) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (kind, conversation, subject) DO UPDATE SET \
                due_at = excluded.due_at, made_at = excluded.made_at, \
                author_kind = excluded.author_kind, author_name = excluded.author_name, \
                data = excluded.data, failure = excluded.failure, \
                failure_detail = excluded.failure_detail
                """)
        try bind(work.name, to: statement)
        try statement.bind(work.business.value)
        try statement.bind(work.dueAt)
        try statement.bind(work.madeAt)
        try statement.bind(work.author.kind)
        try statement.bind(work.author.name)
        try statement.bind(work.data)
        try statement.bind(work.failure?.code)
        try statement.bind(work.failure?.detail)
        try statement.run()
    }

    /// Adds work of another store as refused: what was to be sent from there is not sent by itself from
    /// here.
    package static func putRefused(_ work: DueWork, on sql: any SQLSession) throws(StoreError) {
        let failure = DueWork.Failure(code: "imported", detail: "It came with an archive.")
        try put(work.failure == nil ? work.refused(as: failure) : work, on: sql)
    }

    /// Removes work, if there is any of its name.
    package static func remove(_ name: DueWork.Name, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM due_work WHERE kind = ? AND conversation = ? AND subject = ?")
        try bind(name, to: statement)
        try statement.run()
    }

    private static func bind(
        _ name: DueWork.Name, to statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(name.kind.rawValue)
        try statement.bind(name.conversation.value)
        try statement.bind(name.subject)
    }
}

extension SQLRegistries {
    /// Finds work by its name, refused work included.
    public func findDueWork(_ name: DueWork.Name) async throws(StoreError) -> DueWork? {
        try await readRegistry { sql throws(StoreError) in try DueWorks.find(name, on: sql) }
    }

    /// Lists the work of a kind in a conversation, refused work included, by when it is due.
    public func dueWork(
        _ kind: DueWork.Kind, in conversation: ConversationID
    ) async throws(StoreError) -> [DueWork] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(DueWorks.columns) WHERE kind = ? AND conversation = ? \
                ORDER BY due_at, made_at, subject LIMIT 300
                """)
            try statement.bind(kind.rawValue)
            try statement.bind(conversation.value)
            return try statement.all { row throws(StoreError) in try DueWorks.read(row) }
        }
    }

    /// Lists the work that is due by a moment and was not refused, by when it is due.
    public func dueWork(
        until time: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueWork] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(DueWorks.columns) WHERE failure IS NULL AND due_at <= ? \
                ORDER BY due_at, made_at, subject LIMIT ?
                """)
            try statement.bind(time)
            try statement.bind(Int64(max(0, limit)))
            return try statement.all { row throws(StoreError) in try DueWorks.read(row) }
        }
    }

    /// When the next work is due that was not refused; nil when there is none.
    public func nextDueTime() async throws(StoreError) -> Timestamp? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT due_at FROM due_work WHERE failure IS NULL ORDER BY due_at LIMIT 1
                    """)
            return try statement.first { $0.time() }
        }
    }

    /// Deletes refused work that was due before a moment.
    public func pruneDueWork(dueBefore time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneDueWork(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM due_work WHERE failure IS NOT NULL AND due_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

public import DeskModel
public import DeskStore

enum AuditRows {
    static func add(_ entry: RegistryEntry, on sql: any SQLSession) throws(StoreError) {
        let facts = entry.change.facts
        let statement = try sql.statement(
            literal: """
                INSERT INTO audit (changed_at, kind, business, subject, detail, author_kind, \
                author_name) VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(entry.time)
        try statement.bind(facts.kind)
        try statement.bind(facts.business?.value)
        try statement.bind(facts.subject)
        try statement.bind(facts.detail)
        try statement.bind(entry.author.kind)
        try statement.bind(entry.author.name)
        try statement.run()
    }

    static func read(_ row: any SQLStatement) throws(StoreError) -> AuditRecord {
        let (number, time, kind) = (row.integer(), row.time(), row.text())
        let business = row.idIfAny().map { BusinessID($0) }
        let (subject, detail) = (row.text(), row.text())
        let author = Author(kind: row.text(), name: row.text())
        return AuditRecord(
            number: number, time: time, kind: kind, business: business, subject: subject,
            detail: detail, author: try row.require(author, "an author"))
    }
}

extension SQLRegistries {
    /// Lists records, newest first, before a number when one is given.
    public func auditRecords(
        of business: BusinessID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditRecord] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                SELECT number, changed_at, kind, business, subject, detail, author_kind, \
                author_name FROM audit WHERE number < ?1 \
                \(business == nil ? "" : "AND business = ?3 ")ORDER BY number DESC LIMIT ?2
                """)
            try statement.bind(number ?? .max)
            try statement.bind(Int64(min(max(limit, 0), 300)))
            if let business { try statement.bind(business.value) }
            return try statement.all { row throws(StoreError) in try AuditRows.read(row) }
        }
    }

    /// Deletes the records from before a moment.
    public func pruneAudit(before time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneAudit(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(literal: "DELETE FROM audit WHERE changed_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

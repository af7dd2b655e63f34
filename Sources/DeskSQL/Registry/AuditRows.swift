public import DeskModel
public import DeskStore

enum AuditRows {
    static func add(_ entry: RegistryEntry, on sql: any SQLSession) throws(StoreError) {
        let facts = entry.change.facts
        // Numbers rise as commits do: a reader that goes on behind the highest that it has misses no
        // record of a transaction that another node commits later.
        if !sql.dialect.auditTurn.isEmpty {
            _ = try sql.statement(sql.dialect.auditTurn).first { _ in true }
        }
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

    private static let columns =
        "SELECT number, changed_at, kind, business, subject, detail, author_kind, author_name FROM audit"

    /// What belongs to a business and is changed without naming it.
    private static let owned = [
        ("agent", "memberships"), ("key", "key_businesses"), ("id", "webhooks"),
        ("id", "gateway_links"), ("id", "channel_links"),
    ]

    fileprivate static func list(
        _ filter: AuditFilter, at edge: PageEdge<Int64>, limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> Page<AuditRecord> {
        let limit = min(max(limit, 1), 300)
        let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
        var stated = "number \(beyond) ?1"
        var count = filter.business == nil ? 2 : 3
        for (condition, isStated) in [
            ("kind =", filter.kind != nil), ("author_name =", filter.author != nil),
            ("subject =", filter.subject != nil), ("changed_at >=", filter.since != nil),
            ("changed_at <", filter.until != nil),
        ] where isStated {
            count += 1
            stated += " AND \(condition) ?\(count)"
        }
        let end = "ORDER BY number \(order) LIMIT ?2"
        var text = "\(columns) WHERE \(stated) \(end)"
        if filter.business != nil {
            let owned = owned.map {
                "SELECT \(sql.dialect.digits(of: $0)) FROM \($1) WHERE business = ?3"
            }
            // Two reads of one index, of a page each.
            text = """
                SELECT * FROM (\(columns) WHERE business = ?3 AND \(stated) \(end)) AS a \
                UNION ALL SELECT * FROM (\(columns) WHERE business IS NULL AND \(stated) \
                AND replace(subject, '-', '') IN (\(owned.joined(separator: " UNION ALL "))) \
                \(end)) AS b \(end)
                """
        }
        let statement = try sql.statement(text)
        try statement.bind(edge.place ?? .max)
        try statement.bind(Int64(limit) + 1)
        if let business = filter.business { try statement.bind(business.value) }
        for word in [filter.kind, filter.author, filter.subject] {
            if let word { try statement.bind(word) }
        }
        for moment in [filter.since, filter.until] {
            if let moment { try statement.bind(moment) }
        }
        let found = try statement.all { row throws(StoreError) in try read(row) }
        return edge.page(found, limit: limit)
    }
}

extension SQLRegistries {
    /// Lists records, newest first, in pages by their numbers.
    public func auditRecords(
        _ filter: AuditFilter, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<AuditRecord> {
        try await readRegistry { sql throws(StoreError) in
            try AuditRows.list(filter, at: edge, limit: limit, on: sql)
        }
    }

    /// Records that a table of a business is exported.
    public func noteExport(
        of table: String, in business: BusinessID, author: Author
    ) async throws(StoreError) {
        try await change(.contents(.exportTable(table, of: business)), author: author) { _ in }
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

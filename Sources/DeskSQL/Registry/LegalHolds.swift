public import DeskModel
public import DeskStore

/// The rows of legal holds: each under the id of what it keeps, a conversation or a whole business.
package enum LegalHolds {
    package static let columns = """
        SELECT number, subject, business, reason, author_kind, author_name, placed_at \
        FROM legal_holds
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> LegalHold {
        let number = row.integer()
        let (subject, business) = (try row.id(), BusinessID(try row.id()))
        let (reason, kind) = (row.text(), row.text())
        return LegalHold(
            on: subject == business.value
                ? .business(business) : .conversation(ConversationID(subject)),
            of: business, reason: reason,
            author: try row.value { Author(kind: kind, name: $0) }, placedAt: row.time(),
            number: number)
    }

    static func find(
        on subject: LegalHold.Subject, on sql: any SQLSession
    ) throws(StoreError) -> LegalHold? {
        let statement = try sql.statement("\(columns) WHERE subject = ?")
        try statement.bind(subject.id)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    static func count(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal: "SELECT count(*) FROM legal_holds WHERE business = ?")
        try statement.bind(business.value)
        return Int(try statement.first { $0.integer() } ?? 0)
    }

    static func list(
        of business: BusinessID, at edge: PageEdge<Int64>, limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> Page<LegalHold> {
        let limit = min(max(limit, 1), 300)
        let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
        let statement = try sql.statement(
            """
            \(columns) WHERE business = ? AND subject <> business AND number \(beyond) ? \
            ORDER BY number \(order) LIMIT ?
            """)
        try statement.bind(business.value)
        try statement.bind(edge.place ?? .max)
        try statement.bind(Int64(limit) + 1)
        let found = try statement.all { row throws(StoreError) in try read(row) }
        return edge.page(found, limit: limit)
    }

    /// Keeps a hold; one that is there stays in its place of the list.
    package static func put(_ hold: LegalHold, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO legal_holds \
                (subject, business, reason, author_kind, author_name, placed_at) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET \
                reason = excluded.reason, author_kind = excluded.author_kind, \
                author_name = excluded.author_name, placed_at = excluded.placed_at
                """)
        try statement.bind(hold.subject.id)
        try statement.bind(hold.business.value)
        try statement.bind(hold.reason)
        try statement.bind(hold.author.kind)
        try statement.bind(hold.author.name)
        try statement.bind(hold.placedAt)
        try statement.run()
    }

    static func remove(
        on subject: LegalHold.Subject, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM legal_holds WHERE subject = ?")
        try statement.bind(subject.id)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists the holds on conversations of a business, the newest first.
    public func legalHolds(
        of business: BusinessID, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<LegalHold> {
        try await readRegistry { sql throws(StoreError) in
            try LegalHolds.list(of: business, at: edge, limit: limit, on: sql)
        }
    }

    /// Finds the holds that keep some conversations: their own, in no order, and first that of their business.
    public func legalHolds(
        on conversations: [ConversationID], of business: BusinessID
    ) async throws(StoreError) -> [LegalHold] {
        try await readRegistry { sql throws(StoreError) in
            var found: [LegalHold] = []
            let own = conversations.map { LegalHold.Subject.conversation($0) }
            for subject in [.business(business)] + own {
                guard let hold = try LegalHolds.find(on: subject, on: sql) else { continue }
                if hold.business == business { found.append(hold) }
            }
            return found
        }
    }

    /// What a business keeps, for those who look through all of its content.
    public func heldContent(of business: BusinessID) async throws(StoreError) -> HeldContent {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT subject FROM legal_holds WHERE business = ?")
            try statement.bind(business.value)
            let subjects = try statement.all { row throws(StoreError) in try row.id() }
            let isEverything = subjects.contains(business.value)
            return HeldContent(
                isEverything: isEverything,
                conversations: Set(
                    subjects.lazy.filter { $0 != business.value }.map { ConversationID($0) }))
        }
    }
}

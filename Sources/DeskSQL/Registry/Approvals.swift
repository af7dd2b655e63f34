public import DeskModel
public import DeskStore

/// The rows of requests for a second person's approval, and of what needs one.
package enum Approvals {
    private static let columns = """
        SELECT number, id, business, area, operation, details, digest, author_kind, author_name, \
        person, reason, state, made_at, expires_at, decider, decided_at, comment, used_at \
        FROM approvals
        """

    private static func read(_ row: any SQLStatement) throws(StoreError) -> Approval {
        let number = row.integer()
        let id = ApprovalID(try row.id())
        let business = BusinessID(try row.id())
        let area = try row.value { ApprovalArea(rawValue: $0) }
        let (operation, details, digest) = (row.text(), row.bytes(), try row.digest())
        let kind = row.text()
        let author = try row.value { Author(kind: kind, name: $0) }
        var one = Approval(
            id: id, business: business, area: area, operation: operation, details: details,
            digest: digest, author: author, person: row.idIfAny().map { AgentID($0) },
            reason: row.text(), state: try row.value { ApprovalState(rawValue: $0) },
            madeAt: row.time(), expiresAt: row.time(),
            decider: row.idIfAny().map { AgentID($0) }, decidedAt: row.timeIfAny(),
            comment: row.text(), usedAt: row.timeIfAny())
        one.number = number
        return one
    }

    // MARK: What needs one

    static func rules(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> ApprovalRules? {
        let statement = try sql.statement(
            literal: "SELECT areas, changed_at FROM approval_rules WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in
            // An area that only a newer program knows is none of this one's.
            let areas = row.text().split(separator: ",").compactMap {
                ApprovalArea(rawValue: String($0))
            }
            return ApprovalRules(of: business, areas: Set(areas), changedAt: row.time())
        }
    }

    private static func words(of rules: ApprovalRules) -> String {
        ApprovalArea.choices.filter { rules.areas.contains($0) }.map(\.rawValue)
            .joined(separator: ",")
    }

    /// Keeps a choice over the one that is known; false where that is another one by now.
    static func save(
        _ rules: ApprovalRules, over before: ApprovalRules?, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        guard let before else {
            let statement = try sql.statement(
                literal: """
                    INSERT INTO approval_rules (business, areas, changed_at) VALUES (?, ?, ?) \
                    ON CONFLICT (business) DO NOTHING
                    """)
            try statement.bind(rules.business.value)
            try statement.bind(words(of: rules))
            try statement.bind(rules.changedAt)
            return try statement.runCounting() == 1
        }
        let statement = try sql.statement(
            literal: """
                UPDATE approval_rules SET areas = ?, changed_at = ? \
                WHERE business = ? AND areas = ? AND changed_at = ?
                """)
        try statement.bind(words(of: rules))
        try statement.bind(rules.changedAt)
        try statement.bind(rules.business.value)
        try statement.bind(words(of: before))
        try statement.bind(before.changedAt)
        return try statement.runCounting() == 1
    }

    // MARK: Requests

    static func find(
        _ id: ApprovalID, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Approval? {
        let statement = try sql.statement("\(columns) WHERE id = ? AND business = ?")
        try statement.bind(id.value)
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// The same request of the same author in a business, the newest first.
    static func all(
        like one: Approval, on sql: any SQLSession
    ) throws(StoreError) -> [Approval] {
        let statement = try sql.statement(
            """
            \(columns) WHERE digest = ? AND business = ? AND author_kind = ? AND author_name = ? \
            ORDER BY number DESC LIMIT 20
            """)
        try statement.bind(one.digest)
        try statement.bind(one.business.value)
        try statement.bind(one.author.kind)
        try statement.bind(one.author.name)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    static func list(
        of business: BusinessID, in states: Set<ApprovalState>, at edge: PageEdge<Int64>,
        limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> Page<Approval> {
        let limit = min(max(limit, 1), 300)
        let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
        let wanted = states.isEmpty ? Set(ApprovalState.allCases) : states
        // Words of this program's own.
        let words = ApprovalState.allCases.filter { wanted.contains($0) }
            .map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let statement = try sql.statement(
            """
            \(columns) WHERE business = ? AND state IN (\(words)) AND number \(beyond) ? \
            ORDER BY number \(order) LIMIT ?
            """)
        try statement.bind(business.value)
        try statement.bind(edge.place ?? .max)
        try statement.bind(Int64(limit) + 1)
        let found = try statement.all { row throws(StoreError) in try read(row) }
        return edge.page(found, limit: limit)
    }

    /// How many wait at a moment, of all and of one author.
    static func countWaiting(
        of business: BusinessID, by author: Author, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> (all: Int, own: Int) {
        let statement = try sql.statement(
            literal: """
                SELECT count(*), count(CASE WHEN author_kind = ?3 AND author_name = ?4 THEN 1 END) \
                FROM approvals WHERE business = ?1 AND state = 'waiting' AND expires_at > ?2
                """)
        try statement.bind(business.value)
        try statement.bind(time)
        try statement.bind(author.kind)
        try statement.bind(author.name)
        return try statement.first { (Int($0.integer()), Int($0.integer())) } ?? (0, 0)
    }

    static func countWaiting(
        for person: AgentID, of business: BusinessID, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal: """
                SELECT count(*) FROM approvals WHERE business = ? AND state = 'waiting' \
                AND expires_at > ? AND (person IS NULL OR person <> ?)
                """)
        try statement.bind(business.value)
        try statement.bind(time)
        try statement.bind(person.value)
        return Int(try statement.first { $0.integer() } ?? 0)
    }

    static func add(_ one: Approval, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO approvals (id, business, area, operation, details, digest, \
                author_kind, author_name, person, reason, state, made_at, expires_at, decider, \
                decided_at, comment, used_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(one.id.value)
        try statement.bind(one.business.value)
        try statement.bind(one.area.rawValue)
        try statement.bind(one.operation)
        try statement.bind(one.details)
        try statement.bind(one.digest)
        try statement.bind(one.author.kind)
        try statement.bind(one.author.name)
        try statement.bind(one.person?.value)
        try statement.bind(one.reason)
        try statement.bind(one.state.rawValue)
        try statement.bind(one.madeAt)
        try statement.bind(one.expiresAt)
        try statement.bind(one.decider?.value)
        try statement.bind(one.decidedAt)
        try statement.bind(one.comment)
        try statement.bind(one.usedAt)
        try statement.run()
    }

    /// Keeps what a request has come to; false where it was moved on from `state` by another.
    static func move(
        _ one: Approval, from state: ApprovalState, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                UPDATE approvals SET state = ?, expires_at = ?, decider = ?, decided_at = ?, \
                comment = ?, used_at = ? WHERE id = ? AND state = ?
                """)
        try statement.bind(one.state.rawValue)
        try statement.bind(one.expiresAt)
        try statement.bind(one.decider?.value)
        try statement.bind(one.decidedAt)
        try statement.bind(one.comment)
        try statement.bind(one.usedAt)
        try statement.bind(one.id.value)
        try statement.bind(state.rawValue)
        return try statement.runCounting() == 1
    }
}

extension SQLRegistries {
    /// What a business chose; nil where nothing needs a second person.
    public func approvalRules(of business: BusinessID) async throws(StoreError) -> ApprovalRules? {
        try await readRegistry { sql throws(StoreError) in
            try Approvals.rules(of: business, on: sql)
        }
    }

    /// Finds a request.
    public func approval(
        _ id: ApprovalID, of business: BusinessID
    ) async throws(StoreError) -> Approval? {
        try await readRegistry { sql throws(StoreError) in
            try Approvals.find(id, of: business, on: sql)
        }
    }

    /// Lists requests, newest first, in pages by their numbers.
    public func approvals(
        of business: BusinessID, in states: Set<ApprovalState>, at edge: PageEdge<Int64>,
        limit: Int
    ) async throws(StoreError) -> Page<Approval> {
        try await readRegistry { sql throws(StoreError) in
            try Approvals.list(of: business, in: states, at: edge, limit: limit, on: sql)
        }
    }

    /// Counts those that wait at a moment, and that a person can decide on.
    public func approvalsWaiting(
        for person: AgentID, of business: BusinessID, at time: Timestamp
    ) async throws(StoreError) -> Int {
        try await readRegistry { sql throws(StoreError) in
            try Approvals.countWaiting(for: person, of: business, at: time, on: sql)
        }
    }
}

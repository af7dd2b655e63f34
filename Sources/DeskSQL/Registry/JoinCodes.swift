public import DeskModel
public import DeskStore

/// The rows of join codes.
package enum JoinCodes {
    static let columns = """
        SELECT id, business, link, locator, typed, created_at, expires_at, uses_left, tries_left, \
        conversation FROM join_codes
        """

    static func read(_ row: any SQLStatement) throws(StoreError) -> JoinCode {
        var code = JoinCode(
            id: row.text(), business: BusinessID(try row.id()), link: try row.digest(),
            locator: row.text(), typed: try row.digest(), createdAt: row.time(),
            expiresAt: row.time(), uses: Int(row.integer()))
        code.triesLeft = Int(row.integer())
        code.conversation = row.idIfAny().map { ConversationID($0) }
        return code
    }

    /// What is left of the code that a link leads to.
    package static func rest(
        of link: Digest, on sql: any SQLSession
    ) throws(StoreError) -> KnownJoinCode? {
        let statement = try sql.statement(
            literal: "SELECT business, uses_left, expires_at FROM join_codes WHERE link = ?")
        try statement.bind(link)
        return try statement.first { row throws(StoreError) in
            KnownJoinCode(
                business: BusinessID(try row.id()), usesLeft: Int(row.integer()),
                expiresAt: row.time())
        }
    }

    /// Uses a code once for a conversation.
    package static func use(
        _ link: Digest, for conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE join_codes SET uses_left = uses_left - 1, conversation = ? WHERE link = ?
                """)
        try statement.bind(conversation.value)
        try statement.bind(link)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Adds a code.
    public func add(_ code: JoinCode, author: Author) async throws(StoreError) {
        try await change(.credentials(.addJoinCode(code.id, of: code.business)), author: author) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    INSERT INTO join_codes (id, business, link, locator, typed, created_at, \
                    expires_at, uses_left, tries_left, conversation) \
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            try statement.bind(code.id)
            try statement.bind(code.business.value)
            try statement.bind(code.link)
            try statement.bind(code.locator)
            try statement.bind(code.typed)
            try statement.bind(code.createdAt)
            try statement.bind(code.expiresAt)
            try statement.bind(Int64(code.usesLeft))
            try statement.bind(Int64(code.triesLeft))
            try statement.bind(code.conversation?.value)
            try statement.run()
        }
    }

    /// Finds a code by its public name, expired ones included until they are pruned.
    public func findJoinCode(_ id: String) async throws(StoreError) -> JoinCode? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement("\(JoinCodes.columns) WHERE id = ?")
            try statement.bind(id)
            return try statement.first { row throws(StoreError) in try JoinCodes.read(row) }
        }
    }

    /// Finds a valid code by the hash of its link.
    public func findJoinCode(
        link: Digest, at time: Timestamp
    ) async throws(StoreError) -> JoinCode? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                "\(JoinCodes.columns) WHERE link = ? AND expires_at > ? AND uses_left > 0")
            try statement.bind(link)
            try statement.bind(time)
            return try statement.first { row throws(StoreError) in try JoinCodes.read(row) }
        }
    }

    /// Finds a valid code by its typed form; a wrong second half costs the code a try.
    public func typeJoinCode(
        locator: String, typed: Digest, at time: Timestamp
    ) async throws(StoreError) -> JoinCode? {
        try await change(
            .credentials(.typeJoinCode), author: .customer(device: ""), where: { $0 == nil }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(JoinCodes.columns) WHERE locator = ? AND expires_at > ? AND uses_left > 0 \
                AND tries_left > 0
                """)
            try statement.bind(locator)
            try statement.bind(time)
            let candidates = try statement.all { row throws(StoreError) in
                try JoinCodes.read(row)
            }
            if let found = candidates.first(where: { $0.typed == typed }) { return found }
            let miss = try sql.statement(
                literal: "UPDATE join_codes SET tries_left = tries_left - 1 WHERE id = ?")
            for candidate in candidates {
                try miss.bind(candidate.id)
                try miss.run()
            }
            return nil
        }
    }

    /// Forgets the codes that expired before a moment.
    public func pruneJoinCodes(before time: Timestamp) async throws(StoreError) {
        try await change(.credentials(.pruneJoinCodes(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM join_codes WHERE expires_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

public import DeskModel
public import DeskStore

extension SQLRegistries {
    /// Adds a key in the place of another one; false when that one is no longer in force, or without room.
    public func replace(
        _ key: KeyID, by next: APIKey, end: Timestamp, author: Author, permitted: Set<Role>
    ) async throws(StoreError) -> Bool {
        try await change(
            .credentials(.replaceKey(key, by: next.id)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            try Keys.requireMakers(of: next, permitted, on: sql)
            guard try Keys.haveRoom(for: next, on: sql) else { return false }
            let statement = try sql.statement(
                literal: """
                    UPDATE keys SET expires_at = \
                    CASE WHEN expires_at < ? THEN expires_at ELSE ? END \
                    WHERE id = ? AND revoked_at IS NULL \
                    AND EXISTS (SELECT 1 FROM key_businesses WHERE key = keys.id)
                    """)
            try statement.bind(end)
            try statement.bind(end)
            try statement.bind(key.value)
            guard try statement.runCounting() == 1 else { return false }
            try Keys.add(next, on: sql)
            return true
        }
    }

    /// Adds requests of keys, and forgets all but the newest of each.
    public func note(_ requests: [KeyID: [KeyRequest]]) async throws(StoreError) {
        try await change(.credentials(.noteKeyRequests), author: .server) {
            sql throws(StoreError) in
            for (key, made) in requests.sorted(by: { $0.key.text < $1.key.text }) {
                for request in made { try KeyRequests.add(request, of: key, on: sql) }
                try KeyRequests.trim(key, on: sql)
            }
        }
    }

    /// The requests of a key that are kept, newest first.
    public func requests(of key: KeyID) async throws(StoreError) -> [KeyRequest] {
        try await readRegistry { sql throws(StoreError) in try KeyRequests.list(key, on: sql) }
    }

    /// Forgets requests before a moment.
    public func pruneKeyRequests(before time: Timestamp) async throws(StoreError) {
        try await change(.credentials(.noteKeyRequests), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM key_requests WHERE made_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

/// The rows of keys' requests, in the order of their times: each node stores its own late, and all at once.
private enum KeyRequests {
    static func add(
        _ request: KeyRequest, of key: KeyID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO key_requests (key, made_at, operation, status, code, milliseconds, \
                address, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(key.value)
        try statement.bind(request.time)
        try statement.bind(request.operation)
        try statement.bind(Int64(request.status))
        try statement.bind(request.code)
        try statement.bind(Int64(request.milliseconds))
        try statement.bind(request.address)
        try statement.bind(request.request)
        try statement.run()
    }

    static func trim(_ key: KeyID, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                DELETE FROM key_requests WHERE key = ? AND (made_at, number) <= (SELECT \
                made_at, number FROM key_requests WHERE key = ? \
                ORDER BY made_at DESC, number DESC LIMIT 1 OFFSET ?)
                """)
        try statement.bind(key.value)
        try statement.bind(key.value)
        try statement.bind(Int64(KeyRequest.kept))
        try statement.run()
    }

    static func list(_ key: KeyID, on sql: any SQLSession) throws(StoreError) -> [KeyRequest] {
        let statement = try sql.statement(
            literal: """
                SELECT made_at, operation, status, code, milliseconds, address, request \
                FROM key_requests WHERE key = ? ORDER BY made_at DESC, number DESC
                """)
        try statement.bind(key.value)
        return try statement.all { row throws(StoreError) in
            KeyRequest(
                time: row.time(), operation: row.text(), status: Int(row.integer()),
                code: row.text(), milliseconds: Int(row.integer()), address: row.text(),
                request: row.text())
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of API keys.
package enum Keys {
    package static let columns =
        "SELECT id, name, secret, world, scopes, created_at, revoked_at, used_at, addresses, "
        + "expires_at, predecessor FROM keys"

    /// Keys that were not revoked before a moment, each in a row for each of its grants, or in one.
    fileprivate static let listed = list(where: "")
    /// The same of those that have a grant for a business.
    fileprivate static let listedOfBusiness = list(
        where: "AND k.id IN (SELECT key FROM key_businesses WHERE business = ?) ")

    private static func list(where more: String) -> String {
        "SELECT k.id, k.name, k.secret, k.world, k.scopes, k.created_at, k.revoked_at, k.used_at, "
            + "k.addresses, k.expires_at, k.predecessor, g.business, g.made_by, g.made_at "
            + "FROM keys k LEFT JOIN key_businesses g ON g.key = k.id "
            + "WHERE (k.revoked_at IS NULL OR k.revoked_at >= ?) \(more)"
            + "ORDER BY k.number, g.business"
    }

    /// Reads the grant behind a key of `listed`; nil for a key that has none.
    fileprivate static func readGrantIfAny(
        _ row: any SQLStatement
    ) throws(StoreError) -> KeyGrant? {
        let (business, maker, time) = (row.idIfAny(), row.idIfAny(), row.timeIfAny())
        guard let business, let time else { return nil }
        return KeyGrant(
            business: BusinessID(business), maker: maker.map { AgentID($0) }, grantedAt: time)
    }

    package static func read(
        _ row: any SQLStatement, grants: (KeyID) throws(StoreError) -> [KeyGrant]
    ) throws(StoreError) -> APIKey {
        let id = KeyID(try row.id())
        let name = row.text()
        let secret = try row.digest()
        let mode = try row.value { Mode(rawValue: $0) }
        var limits = KeyLimits(scopes: words(row.text()))
        let (createdAt, revokedAt, usedAt) = (row.time(), row.timeIfAny(), row.timeIfAny())
        limits.addresses = words(row.text())
        limits.expiresAt = row.timeIfAny()
        return APIKey(
            id: id, name: name, secret: secret, mode: mode, grants: try grants(id),
            limits: limits, predecessor: row.idIfAny().map { KeyID($0) }, createdAt: createdAt,
            revokedAt: revokedAt, usedAt: usedAt)
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map { String($0) }
    }

    package static func add(_ key: APIKey, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO keys (id, name, secret, world, scopes, created_at, revoked_at, \
                used_at, addresses, expires_at, predecessor) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(key.id.value)
        try statement.bind(key.name)
        try statement.bind(key.secret)
        try statement.bind(key.mode.rawValue)
        try statement.bind(key.limits.scopes.joined(separator: " "))
        try statement.bind(key.createdAt)
        try statement.bind(key.revokedAt)
        try statement.bind(key.usedAt)
        try statement.bind(key.limits.addresses.joined(separator: " "))
        try statement.bind(key.limits.expiresAt)
        try statement.bind(key.predecessor?.value)
        try statement.run()
        let may = try sql.statement(
            literal: """
                INSERT INTO key_businesses (key, business, made_by, made_at) \
                VALUES (?, ?, ?, ?) ON CONFLICT (key, business) DO NOTHING
                """)
        for grant in key.grants {
            try may.bind(key.id.value)
            try may.bind(grant.business.value)
            try may.bind(grant.maker?.value)
            try may.bind(grant.grantedAt)
            try may.run()
        }
    }

    /// Whether a key may be added: each of its businesses has fewer in force than it may, or the key
    /// is the first that comes after another one.
    static func haveRoom(for key: APIKey, on sql: any SQLSession) throws(StoreError) -> Bool {
        if try haveFewer(thanMostAtMaking: key, on: sql) { return true }
        guard let predecessor = key.predecessor else { return false }
        // In the end there are as many as before: a key that has a successor already adds one for good.
        guard try !hasSuccessor(predecessor, on: sql) else { return false }
        let inForce = try countInForce(upTo: predecessor, at: key.createdAt, on: sql)
        return inForce <= Int64(APIKey.mostPredecessors)
    }

    private static func haveFewer(
        thanMostAtMaking key: APIKey, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                SELECT count(*) FROM key_businesses JOIN keys ON keys.id = key_businesses.key \
                WHERE key_businesses.business = ? AND keys.revoked_at IS NULL \
                AND (keys.expires_at IS NULL OR keys.expires_at > ?)
                """)
        for business in key.businesses {
            try statement.bind(business.value)
            try statement.bind(key.createdAt)
            let count = try statement.first { $0.integer() } ?? 0
            guard count < Int64(APIKey.most) else { return false }
        }
        return true
    }

    private static func hasSuccessor(
        _ key: KeyID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT number FROM keys WHERE predecessor = ? LIMIT 1")
        try statement.bind(key.value)
        return try statement.first { $0.integer() } != nil
    }

    /// How many of a key and those before it are in force.
    private static func countInForce(
        upTo key: KeyID, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        // UNION, not UNION ALL: keys of an import that come after each other in a circle end it too.
        let statement = try sql.statement(
            literal: """
                WITH RECURSIVE line (id, predecessor, revoked_at, expires_at) AS (\
                SELECT id, predecessor, revoked_at, expires_at FROM keys WHERE id = ? \
                UNION SELECT k.id, k.predecessor, k.revoked_at, k.expires_at \
                FROM line JOIN keys k ON k.id = line.predecessor) \
                SELECT count(*) FROM line WHERE revoked_at IS NULL \
                AND (expires_at IS NULL OR expires_at > ?)
                """)
        try statement.bind(key.value)
        try statement.bind(time)
        return try statement.first { $0.integer() } ?? 0
    }

    /// Requires that each grant's maker has a permitted role in its business now.
    static func requireMakers(
        of key: APIKey, _ permitted: Set<Role>, on sql: any SQLSession
    ) throws(StoreError) {
        for grant in key.grants {
            guard let maker = grant.maker else { continue }
            try Agents.requireRole(permitted, of: maker, in: grant.business, on: sql)
        }
    }

    package static func grants(
        of key: KeyID, on sql: any SQLSession
    ) throws(StoreError) -> [KeyGrant] {
        let statement = try sql.statement(
            literal: """
                SELECT business, made_by, made_at FROM key_businesses WHERE key = ? \
                ORDER BY business
                """)
        try statement.bind(key.value)
        return try statement.all { row throws(StoreError) in
            KeyGrant(
                business: BusinessID(try row.id()), maker: row.idIfAny().map { AgentID($0) },
                grantedAt: row.time())
        }
    }

    /// Ends the grants that an agent made for a business.
    package static func endGrants(
        by maker: AgentID, for business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM key_businesses WHERE business = ? AND made_by = ?")
        try statement.bind(business.value)
        try statement.bind(maker.value)
        try statement.run()
    }

    /// The keys that may act for a business because a person said so.
    package static func granted(
        by maker: AgentID, for business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [KeyID] {
        let statement = try sql.statement(
            literal: "SELECT key FROM key_businesses WHERE business = ? AND made_by = ?")
        try statement.bind(business.value)
        try statement.bind(maker.value)
        return try statement.all { row throws(StoreError) in KeyID(try row.id()) }
    }
}

extension SQLRegistries {
    /// Adds a key; false when one of its businesses has as many in force as it may.
    ///
    /// - Throws: `refused` when the maker of a grant has no permitted role in its business now.
    @discardableResult
    public func add(
        _ key: APIKey, author: Author, permitted: Set<Role>
    ) async throws(StoreError) -> Bool {
        try await change(
            .credentials(.addKey(key.id)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            try Keys.requireMakers(of: key, permitted, on: sql)
            guard try Keys.haveRoom(for: key, on: sql) else { return false }
            try Keys.add(key, on: sql)
            return true
        }
    }

    /// Whether a key may be added to those that its businesses have in force when it is made.
    public func hasRoom(for key: APIKey) async throws(StoreError) -> Bool {
        try await readRegistry { sql throws(StoreError) in
            try Keys.haveRoom(for: key, on: sql)
        }
    }

    /// Finds a key by its public part, revoked ones included.
    public func findKey(_ id: KeyID) async throws(StoreError) -> APIKey? {
        try await remembered({ $0.keys[id] }, keep: { $0.keys.keep($1, for: id) }) {
            sql throws(StoreError) in
            let statement = try sql.statement("\(Keys.columns) WHERE id = ?")
            try statement.bind(id.value)
            return try statement.first { row throws(StoreError) in
                try Keys.read(row) { key throws(StoreError) in
                    try Keys.grants(of: key, on: sql)
                }
            }
        }
    }

    /// Lists keys with all their grants, oldest first, in one statement.
    public func keys(
        of business: BusinessID?, revokedSince time: Timestamp
    ) async throws(StoreError) -> [APIKey] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                business == nil ? Keys.listed : Keys.listedOfBusiness)
            try statement.bind(time)
            if let business { try statement.bind(business.value) }
            let rows = try statement.all { row throws(StoreError) -> (APIKey, KeyGrant?) in
                let key = try Keys.read(row) { _ throws(StoreError) in [] }
                return (key, try Keys.readGrantIfAny(row))
            }
            var keys: [APIKey] = []
            for (key, grant) in rows {
                if keys.last?.id != key.id { keys.append(key) }
                if let grant { keys[keys.count - 1].grants.append(grant) }
            }
            return keys
        }
    }

    /// Refuses a key from a moment on; returns whether it was in use.
    public func revokeKey(_ id: KeyID, at time: Timestamp, author: Author) async throws(StoreError)
        -> Bool
    {
        try await change(.credentials(.revokeKey(id)), author: author, where: { $0 }) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
            try statement.bind(time)
            try statement.bind(id.value)
            return try statement.runCounting() == 1
        }
    }

    /// Ends a key's grant for a business; returns whether there was one.
    public func removeGrant(
        of key: KeyID, for business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .credentials(.removeGrant(of: key, for: business)), author: author, where: { $0 }
        ) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM key_businesses WHERE key = ? AND business = ?")
            try statement.bind(key.value)
            try statement.bind(business.value)
            return try statement.runCounting() == 1
        }
    }

    /// Lets a member answer for a grant from now on; false without the grant or a permitted role.
    public func confirmGrant(
        of key: KeyID, for business: BusinessID, by member: AgentID, permitted: Set<Role>,
        at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await change(
            .credentials(.confirmGrant(of: key, for: business)), author: .agent(member),
            where: { $0 }
        ) {
            sql throws(StoreError) in
            guard let role = try Agents.role(of: member, in: business, on: sql),
                permitted.contains(role)
            else { return false }
            let statement = try sql.statement(
                literal: """
                    UPDATE key_businesses SET made_by = ?, made_at = ? \
                    WHERE key = ? AND business = ?
                    """)
            try statement.bind(member.value)
            try statement.bind(time)
            try statement.bind(key.value)
            try statement.bind(business.value)
            return try statement.runCounting() == 1
        }
    }

    /// Remembers that a key was used.
    public func touchKey(_ id: KeyID, at time: Timestamp) async throws(StoreError) {
        try await change(.credentials(.touchKey(id)), author: .key(id)) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "UPDATE keys SET used_at = ? WHERE id = ?")
            try statement.bind(time)
            try statement.bind(id.value)
            try statement.run()
        }
    }
}

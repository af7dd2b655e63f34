public import DeskModel
public import DeskStore

/// The rows of businesses and entry links.
enum Businesses {
    static func number(of id: BusinessID, on connection: Connection) throws(StoreError) -> Int64? {
        let statement = try connection.statement(
            literal: "SELECT number FROM businesses WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { $0.integer() }
    }

    static func read(_ row: Statement) throws(StoreError) -> Business {
        Business(
            id: BusinessID(try row.id()), name: row.text(), colour: row.text(),
            picture: row.digestIfAny().map { AttachmentID($0) },
            mode: try row.value { Mode(rawValue: $0) }, isSandbox: row.bool(),
            createdAt: row.time())
    }

    static func save(_ business: Business, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                INSERT INTO businesses (id, name, colour, picture, world, is_sandbox, created_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, colour = excluded.colour, picture = excluded.picture
                """)
        try statement.bind(business.id.value)
        try statement.bind(business.name)
        try statement.bind(business.colour)
        try statement.bind(business.picture?.digest)
        try statement.bind(business.mode.rawValue)
        try statement.bind(business.isSandbox)
        try statement.bind(business.createdAt)
        try statement.run()
    }

    static func save(_ link: EntryLink, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                INSERT INTO entry_links (business, id, label, intent, group_name, body) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (business, id) DO UPDATE SET \
                label = excluded.label, intent = excluded.intent, \
                group_name = excluded.group_name, body = excluded.body
                """)
        try statement.bind(link.business.value)
        try statement.bind(link.id)
        try statement.bind(link.label)
        try statement.bind(link.intent)
        try statement.bind(link.group)
        try statement.bind(link.body)
        try statement.run()
    }
}

extension SQLiteStore: BusinessRegistry {
    /// Adds a business or replaces what may change of it.
    public func save(_ business: Business) async throws(StoreError) {
        try await write(changing: [.business(business.id)]) { connection throws(StoreError) in
            try Businesses.save(business, on: connection)
        }
    }

    /// Finds a business.
    public func findBusiness(_ id: BusinessID) async throws(StoreError) -> Business? {
        try await remembered(
            .credential, { $0.businesses[id] }, keep: { $0.businesses.keep($1, for: id) }
        ) {
            connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT id, name, colour, picture, world, is_sandbox, created_at \
                    FROM businesses WHERE id = ?
                    """)
            try statement.bind(id.value)
            return try statement.first { row throws(StoreError) in try Businesses.read(row) }
        }
    }

    /// Lists all businesses, oldest first.
    public func businesses() async throws(StoreError) -> [Business] {
        try await read { connection throws(StoreError) in
            try connection.statement(
                literal: """
                    SELECT id, name, colour, picture, world, is_sandbox, created_at \
                    FROM businesses ORDER BY number
                    """
            ).all { row throws(StoreError) in try Businesses.read(row) }
        }
    }

    /// Adds or replaces an entry link.
    public func save(_ link: EntryLink) async throws(StoreError) {
        try await write(changing: []) { connection throws(StoreError) in
            try Businesses.save(link, on: connection)
        }
    }

    /// Lists a business's entry links, oldest first.
    public func entryLinks(of business: BusinessID) async throws(StoreError) -> [EntryLink] {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: """
                    SELECT id, label, intent, group_name, body FROM entry_links \
                    WHERE business = ? ORDER BY number
                    """)
            try statement.bind(business.value)
            return try statement.all { row in
                EntryLink(
                    id: row.text(), business: business, label: row.text(),
                    intent: row.textIfAny(), group: row.textIfAny(), body: row.textIfAny())
            }
        }
    }

    /// Removes an entry link; returns whether there was one.
    public func removeEntryLink(
        _ id: String, of business: BusinessID
    ) async throws(StoreError) -> Bool {
        try await write(changing: []) { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: "DELETE FROM entry_links WHERE business = ? AND id = ?")
            try statement.bind(business.value)
            try statement.bind(id)
            return try statement.runCounting() == 1
        }
    }
}

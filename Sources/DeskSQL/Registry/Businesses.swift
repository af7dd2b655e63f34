public import DeskModel
public import DeskStore

/// The rows of businesses and entry links.
package enum Businesses {
    package static func number(of id: BusinessID, on sql: any SQLSession) throws(StoreError)
        -> Int64?
    {
        let statement = try sql.statement(
            literal: "SELECT number FROM businesses WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { $0.integer() }
    }

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Business {
        Business(
            id: BusinessID(try row.id()), name: row.text(), colour: row.text(),
            picture: row.digestIfAny().map { AttachmentID($0) },
            mode: try row.value { Mode(rawValue: $0) }, isSandbox: row.bool(),
            createdAt: row.time(), assignsOnReply: row.bool(), requiresSecondFactor: row.bool())
    }

    /// The columns that `read` reads.
    package static let columns = """
        id, name, colour, picture, world, is_sandbox, created_at, assigns_on_reply, \
        requires_second_factor
        """

    /// Whether an agent's answer assigns a business's conversations that have no assignee.
    package static func assignsOnReply(
        _ id: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT assigns_on_reply FROM businesses WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { $0.bool() } ?? false
    }

    /// Adds a business, or replaces what may change of it but whether it requires a second factor.
    package static func save(_ business: Business, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO businesses (id, name, colour, picture, world, is_sandbox, created_at, \
                assigns_on_reply, requires_second_factor) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, colour = excluded.colour, picture = excluded.picture, \
                assigns_on_reply = excluded.assigns_on_reply
                """)
        try statement.bind(business.id.value)
        try statement.bind(business.name)
        try statement.bind(business.colour)
        try statement.bind(business.picture?.digest)
        try statement.bind(business.mode.rawValue)
        try statement.bind(business.isSandbox)
        try statement.bind(business.createdAt)
        try statement.bind(business.assignsOnReply)
        try statement.bind(business.requiresSecondFactor)
        try statement.run()
    }

    static func find(
        _ id: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Business? {
        let statement = try sql.statement("SELECT \(columns) FROM businesses WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    static func all(on sql: any SQLSession) throws(StoreError) -> [Business] {
        try sql.statement("SELECT \(columns) FROM businesses ORDER BY number")
            .all { row throws(StoreError) in try read(row) }
    }

    /// Notes that the first start makes a sandbox, unless an earlier one noted its own.
    static func claimFirstStart(
        for sandbox: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO settings (name, value) VALUES ('first_start', ?) \
                ON CONFLICT (name) DO NOTHING
                """)
        try statement.bind(sandbox.value)
        try statement.run()
    }

    package static func save(_ link: EntryLink, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
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

extension SQLRegistries {
    /// Adds a business or replaces what may change of it.
    public func save(_ business: Business, author: Author) async throws(StoreError) {
        try await change(.people(.saveBusiness(business.id)), author: author) {
            sql throws(StoreError) in
            try Businesses.save(business, on: sql)
        }
    }

    /// Changes a business as it is stored, and returns it; nil when there is none.
    public func changeBusiness(
        _ id: BusinessID, author: Author, _ apply: @escaping @Sendable (inout Business) -> Void
    ) async throws(StoreError) -> Business? {
        try await change(.people(.saveBusiness(id)), author: author, where: { $0 != nil }) {
            sql throws(StoreError) -> Business? in
            guard var business = try Businesses.find(id, on: sql) else { return nil }
            let former = business.picture
            apply(&business)
            try Businesses.save(business, on: sql)
            if let former, former != business.picture {
                try Holds.giveUp(former, of: id, on: sql)
            }
            return business
        }
    }

    /// Finds a business.
    public func findBusiness(_ id: BusinessID) async throws(StoreError) -> Business? {
        try await remembered(
            { $0.businesses[id] }, keep: { $0.businesses.keep($1, for: id) }
        ) {
            sql throws(StoreError) in try Businesses.find(id, on: sql)
        }
    }

    /// Lists all businesses, oldest first.
    public func businesses() async throws(StoreError) -> [Business] {
        try await readRegistry { sql throws(StoreError) in try Businesses.all(on: sql) }
    }

    /// Adds the businesses of a first start unless there is a sandbox's, and returns all.
    public func beginBusinesses(
        _ own: Business, sandbox: Business
    ) async throws(StoreError) -> [Business] {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            // An imported store has businesses and no row of its start; nothing changes then.
            var known = try Businesses.all(on: sql)
            guard !known.contains(where: \.isSandbox) else { return known }
            // One row for all: of two servers the second waits here for the first one's commit.
            try Businesses.claimFirstStart(for: sandbox.id, on: sql)
            known = try Businesses.all(on: sql)
            guard !known.contains(where: \.isSandbox) else { return known }
            for business in known.isEmpty ? [own, sandbox] : [sandbox] {
                try Businesses.save(business, on: sql)
                let change = RegistryChange.people(.saveBusiness(business.id))
                entries.append(try recorder.record(change, by: .server, on: sql))
            }
            return try Businesses.all(on: sql)
        }
    }

    /// Adds or replaces an entry link.
    public func save(_ link: EntryLink, author: Author) async throws(StoreError) {
        try await change(.people(.saveEntryLink(link.id, of: link.business)), author: author) {
            sql throws(StoreError) in
            try Businesses.save(link, on: sql)
        }
    }

    /// Lists a business's entry links, oldest first.
    public func entryLinks(of business: BusinessID) async throws(StoreError) -> [EntryLink] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
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
        _ id: String, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.removeEntryLink(id, of: business)), author: author, where: { $0 }
        ) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM entry_links WHERE business = ? AND id = ?")
            try statement.bind(business.value)
            try statement.bind(id)
            return try statement.runCounting() == 1
        }
    }
}

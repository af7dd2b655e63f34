public import DeskModel
public import DeskStore

/// The rows of contacts; their names, external ids and notes are about customers.
package enum Contacts {
    package static let list =
        """
        id, business, name, external_id, is_external_id_verified, notes, attributes, blocked_at, \
        merge, created_at, metadata
        """
    package static let columns = "SELECT \(list) FROM contacts"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Contact {
        var contact = Contact(
            id: ContactID(try row.id()), business: BusinessID(try row.id()),
            name: row.textIfAny(), externalID: row.textIfAny(),
            isExternalIDVerified: row.bool(), notes: row.text(),
            attributes: try row.require(RowFields.readAttributes(row.text()), "attributes"),
            blockedAt: row.timeIfAny(),
            merge: try row.textIfAny().map { text throws(StoreError) in
                try row.require(RowFields.readMerge(text), "a merge")
            }, createdAt: row.time())
        if let metadata = row.bytesIfAny() {
            contact.metadata = try row.require(Metadata(json: metadata), "metadata")
        }
        return contact
    }

    package static func find(
        _ id: ContactID, on sql: any SQLSession
    ) throws(StoreError) -> Contact? {
        let statement = try sql.statement("\(columns) WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// The contact of a business that has an external id.
    package static func find(
        externalID: [UInt8], of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> ContactID? {
        let statement = try sql.statement(
            literal: "SELECT id FROM contacts WHERE business = ? AND external_id = ?")
        try statement.bind(business.value)
        try statement.bind(String(decoding: externalID, as: UTF8.self))
        return try statement.first { row throws(StoreError) in ContactID(try row.id()) }
    }

    /// The contacts that were merged into one, and into these, itself first: at most
    /// `Contact.mostMerged` and one more.
    package static func tree(
        of root: ContactID, on sql: any SQLSession
    ) throws(StoreError) -> [ContactID] {
        let statement = try sql.statement(
            """
            WITH RECURSIVE tree(id) AS (SELECT id FROM contacts WHERE id = ? UNION ALL \
            SELECT k.id FROM contacts k JOIN tree t ON k.merged_into = t.id) \
            SELECT id FROM tree LIMIT \(Contact.mostMerged + 1)
            """)
        try statement.bind(root.value)
        return try statement.all { row throws(StoreError) in ContactID(try row.id()) }
    }

    /// Adds a contact, or replaces what may change of it.
    package static func save(_ contact: Contact, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO contacts \
                (id, business, name, external_id, is_external_id_verified, notes, attributes, \
                blocked_at, merged_into, merge, created_at, metadata) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
                external_id = excluded.external_id, \
                is_external_id_verified = excluded.is_external_id_verified, \
                notes = excluded.notes, \
                attributes = excluded.attributes, blocked_at = excluded.blocked_at, \
                merged_into = excluded.merged_into, merge = excluded.merge, \
                metadata = excluded.metadata
                """)
        try statement.bind(contact.id.value)
        try statement.bind(contact.business.value)
        try statement.bind(contact.name)
        try statement.bind(contact.externalID)
        try statement.bind(contact.isExternalIDVerified)
        try statement.bind(contact.notes)
        try statement.bind(RowFields.write(contact.attributes))
        try statement.bind(contact.blockedAt)
        try statement.bind(contact.merge?.into.value)
        try statement.bind(contact.merge.map { RowFields.write($0) })
        try statement.bind(contact.createdAt)
        try statement.bind(contact.metadata.isEmpty ? nil : contact.metadata.json)
        try statement.run()
    }

    /// Adds the contact of a conversation that comes without one.
    package static func addMissing(_ contact: Contact, on sql: any SQLSession) throws(StoreError) {
        guard try find(contact.id, on: sql) == nil else { return }
        try save(contact, on: sql)
    }
}

extension SQLRegistries {
    /// Finds a contact.
    public func findContact(_ id: ContactID) async throws(StoreError) -> Contact? {
        try await readRegistry { sql throws(StoreError) in try Contacts.find(id, on: sql) }
    }

    /// Lists the contacts that were merged into one, and into these, itself first.
    public func contactTree(of root: ContactID) async throws(StoreError) -> [ContactID] {
        try await readRegistry { sql throws(StoreError) in try Contacts.tree(of: root, on: sql) }
    }

    /// Lists a business's contacts, the newest first, without those merged into others.
    public func contacts(
        of business: BusinessID, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<ListedContact> {
        let limit = min(max(limit, 1), 300)
        return try await readRegistry { sql throws(StoreError) in
            let (beyond, order) = edge.isBackward ? (">", "ASC") : ("<", "DESC")
            let statement = try sql.statement(
                """
                SELECT \(Contacts.list), number FROM contacts WHERE business = ? \
                AND number \(beyond) ? AND merged_into IS NULL ORDER BY number \(order) LIMIT ?
                """)
            try statement.bind(business.value)
            try statement.bind(edge.place ?? .max)
            try statement.bind(Int64(limit) + 1)
            let found = try statement.all { row throws(StoreError) in
                let contact = try Contacts.read(row)
                return ListedContact(place: row.integer(), contact: contact)
            }
            return edge.page(found, limit: limit)
        }
    }
}

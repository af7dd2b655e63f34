public import DeskModel
public import DeskStore

/// The rows of links between contacts of different businesses; nothing of them is a customer's words.
package enum ContactLinks {
    package static let columns =
        "SELECT one, other, is_linked, author_kind, author_name, changed_at FROM contact_links"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> ContactLink {
        let one = ContactID(try row.id())
        let other = ContactID(try row.id())
        let isLinked = row.bool()
        let kind = row.text()
        return ContactLink(
            one, other, isLinked: isLinked,
            author: try row.value { Author(kind: kind, name: $0) }, time: row.time())
    }

    /// The links of a contact, the oldest first.
    package static func all(
        of contact: ContactID, on sql: any SQLSession
    ) throws(StoreError) -> [ContactLink] {
        let statement = try sql.statement(
            "\(columns) WHERE one = ?1 OR other = ?1 ORDER BY number")
        try statement.bind(contact.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds a link that comes with an archive; false without one of its contacts, or where it is there.
    package static func add(
        _ link: ContactLink, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        for id in [link.one, link.other] where try Contacts.find(id, on: sql) == nil {
            return false
        }
        let isKnown = try all(of: link.one, on: sql).contains { $0.other == link.other }
        if !isKnown { try put(link, on: sql) }
        return !isKnown
    }

    /// Adds a link, or replaces what is said of its two contacts.
    package static func put(_ link: ContactLink, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO contact_links (one, other, is_linked, author_kind, author_name, \
                changed_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (one, other) DO UPDATE SET \
                is_linked = excluded.is_linked, author_kind = excluded.author_kind, \
                author_name = excluded.author_name, changed_at = excluded.changed_at
                """)
        try statement.bind(link.one.value)
        try statement.bind(link.other.value)
        try statement.bind(link.isLinked)
        try statement.bind(link.author.kind)
        try statement.bind(link.author.name)
        try statement.bind(link.time)
        try statement.run()
    }
}

extension SQLRegistries {
    /// The links of some contacts, those that were parted included.
    public func contactLinks(of contacts: [ContactID]) async throws(StoreError) -> [ContactLink] {
        try await readRegistry { sql throws(StoreError) in
            var links: [ContactLink] = []
            for contact in contacts { links += try ContactLinks.all(of: contact, on: sql) }
            return links
        }
    }

    /// Finds the contact of a business that has an external id.
    public func findContact(
        externalID: String, of business: BusinessID
    ) async throws(StoreError) -> Contact? {
        try await readRegistry { sql throws(StoreError) in
            let id = try Contacts.find(externalID: Array(externalID.utf8), of: business, on: sql)
            return try id.flatMap { id throws(StoreError) in try Contacts.find(id, on: sql) }
        }
    }
}

import DeskCrypto
public import DeskModel
public import DeskStore

/// The rows of links, of ciphertext and of the wire log.
package enum GatewayRows {
    /// Objects that one call of `pruneMMCSObjects` looks at.
    static let prunedAtOnce: Int64 = 300

    /// What a list of columns of `conversations c` ends with: until when the customer's channel accepts answers.
    static let freeFormColumn =
        "(SELECT u.free_form_until FROM upstream_conversations u WHERE u.conversation = c.id)"

    /// Notes over which link a conversation's customer is reached, and until when; the newest counts.
    package static func bind(
        _ conversation: ConversationID, to link: GatewayLinkID, freeFormUntil end: Timestamp?,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO upstream_conversations (conversation, link, free_form_until) \
                VALUES (?, ?, ?) ON CONFLICT (conversation) DO UPDATE SET link = excluded.link, \
                free_form_until = excluded.free_form_until
                """)
        try statement.bind(conversation.value)
        try statement.bind(link.value)
        try statement.bind(end)
        try statement.run()
    }

    /// Where the links of a side lie.
    ///
    /// Numbers at WhatsApp have a table of their own: a program of the version before reads every row of the other,
    /// and knows two sides.
    static func table(of side: GatewaySide) -> String {
        switch side {
        case .provider, .upstream: "gateway_links"
        case .whatsapp: "channel_links"
        }
    }

    /// Keeps an object from now on.
    package static func keepObject(_ id: String, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE mmcs_objects SET kept_until = NULL WHERE id = ?")
        try statement.bind(id)
        try statement.run()
    }

    /// Lets an object go of a business: housekeeping removes it, with its file where nothing else names that.
    static func endObject(
        _ id: String, of business: BusinessID, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE mmcs_objects SET kept_until = ? WHERE id = ? AND business = ?")
        try statement.bind(time)
        try statement.bind(id)
        try statement.bind(business.value)
        try statement.run()
    }

    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    ///
    /// - Parameter secret: the link's secret as it is stored.
    package static func save(
        _ link: GatewayLink, storing secret: [UInt8], on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let table = table(of: link.side)
        let known = try sql.statement(
            "UPDATE \(table) SET msp_id = ?, secret = ?, url = ?, settings = ? WHERE id = ?")
        try known.bind(link.mspID)
        try known.bind(secret)
        try known.bind(link.url)
        try known.bind(link.settings)
        try known.bind(link.id.value)
        guard try known.runCounting() == 0 else { return true }
        return try insert(link, storing: secret, on: sql)
    }

    /// Adds a link; false when the business has one of its side.
    static func insert(
        _ link: GatewayLink, storing secret: [UInt8], on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let table = table(of: link.side)
        let statement = try sql.statement(
            """
            INSERT INTO \(table) (id, business, side, msp_id, secret, url, settings, \
            created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
            ON CONFLICT (business, side) DO NOTHING
            """)
        try statement.bind(link.id.value)
        try statement.bind(link.business.value)
        try statement.bind(link.side.rawValue)
        try statement.bind(link.mspID)
        try statement.bind(secret)
        try statement.bind(link.url)
        try statement.bind(link.settings)
        try statement.bind(link.createdAt)
        return try statement.runCounting() == 1
    }

    /// Replaces what may change of a link, unless it is stored otherwise than it was read.
    ///
    /// - Parameter decrypt: makes the stored secret readable; nil for one that cannot be read.
    static func replace(
        _ known: GatewayLink, with link: GatewayLink, storing secret: [UInt8],
        on sql: any SQLSession, _ decrypt: ([UInt8]) throws(StoreError) -> [UInt8]?
    ) throws(StoreError) -> Bool {
        let table = table(of: link.side)
        let find = try sql.statement(
            """
            SELECT id, business, side, msp_id, secret, url, settings, created_at \
            FROM \(table) WHERE id = ?
            """)
        try find.bind(known.id.value)
        guard var found = try find.first({ row throws(StoreError) in try readLink(row) }) else {
            return false
        }
        let former = found.secret
        let plain = try decrypt(former)
        found.secret = plain ?? known.secret
        found.isSecretUnreadable = plain == nil
        guard found == known else { return false }
        // Encrypted anew each time, it says whether another writer came between.
        let statement = try sql.statement(
            """
            UPDATE \(table) SET msp_id = ?, secret = ?, url = ?, settings = ? \
            WHERE id = ? AND secret = ?
            """)
        try statement.bind(link.mspID)
        // What could not be read stays as it is, until there is something to replace it.
        try statement.bind(link.isSecretUnreadable ? former : secret)
        try statement.bind(link.url)
        try statement.bind(link.settings)
        try statement.bind(known.id.value)
        try statement.bind(former)
        return try statement.runCounting() == 1
    }

    /// All links, each table's oldest first.
    package static func list(
        secret: String = "secret", on sql: any SQLSession
    ) throws(StoreError) -> [GatewayLink] {
        var links: [GatewayLink] = []
        for table in ["gateway_links", "channel_links"] {
            links += try sql.statement(
                """
                SELECT id, business, side, msp_id, \(secret), url, settings, created_at \
                FROM \(table) ORDER BY number
                """
            ).all { row throws(StoreError) in try readLink(row) }
        }
        return links
    }

    /// Reads a link whose secret is as it is stored.
    package static func readLink(_ row: any SQLStatement) throws(StoreError) -> GatewayLink {
        GatewayLink(
            id: GatewayLinkID(try row.id()), business: BusinessID(try row.id()),
            side: try row.value { GatewaySide(rawValue: $0) }, mspID: row.text(),
            secret: row.bytes(), url: row.text(), settings: row.bytes(), createdAt: row.time())
    }

    static func readObject(_ row: any SQLStatement) throws(StoreError) -> MMCSObject {
        let id = row.text()
        let business = BusinessID(try row.id())
        let content = try row.digest()
        return MMCSObject(
            id: id, business: business, content: AttachmentID(content), key: row.bytesIfAny(),
            byteCount: row.integer(), signature: row.bytes(), createdAt: row.time(),
            keptUntil: row.timeIfAny())
    }
}

extension SQLRegistries {
    /// Adds a link and begins its outbox, or replaces what may change of it; false when the business
    /// has another of its side.
    public func save(_ link: GatewayLink, author: Author) async throws(StoreError) -> Bool {
        let secret = encryptionKeys.encrypt(link.secret, as: Secrets.label(of: link))
        return try await change(
            .links(.saveLink(link.id, of: link.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard try GatewayRows.save(link, storing: secret, on: sql) else { return false }
            // A known outbox keeps its place.
            try Outboxes.open(link.outbox, after: try newestPosition(on: sql), on: sql)
            return true
        }
    }

    /// Adds a link and begins its outbox, or replaces what may change of the one that was read, unless it was
    /// changed since.
    public func save(
        _ link: GatewayLink, over known: GatewayLink?, author: Author
    ) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        let label = Secrets.label(of: link)
        let secret = keys.encrypt(link.secret, as: label)
        return try await change(
            .links(.saveLink(link.id, of: link.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard let known else {
                guard try GatewayRows.insert(link, storing: secret, on: sql) else { return false }
                try Outboxes.open(link.outbox, after: try newestPosition(on: sql), on: sql)
                return true
            }
            return try GatewayRows.replace(known, with: link, storing: secret, on: sql) {
                bytes throws(StoreError) in try Secrets.findPlain(bytes, keys, label)
            }
        }
    }

    /// Lists all links: providers and upstreams, then numbers at WhatsApp, oldest first.
    ///
    /// One whose secret cannot be read has a random one, and keeps none of the others back.
    public func gatewayLinks() async throws(StoreError) -> [GatewayLink] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            var links = try GatewayRows.list(on: sql)
            for place in links.indices {
                let link = links[place]
                let plain = try Secrets.findPlain(link.secret, keys, Secrets.label(of: link))
                links[place].secret = plain ?? RandomBytes.make(GatewayLink.secretBytes)
                links[place].isSecretUnreadable = plain == nil
            }
            return links
        }
    }

    /// Removes a link with its exchanges and its outbox; returns whether there was one.
    public func removeGatewayLink(_ id: GatewayLinkID, author: Author) async throws(StoreError)
        -> Bool
    {
        let recorder = registryRecorder
        let outbox = OutboxID(id.value)
        return try await writeRegistry { sql, entries throws(StoreError) -> Bool in
            let log = try sql.statement(literal: "DELETE FROM exchanges WHERE link = ?")
            try log.bind(id.value)
            let exchanges = try log.runCounting()
            var business: BusinessID?
            for table in ["gateway_links", "channel_links"] {
                let statement = try sql.statement(
                    "DELETE FROM \(table) WHERE id = ? RETURNING business")
                try statement.bind(id.value)
                let found = try statement.first { row throws(StoreError) in
                    BusinessID(try row.id())
                }
                business = business ?? found
            }
            if business != nil || exchanges > 0 {
                let change = LinkChange.removeLink(id, of: business)
                entries.append(try recorder.record(.links(change), by: author, on: sql))
            }
            guard business != nil else { return false }
            // In the same commit: an outbox without its link would keep the log from being pruned for ever.
            if try Outboxes.close(outbox, on: sql) > 0 {
                entries.append(
                    try recorder.record(.links(.closeOutbox(outbox)), by: author, on: sql))
            }
            return true
        }
    }

    /// The upstream link over which a conversation's customer is reached; nil for one of ours.
    public func findUpstream(
        of conversation: ConversationID
    ) async throws(StoreError) -> GatewayLinkID? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT link FROM upstream_conversations WHERE conversation = ?")
            try statement.bind(conversation.value)
            return try statement.first { row throws(StoreError) in
                GatewayLinkID(try row.id())
            }
        }
    }
}

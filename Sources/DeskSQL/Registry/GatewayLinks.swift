public import DeskModel
public import DeskStore

/// The rows of links, of ciphertext and of the wire log.
package enum GatewayRows {
    /// Objects that one call of `pruneMMCSObjects` looks at.
    static let prunedAtOnce: Int64 = 300

    /// Notes over which upstream link a conversation's customer is reached; the newest counts.
    package static func bind(
        _ conversation: ConversationID, to link: GatewayLinkID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO upstream_conversations (conversation, link) VALUES (?, ?) \
                ON CONFLICT (conversation) DO UPDATE SET link = excluded.link
                """)
        try statement.bind(conversation.value)
        try statement.bind(link.value)
        try statement.run()
    }

    /// Keeps an object from now on.
    package static func keepObject(_ id: String, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE mmcs_objects SET kept_until = NULL WHERE id = ?")
        try statement.bind(id)
        try statement.run()
    }

    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    ///
    /// - Parameter secret: the link's secret as it is stored.
    package static func save(
        _ link: GatewayLink, storing secret: [UInt8], on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let known = try sql.statement(
            literal: """
                UPDATE gateway_links SET msp_id = ?, secret = ?, url = ?, settings = ? \
                WHERE id = ?
                """)
        try known.bind(link.mspID)
        try known.bind(secret)
        try known.bind(link.url)
        try known.bind(link.settings)
        try known.bind(link.id.value)
        guard try known.runCounting() == 0 else { return true }
        let statement = try sql.statement(
            literal: """
                INSERT INTO gateway_links (id, business, side, msp_id, secret, url, settings, \
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
        let secret = encryptionKeys.encrypt(link.secret, as: Secrets.label(of: link.id))
        return try await change(
            .links(.saveLink(link.id, of: link.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard try GatewayRows.save(link, storing: secret, on: sql) else { return false }
            // A known outbox keeps its place.
            try Outboxes.open(link.outbox, after: try newestPosition(on: sql), on: sql)
            return true
        }
    }

    /// Lists all links, oldest first.
    public func gatewayLinks() async throws(StoreError) -> [GatewayLink] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            try sql.statement(
                literal: """
                    SELECT id, business, side, msp_id, secret, url, settings, created_at \
                    FROM gateway_links ORDER BY number
                    """
            ).all { row throws(StoreError) in
                var link = try GatewayRows.readLink(row)
                do throws(StoreError) {
                    link.secret = try keys.decrypt(
                        link.secret, as: Secrets.label(of: link.id))
                } catch {
                    throw StoreError(error.code, "the secret of the gateway link \(link.id.text)")
                }
                return link
            }
        }
    }

    /// Removes a link and its exchanges; returns whether there was one.
    public func removeGatewayLink(_ id: GatewayLinkID, author: Author) async throws(StoreError)
        -> Bool
    {
        let (wasThere, _) = try await change(
            .links(.removeLink(id)), author: author, where: { $0.0 || $0.1 > 0 }
        ) { sql throws(StoreError) in
            let log = try sql.statement(literal: "DELETE FROM exchanges WHERE link = ?")
            try log.bind(id.value)
            let exchanges = try log.runCounting()
            let statement = try sql.statement(
                literal: "DELETE FROM gateway_links WHERE id = ?")
            try statement.bind(id.value)
            return (try statement.runCounting() == 1, exchanges)
        }
        return wasThere
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

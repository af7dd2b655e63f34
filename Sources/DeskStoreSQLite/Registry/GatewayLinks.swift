public import DeskModel
public import DeskStore

/// The rows of links, of ciphertext and of the wire log.
enum GatewayRows {
    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    static func save(_ link: GatewayLink, on connection: Connection) throws(StoreError) -> Bool {
        let statement = try connection.statement(
            literal: """
                INSERT INTO gateway_links (id, business, side, msp_id, secret, url, settings, \
                created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                msp_id = excluded.msp_id, secret = excluded.secret, url = excluded.url, \
                settings = excluded.settings ON CONFLICT (business, side) DO NOTHING
                """)
        try statement.bind(link.id.value)
        try statement.bind(link.business.value)
        try statement.bind(link.side.rawValue)
        try statement.bind(link.mspID)
        try statement.bind(link.secret)
        try statement.bind(link.url)
        try statement.bind(link.settings)
        try statement.bind(link.createdAt)
        return try statement.runCounting() == 1
    }

    /// Notes the upstream link of a conversation instead of the one before.
    static func bind(
        _ conversation: ConversationID, to link: GatewayLinkID, on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT OR REPLACE INTO upstream_conversations VALUES (?, ?)")
        try statement.bind(conversation.value)
        try statement.bind(link.value)
        try statement.run()
    }

    /// Keeps an object from now on.
    static func keepObject(_ id: String, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: "UPDATE mmcs_objects SET kept_until = NULL WHERE id = ?")
        try statement.bind(id)
        try statement.run()
    }

    static func readLink(_ row: Statement) throws(StoreError) -> GatewayLink {
        GatewayLink(
            id: GatewayLinkID(try row.id()), business: BusinessID(try row.id()),
            side: try row.value { GatewaySide(rawValue: $0) }, mspID: row.text(),
            secret: row.bytes(), url: row.text(), settings: row.bytes(), createdAt: row.time())
    }

    static func readObject(_ row: Statement) throws(StoreError) -> MMCSObject {
        let id = row.text()
        let business = BusinessID(try row.id())
        let content = try row.digest()
        return MMCSObject(
            id: id, business: business, content: AttachmentID(content), key: row.bytesIfAny(),
            byteCount: row.integer(), signature: row.bytes(), createdAt: row.time(),
            keptUntil: row.timeIfAny())
    }
}

extension SQLiteStore {
    /// Adds a link or replaces what may change of it; false when the business has another of its side.
    public func save(_ link: GatewayLink) async throws(StoreError) -> Bool {
        try await write(changing: []) { connection throws(StoreError) in
            try GatewayRows.save(link, on: connection)
        }
    }

    /// Lists all links, oldest first.
    public func gatewayLinks() async throws(StoreError) -> [GatewayLink] {
        try await read { connection throws(StoreError) in
            try connection.statement(
                literal: """
                    SELECT id, business, side, msp_id, secret, url, settings, created_at \
                    FROM gateway_links ORDER BY number
                    """
            ).all { row throws(StoreError) in try GatewayRows.readLink(row) }
        }
    }

    /// Removes a link and its exchanges; returns whether there was one.
    public func removeGatewayLink(_ id: GatewayLinkID) async throws(StoreError) -> Bool {
        try await write(changing: []) { connection throws(StoreError) in
            let log = try connection.statement(literal: "DELETE FROM exchanges WHERE link = ?")
            try log.bind(id.value)
            try log.run()
            let statement = try connection.statement(
                literal: "DELETE FROM gateway_links WHERE id = ?")
            try statement.bind(id.value)
            return try statement.runCounting() == 1
        }
    }

    /// The upstream link over which a conversation's customer is reached; nil for one of ours.
    public func findUpstream(
        of conversation: ConversationID
    ) async throws(StoreError) -> GatewayLinkID? {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: "SELECT link FROM upstream_conversations WHERE conversation = ?")
            try statement.bind(conversation.value)
            return try statement.first { row throws(StoreError) in
                GatewayLinkID(try row.id())
            }
        }
    }
}

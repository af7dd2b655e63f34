public import DeskModel
public import DeskStore

/// The rows of bots.
package enum Bots {
    private static let list =
        "b.id, b.business, b.name, b.key, b.webhook, b.answer_seconds, b.is_first, b.intents, "
        + "b.is_retired"
    package static let columns = "SELECT \(list) FROM bots b"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Bot {
        Bot(
            id: BotID(try row.id()), business: BusinessID(try row.id()), name: row.text(),
            key: KeyID(try row.id()), webhook: row.idIfAny().map { WebhookID($0) },
            answerSeconds: Int(row.integer()), isFirst: row.bool(),
            intents: row.text().split(separator: "\n").map { String($0) }, isRetired: row.bool())
    }

    /// The bots of a business with what decides whether they can be reached, and which keys their programs have.
    package static func known(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [KnownBot] {
        let statement = try sql.statement(
            """
            SELECT \(list), k.id IS NULL OR k.revoked_at IS NOT NULL OR g.key IS NULL \
            OR (b.webhook IS NOT NULL AND (w.id IS NULL OR w.disabled IS NOT NULL)), k.expires_at \
            FROM bots b LEFT JOIN keys k ON k.id = b.key \
            LEFT JOIN key_businesses g ON g.key = b.key AND g.business = b.business \
            LEFT JOIN webhooks w ON w.id = b.webhook WHERE b.business = ? ORDER BY b.number
            """)
        try statement.bind(business.value)
        let bots = try statement.all { row throws(StoreError) in
            KnownBot(bot: try read(row), isCutOff: row.bool(), endsAt: row.timeIfAny())
        }
        guard !bots.isEmpty else { return bots }
        return bots.related(by: try predecessors(in: business, on: sql))
    }

    /// Which key each one came after, of the keys that act for a business, its bots' keys, and all before them.
    private static func predecessors(
        in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [KeyID: KeyID] {
        // Each key is looked at once, however many came after it: the words of UNION.
        let statement = try sql.statement(
            literal: """
                WITH RECURSIVE line (key) AS (\
                SELECT key FROM key_businesses WHERE business = ? \
                UNION SELECT key FROM bots WHERE business = ? \
                UNION SELECT k.predecessor FROM line l JOIN keys k ON k.id = l.key \
                WHERE k.predecessor IS NOT NULL) \
                SELECT k.id, k.predecessor FROM line l JOIN keys k ON k.id = l.key \
                WHERE k.predecessor IS NOT NULL
                """)
        try statement.bind(business.value)
        try statement.bind(business.value)
        let pairs = try statement.all { row throws(StoreError) in
            (KeyID(try row.id()), KeyID(try row.id()))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Adds a bot, or replaces what may change of it.
    package static func save(_ bot: Bot, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO bots (id, business, name, key, webhook, answer_seconds, is_first, \
                intents, is_retired) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, key = excluded.key, \
                webhook = excluded.webhook, answer_seconds = excluded.answer_seconds, \
                is_first = excluded.is_first, intents = excluded.intents, \
                is_retired = excluded.is_retired
                """)
        try statement.bind(bot.id.value)
        try statement.bind(bot.business.value)
        try statement.bind(bot.name)
        try statement.bind(bot.key.value)
        try statement.bind(bot.webhook?.value)
        try statement.bind(Int64(bot.answerSeconds))
        try statement.bind(bot.isFirst)
        try statement.bind(bot.intents.joined(separator: "\n"))
        try statement.bind(bot.isRetired)
        try statement.run()
    }
}

/// The rows that say who controls conversations.
///
/// Metadata may repeat what was said: it goes with the first erasure in the conversation.
package enum Controls {
    package static let columns = """
        SELECT conversation, business, controller_kind, controller, since, offer_kind, offer, \
        answer_by, metadata FROM controls
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Control {
        let conversation = ConversationID(try row.id())
        let business = BusinessID(try row.id())
        let controller = try controller(row)
        let since = row.time()
        return Control(
            of: conversation, in: business, controller, since: since,
            offer: try self.controller(row), answerBy: row.timeIfAny(), metadata: row.bytes())
    }

    private static func controller(
        _ row: any SQLStatement
    ) throws(StoreError) -> Controller? {
        let kind = row.textIfAny()
        let name = row.textIfAny()
        guard let kind, let name else { return nil }
        return try row.require(Controller(kind: kind, name: name), "a controller")
    }

    package static func find(
        _ conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> Control? {
        let statement = try sql.statement("\(columns) WHERE conversation = ?")
        try statement.bind(conversation.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// Those whose bot was to answer by a moment, longest first.
    static func overdue(
        until time: Timestamp, after last: Control?, limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> [Control] {
        let behind = "AND answer_by >= ? AND (answer_by, conversation) > (?, ?)"
        let statement = try sql.statement(
            """
            \(columns) WHERE answer_by IS NOT NULL AND answer_by <= ? \
            \(last == nil ? "" : behind) ORDER BY answer_by, conversation LIMIT ?
            """)
        try statement.bind(time)
        if let last {
            try statement.bind(last.answerBy)
            try statement.bind(last.answerBy)
            try statement.bind(last.conversation.value)
        }
        try statement.bind(Int64(max(0, limit)))
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Keeps who controls a conversation instead of who did.
    package static func put(_ control: Control, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO controls (conversation, business, controller_kind, controller, since, \
                offer_kind, offer, answer_by, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (conversation) DO UPDATE SET \
                controller_kind = excluded.controller_kind, controller = excluded.controller, \
                since = excluded.since, offer_kind = excluded.offer_kind, \
                offer = excluded.offer, answer_by = excluded.answer_by, \
                metadata = excluded.metadata
                """)
        try statement.bind(control.conversation.value)
        try statement.bind(control.business.value)
        try statement.bind(control.controller?.kind)
        try statement.bind(control.controller?.name)
        try statement.bind(control.since)
        try statement.bind(control.offer?.kind)
        try statement.bind(control.offer?.name)
        try statement.bind(control.answerBy)
        try statement.bind(control.metadata)
        try statement.run()
    }

    /// Empties the metadata of a conversation.
    static func emptyMetadata(
        of conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE controls SET metadata = ? WHERE conversation = ?")
        try statement.bind([UInt8]())
        try statement.bind(conversation.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists the bots of a business in the order in which they were registered.
    public func bots(of business: BusinessID) async throws(StoreError) -> [Bot] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                "\(Bots.columns) WHERE b.business = ? ORDER BY b.number")
            try statement.bind(business.value)
            return try statement.all { row throws(StoreError) in try Bots.read(row) }
        }
    }

    /// Finds the bot that a key is; nil for a key that is none.
    public func findBot(
        with key: KeyID, of business: BusinessID
    ) async throws(StoreError) -> Bot? {
        try await readRegistry { sql throws(StoreError) in
            try Bots.known(of: business, on: sql).bot(with: key)
        }
    }

    /// When the program of each bot of a business asked for something last.
    public func lastRequests(
        ofBotsOf business: BusinessID
    ) async throws(StoreError) -> [BotID: Timestamp] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT max(made_at) FROM key_requests WHERE key = ?")
            var last: [BotID: Timestamp] = [:]
            for known in try Bots.known(of: business, on: sql) {
                for key in known.keys {
                    try statement.bind(key.value)
                    guard let time = try statement.first({ $0.timeIfAny() }) ?? nil else {
                        continue
                    }
                    last[known.bot.id] = max(last[known.bot.id] ?? time, time)
                }
            }
            return last
        }
    }

    /// Finds who controls a conversation; nil where no bot ever did.
    public func findControl(
        of conversation: ConversationID
    ) async throws(StoreError) -> Control? {
        try await readRegistry { sql throws(StoreError) in
            try Controls.find(conversation, on: sql)
        }
    }

    /// Lists conversations whose bot was to answer by a moment, those that are due longest first.
    public func overdueControls(
        until time: Timestamp, after last: Control?, limit: Int
    ) async throws(StoreError) -> [Control] {
        try await readRegistry { sql throws(StoreError) in
            try Controls.overdue(until: time, after: last, limit: limit, on: sql)
        }
    }
}

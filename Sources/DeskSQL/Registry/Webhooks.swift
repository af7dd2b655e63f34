import DeskCrypto
public import DeskModel
public import DeskStore

/// The rows of webhook endpoints.
package enum Webhooks {
    /// Deliveries that one call of `removeDeliveries` removes.
    static let removedAtOnce: Int64 = 3_000

    static let names = """
        id, business, url, description, signing, settings, secrets, begins_after, disabled, \
        disabled_at, failing_since, handshake, created_at
        """
    package static let columns = "SELECT \(names) FROM webhooks"

    /// Reads an endpoint; one whose secrets cannot be decrypted says so, and keeps none of the others back.
    ///
    /// - Throws: `damaged` when other columns are none of ours.
    package static func read(
        _ row: any SQLStatement, _ keys: EncryptionKeys
    ) throws(StoreError) -> Webhook {
        let id = WebhookID(try row.id())
        let business = BusinessID(try row.id())
        let (url, description) = (row.text(), row.text())
        let signing = try row.value { Webhook.Signing(rawValue: $0) }
        let (settings, secrets) = (row.text(), row.bytes())
        let beginning = Position(max(0, row.integer()))
        let reason = row.textIfAny().flatMap { Webhook.DisabledReason(rawValue: $0) }
        let disabledAt = row.time()
        let failingSince = row.timeIfAny()
        let handshake = row.textIfAny().flatMap { WebhookRow.handshake($0) }
        var webhook = Webhook(
            id: id, business: business, url: url, signing: signing, secret: [],
            createdAt: row.time(), beginning: beginning)
        webhook.description = description
        webhook.disabled = reason.map { Webhook.Disabled($0, at: disabledAt) }
        webhook.failingSince = failingSince
        webhook.handshake = handshake
        guard WebhookRow.read(settings: settings, into: &webhook) else {
            throw StoreError(.damaged, "the webhook \(id.text)")
        }
        let plain = try Secrets.findPlain(secrets, keys, Secrets.label(of: id))
        if !(plain.map { WebhookRow.read(secrets: $0, into: &webhook) } ?? false) {
            webhook.isSecretUnreadable = true
        }
        return webhook
    }

    /// Reads an endpoint of a list; nil for a damaged one, which keeps none of the others back.
    static func listed(
        _ row: any SQLStatement, _ keys: EncryptionKeys, damaged: (Damage) -> Void
    ) throws(StoreError) -> Webhook? {
        var name: String?
        if case .id(let id) = row.value(at: 0, .id) { name = id.text }
        do throws(StoreError) {
            return try read(row, keys)
        } catch {
            guard error.code == .damaged else { throw error }
            damaged(Damage("webhook", name: name, reason: "cannot be read"))
            return nil
        }
    }

    /// The rows for an archive, in which no secret is even read.
    static let archived = """
        SELECT id, business, url, description, signing, settings, disabled, disabled_at, created_at \
        FROM webhooks ORDER BY number
        """

    /// Reads such a row.
    ///
    /// - Throws: `damaged`.
    static func readArchived(_ row: any SQLStatement) throws(StoreError) -> Webhook {
        let id = WebhookID(try row.id())
        let business = BusinessID(try row.id())
        let (url, description) = (row.text(), row.text())
        let signing = try row.value { Webhook.Signing(rawValue: $0) }
        let settings = row.text()
        let reason = row.textIfAny().flatMap { Webhook.DisabledReason(rawValue: $0) }
        let disabledAt = row.time()
        var webhook = Webhook(
            id: id, business: business, url: url, signing: signing, secret: [],
            createdAt: row.time())
        webhook.description = description
        webhook.disabled = reason.map { Webhook.Disabled($0, at: disabledAt) }
        guard WebhookRow.read(settings: settings, into: &webhook) else {
            throw StoreError(.damaged, "the webhook \(id.text)")
        }
        return webhook
    }

    static func insert(
        _ webhook: Webhook, after beginning: Position, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) {
        try insert(webhook, after: beginning, storing: encrypted(webhook, keys), on: sql)
    }

    /// Adds an endpoint.
    ///
    /// - Parameter secrets: its secrets as they are stored.
    static func insert(
        _ webhook: Webhook, after beginning: Position, storing secrets: [UInt8],
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO webhooks (id, business, url, description, signing, settings, secrets, \
                begins_after, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(webhook.id.value)
        try statement.bind(webhook.business.value)
        try statement.bind(webhook.url)
        try statement.bind(webhook.description)
        try statement.bind(webhook.signing.rawValue)
        try statement.bind(WebhookRow.settings(of: webhook))
        try statement.bind(secrets)
        try statement.bind(beginning.value)
        try statement.bind(webhook.createdAt)
        try statement.run()
    }

    static func encrypted(_ webhook: Webhook, _ keys: EncryptionKeys) -> [UInt8] {
        keys.encrypt(WebhookRow.secrets(of: webhook), as: Secrets.label(of: webhook.id))
    }

    /// How many endpoints a business has.
    static func count(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: "SELECT count(*) FROM webhooks WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { $0.integer() } ?? 0
    }

    /// Whether an endpoint is there and enabled.
    static func isEnabled(
        _ id: WebhookID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT 1 FROM webhooks WHERE id = ? AND disabled IS NULL")
        try statement.bind(id.value)
        return try statement.first { $0.integer() } != nil
    }

    /// Ends deliveries to an endpoint; whose it is, nil when they had ended or there is none.
    static func disable(
        _ id: WebhookID, as disabled: Webhook.Disabled, on sql: any SQLSession
    ) throws(StoreError) -> BusinessID? {
        let statement = try sql.statement(
            literal: """
                UPDATE webhooks SET disabled = ?, disabled_at = ? \
                WHERE id = ? AND disabled IS NULL RETURNING business
                """)
        try statement.bind(disabled.reason.rawValue)
        try statement.bind(disabled.time)
        try statement.bind(id.value)
        return try statement.all { row throws(StoreError) in BusinessID(try row.id()) }.first
    }

    /// Notes deliveries to endpoints that are enabled; those that are noted already stay as they are.
    static func note(_ deliveries: [Delivery], on sql: any SQLSession) throws(StoreError) {
        let enabled = try enabled(among: Set(deliveries.map(\.outbox)), on: sql)
        // Of one row each: before a statement that may write several, SQLite keeps a copy of each page.
        let statement = try sql.statement(
            literal: """
                INSERT INTO deliveries
                    (outbox, position, conversation, state, attempts, due_at, is_first)
                VALUES (?1, ?2, ?3, 'pending', 0, ?4, NOT EXISTS (
                    SELECT 1 FROM deliveries
                    WHERE outbox = ?1 AND conversation = ?3 AND state = 'pending'))
                ON CONFLICT (outbox, position) DO NOTHING
                """)
        for delivery in deliveries where enabled.contains(delivery.outbox) {
            try statement.bind(delivery.outbox.value)
            try statement.bind(delivery.position.value)
            try statement.bind(delivery.conversation?.value)
            try statement.bind(delivery.due)
            try statement.run()
        }
    }

    private static func enabled(
        among outboxes: Set<OutboxID>, on sql: any SQLSession
    ) throws(StoreError) -> Set<OutboxID> {
        let size = 64
        let statement = try sql.statement(
            """
            SELECT id FROM webhooks WHERE disabled IS NULL AND id IN (\(Dialect.parameters(size)))
            """)
        var left = Array(outboxes)[...]
        var enabled: Set<OutboxID> = []
        while let last = left.last {
            let some = left.prefix(size)
            left = left.dropFirst(size)
            for place in 0..<size {
                try statement.bind(
                    place < some.count ? some[some.startIndex + place].value : last.value)
            }
            enabled.formUnion(
                try statement.all { row throws(StoreError) in OutboxID(try row.id()) })
        }
        return enabled
    }
}

extension SQLRegistries {
    /// Adds an endpoint; false when its business has as many as it may.
    public func add(_ webhook: Webhook, author: Author) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        return try await change(
            .links(.saveWebhook(webhook.id, of: webhook.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard try Webhooks.count(of: webhook.business, on: sql) < Webhook.most else {
                return false
            }
            try Webhooks.insert(
                webhook, after: try newestPosition(on: sql), keys, on: sql)
            return true
        }
    }

    /// Replaces what members may change of an endpoint, unless it was changed since it was read.
    public func save(
        _ webhook: Webhook, over known: Webhook, author: Author
    ) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        return try await change(
            .links(.saveWebhook(webhook.id, of: webhook.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            let find = try sql.statement(
                "SELECT \(Webhooks.names), secrets FROM webhooks WHERE id = ?")
            try find.bind(webhook.id.value)
            let stored = try find.first { row throws(StoreError) in
                (try Webhooks.read(row, keys), row.bytes())
            }
            guard let (found, secrets) = stored, found.isUnchanged(since: known) else {
                return false
            }
            // Encrypted anew each time, they say whether another writer came between.
            let statement = try sql.statement(
                literal: """
                    UPDATE webhooks SET url = ?, description = ?, settings = ?, secrets = ? \
                    WHERE id = ? AND secrets = ?
                    """)
            try statement.bind(webhook.url)
            try statement.bind(webhook.description)
            try statement.bind(WebhookRow.settings(of: webhook))
            // What could not be read stays as it is, until there is something to replace it.
            try statement.bind(
                webhook.isSecretUnreadable ? secrets : Webhooks.encrypted(webhook, keys))
            try statement.bind(webhook.id.value)
            try statement.bind(secrets)
            return try statement.runCounting() == 1
        }
    }

    /// Lists the endpoints of a business, or with nil of all, oldest first; a damaged one is left out.
    public func webhooks(of business: BusinessID?) async throws(StoreError) -> [Webhook] {
        let (keys, damaged) = (encryptionKeys, damaged)
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(Webhooks.columns)\(business == nil ? "" : " WHERE business = ?") ORDER BY number
                """)
            if let business { try statement.bind(business.value) }
            return try statement.all { row throws(StoreError) in
                try Webhooks.listed(row, keys, damaged: damaged)
            }.compactMap(\.self)
        }
    }

    /// Finds an endpoint.
    public func findWebhook(_ id: WebhookID) async throws(StoreError) -> Webhook? {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement("\(Webhooks.columns) WHERE id = ?")
            try statement.bind(id.value)
            return try statement.first { row throws(StoreError) in try Webhooks.read(row, keys) }
        }
    }

    /// Ends deliveries to an endpoint.
    public func disable(
        _ id: WebhookID, as disabled: Webhook.Disabled, author: Author
    ) async throws(StoreError) -> Bool {
        let business = try await change(
            as: { (business: BusinessID?) in
                business.map { (.links(.saveWebhook(id, of: $0)), author) }
            }
        ) { sql throws(StoreError) in
            try Webhooks.disable(id, as: disabled, on: sql)
        }
        return business != nil
    }

    /// Stores what a handshake found.
    public func note(
        _ handshake: WebhookHandshake, of id: WebhookID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(.links(.noteHandshake(id)), author: author, where: { $0 }) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "UPDATE webhooks SET handshake = ? WHERE id = ?")
            try statement.bind(WebhookRow.text(of: handshake))
            try statement.bind(id.value)
            return try statement.runCounting() == 1
        }
    }

    /// Removes deliveries of an outbox, 3,000 at a time.
    public func removeDeliveries(of outbox: OutboxID) async throws(StoreError) -> Int {
        try await change(
            .links(.removeDeliveries(of: outbox)), author: .server, where: { $0 > 0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    DELETE FROM deliveries WHERE outbox = ?1 AND position IN (
                        SELECT position FROM deliveries WHERE outbox = ?1
                        ORDER BY position LIMIT ?2)
                    """)
            try statement.bind(outbox.value)
            try statement.bind(Webhooks.removedAtOnce)
            return try statement.runCounting()
        }
    }

    /// Removes an endpoint, and deliveries that are left.
    public func remove(_ id: WebhookID, author: Author) async throws(StoreError) -> Bool {
        let business = try await change(
            as: { (business: BusinessID?) in
                business.map { (.links(.removeWebhook(id, of: $0)), author) }
            }
        ) { sql throws(StoreError) in
            let deliveries = try sql.statement(literal: "DELETE FROM deliveries WHERE outbox = ?")
            try deliveries.bind(id.value)
            try deliveries.run()
            let statement = try sql.statement(
                literal: "DELETE FROM webhooks WHERE id = ? RETURNING business")
            try statement.bind(id.value)
            return try statement.first { row throws(StoreError) in BusinessID(try row.id()) }
        }
        return business != nil
    }
}

extension Webhook {
    /// Whether what members may change of it is as it was.
    fileprivate func isUnchanged(since known: Webhook) -> Bool {
        var known = known
        known.disabled = disabled
        known.failingSince = failingSince
        known.handshake = handshake
        known.beginning = beginning
        return self == known
    }
}

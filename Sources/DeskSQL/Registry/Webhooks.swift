import DeskCrypto
public import DeskModel
public import DeskStore

/// The rows of webhook endpoints.
package enum Webhooks {
    /// Deliveries that one call of `removeDeliveries` removes.
    static let removedAtOnce: Int64 = 3_000

    package static let columns = """
        SELECT id, business, url, description, signing, settings, secrets, begins_after, \
        disabled, disabled_at, failing_since, handshake, created_at FROM webhooks
        """

    /// Reads an endpoint.
    ///
    /// - Throws: `damaged`, `keyMissing`.
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
        let plain: [UInt8]
        do throws(StoreError) {
            plain = try keys.decrypt(secrets, as: Secrets.label(of: id))
        } catch {
            throw StoreError(error.code, "the secrets of the webhook \(id.text)")
        }
        guard WebhookRow.read(settings: settings, into: &webhook),
            WebhookRow.read(secrets: plain, into: &webhook)
        else { throw StoreError(.damaged, "the webhook \(id.text)") }
        return webhook
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
        let statement = try sql.statement(
            literal: """
                INSERT INTO deliveries
                    (outbox, position, conversation, state, attempts, due_at, is_first)
                SELECT ?1, ?2, ?3, 'pending', 0, ?4, NOT EXISTS (
                    SELECT 1 FROM deliveries
                    WHERE outbox = ?1 AND conversation = ?3 AND state = 'pending')
                FROM webhooks WHERE id = ?1 AND disabled IS NULL
                ON CONFLICT (outbox, position) DO NOTHING
                """)
        for delivery in deliveries {
            try statement.bind(delivery.outbox.value)
            try statement.bind(delivery.position.value)
            try statement.bind(delivery.conversation?.value)
            try statement.bind(delivery.due)
            try statement.run()
        }
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

    /// Replaces what members may change of an endpoint.
    public func save(_ webhook: Webhook, author: Author) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        return try await change(
            .links(.saveWebhook(webhook.id, of: webhook.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    UPDATE webhooks SET url = ?, description = ?, settings = ?, secrets = ? \
                    WHERE id = ?
                    """)
            try statement.bind(webhook.url)
            try statement.bind(webhook.description)
            try statement.bind(WebhookRow.settings(of: webhook))
            try statement.bind(Webhooks.encrypted(webhook, keys))
            try statement.bind(webhook.id.value)
            return try statement.runCounting() == 1
        }
    }

    /// Lists the endpoints of a business, or with nil of all, oldest first.
    public func webhooks(of business: BusinessID?) async throws(StoreError) -> [Webhook] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(Webhooks.columns)\(business == nil ? "" : " WHERE business = ?") ORDER BY number
                """)
            if let business { try statement.bind(business.value) }
            return try statement.all { row throws(StoreError) in try Webhooks.read(row, keys) }
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
        try await changeState(of: id, author: author) { sql throws(StoreError) in
            try Webhooks.disable(id, as: disabled, on: sql)
        }
    }

    /// Lets an endpoint receive what happens from now on.
    public func enable(_ id: WebhookID, author: Author) async throws(StoreError) -> Bool {
        try await changeState(of: id, author: author) { sql throws(StoreError) in
            let beginning = try newestPosition(on: sql)
            let statement = try sql.statement(
                literal: """
                    UPDATE webhooks SET disabled = NULL, disabled_at = NULL, failing_since = NULL, \
                    begins_after = ? WHERE id = ? AND disabled IS NOT NULL RETURNING business
                    """)
            try statement.bind(beginning.value)
            try statement.bind(id.value)
            return try statement.all { row throws(StoreError) in BusinessID(try row.id()) }.first
        }
    }

    private func changeState(
        of id: WebhookID, author: Author,
        _ make: @escaping @Sendable (any SQLSession) throws(StoreError) -> BusinessID?
    ) async throws(StoreError) -> Bool {
        let business = try await change(
            as: { (business: BusinessID?) in
                business.map { (.links(.saveWebhook(id, of: $0)), author) }
            }, make)
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
        try await change(.links(.removeWebhook(id)), author: author, where: { $0 }) {
            sql throws(StoreError) in
            let deliveries = try sql.statement(literal: "DELETE FROM deliveries WHERE outbox = ?")
            try deliveries.bind(id.value)
            try deliveries.run()
            let statement = try sql.statement(literal: "DELETE FROM webhooks WHERE id = ?")
            try statement.bind(id.value)
            return try statement.runCounting() == 1
        }
    }
}

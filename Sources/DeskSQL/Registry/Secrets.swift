import DeskCrypto
public import DeskModel
public import DeskStore

/// The columns that hold encrypted secrets, and what an engine does with them when it opens a store.
package enum Secrets {
    /// A column whose values are encrypted, each labelled with the key of its row.
    struct Column: Sendable {
        let table: String
        /// What names a row; its bytes are in the label.
        let key: String
        /// Whether the row's key is a text, and not bytes.
        let keyIsText: Bool
        let value: String

        var name: String { "\(table).\(value)" }
    }

    static let ownColumn = Column(table: "secrets", key: "name", keyIsText: true, value: "value")
    static let linkColumn = Column(
        table: "gateway_links", key: "id", keyIsText: false, value: "secret")

    static let channelColumn = Column(
        table: "channel_links", key: "id", keyIsText: false, value: "secret")

    static let webhookColumn = Column(
        table: "webhooks", key: "id", keyIsText: false, value: "secrets")

    static let widgetColumn = Column(
        table: "widgets", key: "business", keyIsText: false, value: "secrets")

    static let secondFactorColumn = Column(
        table: "second_factors", key: "agent", keyIsText: false, value: "secret")

    static let pushColumn = Column(
        table: "push_subscriptions", key: "id", keyIsText: false, value: "secrets")

    static let agentPushColumn = Column(
        table: "agent_push_subscriptions", key: "id", keyIsText: false, value: "secrets")

    /// Every column that holds encrypted secrets.
    static let columns = [
        ownColumn, linkColumn, channelColumn, webhookColumn, widgetColumn, secondFactorColumn,
        pushColumn, agentPushColumn,
    ]

    /// The setting by which a schema step asks that plain values be encrypted.
    static let due = "encryption_due"

    static func label(of name: SecretName) -> SecretLabel {
        SecretLabel(column: ownColumn.name, row: Array(name.rawValue.utf8))
    }

    package static func label(of link: GatewayLink) -> SecretLabel {
        let column =
            switch link.side {
            case .provider, .upstream: linkColumn
            case .whatsapp: channelColumn
            }
        return SecretLabel(column: column.name, row: bytes(of: link.id.value))
    }

    package static func label(of webhook: WebhookID) -> SecretLabel {
        SecretLabel(column: webhookColumn.name, row: bytes(of: webhook.value))
    }

    package static func label(ofWidget business: BusinessID) -> SecretLabel {
        SecretLabel(column: widgetColumn.name, row: bytes(of: business.value))
    }

    package static func label(ofSecondFactor agent: AgentID) -> SecretLabel {
        SecretLabel(column: secondFactorColumn.name, row: bytes(of: agent.value))
    }

    static func label(ofPush subscription: Digest) -> SecretLabel {
        SecretLabel(column: pushColumn.name, row: subscription.bytes)
    }

    static func label(ofAgentPush subscription: Digest) -> SecretLabel {
        SecretLabel(column: agentPushColumn.name, row: subscription.bytes)
    }

    private static func bytes(of id: UniqueID) -> [UInt8] {
        [id.high, id.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
        }
    }

    // MARK: Opening a store

    /// How many secrets each key encrypts; what is no encrypted secret is found by who reads it.
    package static func count(
        on sql: any SQLSession
    ) throws(StoreError) -> [EncryptionKeyID: Int] {
        let isDue = try isDue(on: sql)
        var counts: [EncryptionKeyID: Int] = [:]
        // Until the links are encrypted their values are plain and name no key.
        for column in isDue ? [ownColumn] : columns {
            for row in try rows(of: column, on: sql) {
                if let id = EncryptionKeys.keyID(of: row.value) { counts[id, default: 0] += 1 }
            }
        }
        return counts
    }

    /// Whether values are to be encrypted, or encrypted again with the current key.
    package static func isWorkDue(
        _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        if try isDue(on: sql) { return true }
        return try count(on: sql).keys.contains { $0 != keys.current }
    }

    /// Encrypts plain values when a schema step asked for it, and again what an earlier key encrypts.
    ///
    /// Runs in the caller's transaction. What is damaged stays as it is.
    ///
    /// - Throws: `keyMissing`; the caller rolls back.
    package static func encryptAll(
        _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) {
        let isDue = try isDue(on: sql)
        for column in columns {
            let change = try sql.statement(
                "UPDATE \(column.table) SET \(column.value) = ? WHERE \(column.key) = ?")
            for row in try rows(of: column, on: sql) {
                let label = SecretLabel(column: column.name, row: row.label)
                // What an earlier schema left, and what an archive brought: it has no secrets of these.
                let isPlain = isDue && column.name != ownColumn.name
                if !isPlain, EncryptionKeys.keyID(of: row.value) == keys.current { continue }
                let secret = isPlain ? row.value : try decrypt(row.value, keys, label)
                guard let secret else { continue }
                try change.bind(keys.encrypt(secret, as: label))
                try bind(row.label, of: column, to: change)
                try change.run()
            }
        }
        let done = try sql.statement(literal: "DELETE FROM settings WHERE name = ?")
        try done.bind(due)
        try done.run()
    }

    /// Gives up the secrets that other keys encrypt, in the caller's transaction.
    ///
    /// The server's own secrets are made anew when they are needed. A link gets a random
    /// secret; returned are those links. A webhook endpoint loses its fields and is disabled, with a
    /// random secret. A widget has no secret then. A second factor stays, and accepts recovery codes alone. A
    /// customer's browser is notified of answers no longer.
    package static func forgetAll(
        but keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) -> [GatewayLinkID] {
        guard try !isDue(on: sql) else { return [] }
        let remove = try sql.statement(literal: "DELETE FROM secrets WHERE name = ?")
        for row in try rows(of: ownColumn, on: sql) where !isReadable(row.value, keys) {
            try bind(row.label, of: ownColumn, to: remove)
            try remove.run()
        }
        var links: [GatewayLinkID] = []
        for column in [linkColumn, channelColumn] {
            let change = try sql.statement("UPDATE \(column.table) SET secret = ? WHERE id = ?")
            for row in try rows(of: column, on: sql) where !isReadable(row.value, keys) {
                let label = SecretLabel(column: column.name, row: row.label)
                try change.bind(
                    keys.encrypt(RandomBytes.make(GatewayLink.secretBytes), as: label))
                try change.bind(row.label)
                try change.run()
                if let id = UniqueID(bytes: row.label) { links.append(GatewayLinkID(id)) }
            }
        }
        try forgetWebhooks(but: keys, on: sql)
        for column in [widgetColumn, secondFactorColumn] {
            let change = try sql.statement(
                "UPDATE \(column.table) SET \(column.value) = NULL WHERE \(column.key) = ?")
            for row in try rows(of: column, on: sql) where !isReadable(row.value, keys) {
                try change.bind(row.label)
                try change.run()
            }
        }
        for column in [pushColumn, agentPushColumn] {
            let end = try sql.statement("DELETE FROM \(column.table) WHERE \(column.key) = ?")
            for row in try rows(of: column, on: sql) where !isReadable(row.value, keys) {
                try end.bind(row.label)
                try end.run()
            }
        }
        return links
    }

    private static func forgetWebhooks(
        but keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) {
        let change = try sql.statement(
            literal: """
                UPDATE webhooks SET secrets = ?, disabled = coalesce(disabled, 'member'), \
                disabled_at = coalesce(disabled_at, 0) WHERE id = ?
                """)
        for row in try rows(of: webhookColumn, on: sql) where !isReadable(row.value, keys) {
            guard let id = UniqueID(bytes: row.label) else { continue }
            let webhook = Webhook(
                id: WebhookID(id), business: BusinessID(id), url: "",
                secret: RandomBytes.make(SharedSecrets.byteCount),
                createdAt: Timestamp(milliseconds: 0))
            try change.bind(Webhooks.encrypted(webhook, keys))
            try change.bind(row.label)
            try change.run()
        }
    }

    /// Decrypts a value of a row that is read; nil when it is damaged, or its key is missing.
    static func findPlain(
        _ value: [UInt8], _ keys: EncryptionKeys, _ label: SecretLabel
    ) throws(StoreError) -> [UInt8]? {
        do throws(StoreError) {
            return try keys.decrypt(value, as: label)
        } catch {
            guard [.damaged, .keyMissing].contains(error.code) else { throw error }
            return nil
        }
    }

    // MARK: Parts

    private struct Row {
        let label: [UInt8]
        let value: [UInt8]
    }

    private static func isReadable(_ value: [UInt8], _ keys: EncryptionKeys) -> Bool {
        EncryptionKeys.keyID(of: value).map { keys.ids.contains($0) } ?? false
    }

    /// Decrypts a value; nil when it is damaged.
    private static func decrypt(
        _ value: [UInt8], _ keys: EncryptionKeys, _ label: SecretLabel
    ) throws(StoreError) -> [UInt8]? {
        do throws(StoreError) {
            return try keys.decrypt(value, as: label)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    private static func isDue(on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "SELECT 1 FROM settings WHERE name = ?")
        try statement.bind(due)
        return try statement.first { $0.integer() } != nil
    }

    private static func rows(
        of column: Column, on sql: any SQLSession
    ) throws(StoreError) -> [Row] {
        try sql.statement(
            """
            SELECT \(column.key), \(column.value) FROM \(column.table) \
            WHERE \(column.value) IS NOT NULL
            """
        ).all { row throws(StoreError) in
            Row(
                label: column.keyIsText ? Array(row.text().utf8) : row.bytes(),
                value: row.bytes())
        }
    }

    private static func bind(
        _ label: [UInt8], of column: Column, to statement: any SQLStatement
    ) throws(StoreError) {
        if column.keyIsText {
            try statement.bind(String(decoding: label, as: UTF8.self))
        } else {
            try statement.bind(label)
        }
    }
}

extension SQLRegistries {
    /// Finds a secret, or makes one and stores it encrypted.
    public func requireSecret(_ name: SecretName) async throws(StoreError) -> [UInt8] {
        let keys = encryptionKeys
        let (secret, _) = try await change(
            .contents(.makeSecret(name)), author: .server, where: { $0.1 }
        ) { sql throws(StoreError) in
            let label = Secrets.label(of: name)
            let add = try sql.statement(
                literal: """
                    INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING
                    """)
            try add.bind(name.rawValue)
            try add.bind(keys.encrypt(RandomBytes.make(SharedSecrets.byteCount), as: label))
            let isNew = try add.runCounting() == 1
            let statement = try sql.statement(literal: "SELECT value FROM secrets WHERE name = ?")
            try statement.bind(name.rawValue)
            let stored = try statement.first { $0.bytes() } ?? []
            return (try keys.decrypt(stored, as: label), isNew)
        }
        return secret
    }

    /// How many stored secrets each encryption key encrypts.
    public func countSecrets() async throws(StoreError) -> [EncryptionKeyID: Int] {
        try await readRegistry { sql throws(StoreError) in try Secrets.count(on: sql) }
    }

    /// Encrypts with the first of these keys whatever another one of them encrypts.
    public func encryptAllSecrets(with keys: EncryptionKeys) async throws(StoreError) {
        try await change(.contents(.encryptSecrets(keys.current)), author: .command) {
            sql throws(StoreError) in
            try Secrets.encryptAll(keys, on: sql)
        }
    }

    /// Notes that a signed code is used until it expires; false when it was used before.
    public func useCode(_ code: Digest, until end: Timestamp) async throws(StoreError) -> Bool {
        try await change(.contents(.useCode), author: .server, where: { $0 }) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    INSERT INTO used_codes (code, expires_at) VALUES (?, ?) \
                    ON CONFLICT (code) DO NOTHING
                    """)
            try statement.bind(code)
            try statement.bind(end)
            return try statement.runCounting() == 1
        }
    }

    /// Forgets the codes that expired before a moment.
    public func pruneUsedCodes(before time: Timestamp) async throws(StoreError) {
        try await change(.contents(.pruneUsedCodes(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM used_codes WHERE expires_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of customers' browsers that are notified of answers.
package enum PushSubscriptions {
    private static let live = """
        EXISTS (SELECT 1 FROM sessions WHERE subject_kind = 'customer' \
        AND subject = push_subscriptions.conversation AND expires_at >= ?)
        """

    static func put(
        _ one: PushSubscription, in conversation: ConversationID, of business: BusinessID,
        _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO push_subscriptions (id, business, conversation, secrets, created_at) \
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                secrets = excluded.secrets, created_at = excluded.created_at
                """)
        try statement.bind(one.id)
        try statement.bind(business.value)
        try statement.bind(conversation.value)
        try statement.bind(
            keys.encrypt(PushRow.text(of: one), as: Secrets.label(ofPush: one.id)))
        try statement.bind(one.createdAt)
        try statement.run()
        let oldest = try sql.statement(
            literal: """
                DELETE FROM push_subscriptions WHERE conversation = ?1 AND number NOT IN \
                (SELECT number FROM push_subscriptions WHERE conversation = ?1 \
                ORDER BY created_at DESC, number DESC LIMIT ?2)
                """)
        try oldest.bind(conversation.value)
        try oldest.bind(Int64(PushSubscription.mostPerConversation))
        try oldest.run()
    }

    /// Those of a conversation that has a session at a moment.
    static func all(
        in conversation: ConversationID, at time: Timestamp, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) -> [PushSubscription] {
        let statement = try sql.statement(
            """
            SELECT id, business, secrets, created_at FROM push_subscriptions \
            WHERE conversation = ? AND \(live) ORDER BY created_at, number
            """)
        try statement.bind(conversation.value)
        try statement.bind(time)
        let rows = try statement.all { row throws(StoreError) in
            (try row.digest(), BusinessID(try row.id()), row.bytes(), row.time())
        }
        var found: [PushSubscription] = []
        for (id, business, stored, time) in rows {
            guard let plain = try Secrets.findPlain(stored, keys, Secrets.label(ofPush: id)),
                let (endpoint, point, secret) = PushRow.secrets(plain)
            else { continue }
            found.append(
                PushSubscription(
                    id: id, owner: .customer(conversation, of: business), endpoint: endpoint,
                    point: point, secret: secret, createdAt: time))
        }
        return found
    }

    /// Removes all of a conversation; returns how many there were.
    @discardableResult
    static func removeAll(
        in conversation: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal: "DELETE FROM push_subscriptions WHERE conversation = ?")
        try statement.bind(conversation.value)
        return try statement.runCounting()
    }

    static func prune(at time: Timestamp, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement("DELETE FROM push_subscriptions WHERE NOT \(live)")
        try statement.bind(time)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Adds a subscription, or replaces the one of the same name; of more than the most the oldest ends.
    public func save(
        _ subscription: PushSubscription, author: Author
    ) async throws(StoreError) {
        let keys = encryptionKeys
        switch subscription.owner {
        case .customer(let conversation, let business):
            try await change(.contents(.savePush(in: conversation)), author: author) {
                sql throws(StoreError) in
                try PushSubscriptions.put(
                    subscription, in: conversation, of: business, keys, on: sql)
            }
        case .agent(let agent, let device, let zone):
            try await change(.contents(.saveAgentPush(of: agent)), author: author) {
                sql throws(StoreError) in
                try AgentPushSubscriptions.put(
                    subscription, of: agent, on: device, zone, keys, on: sql)
            }
        }
    }

    /// Removes a subscription of an owner; returns whether there was one of its name.
    public func removePushSubscription(
        _ id: Digest, of owner: PushOwner, author: Author
    ) async throws(StoreError) -> Bool {
        let (kind, key, table, column) =
            switch owner {
            case .customer(let conversation, of: _):
                (
                    ContentChange.removePush(in: conversation), conversation.value,
                    "push_subscriptions", "conversation"
                )
            case .agent(let agent, device: _, zone: _):
                (
                    ContentChange.removeAgentPush(of: agent), agent.value,
                    "agent_push_subscriptions", "agent"
                )
            }
        return try await change(.contents(kind), author: author, where: { $0 }) {
            sql throws(StoreError) in
            let statement = try sql.statement("DELETE FROM \(table) WHERE id = ? AND \(column) = ?")
            try statement.bind(id)
            try statement.bind(key)
            return try statement.runCounting() == 1
        }
    }

    /// Lists the subscriptions of conversations that have a session at a moment, the oldest first.
    public func pushSubscriptions(
        in conversations: [ConversationID], at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            // Most businesses have none, and every answer asks.
            let any = try sql.statement(literal: "SELECT 1 FROM push_subscriptions LIMIT 1")
            guard try any.first({ $0.integer() }) != nil else { return [] }
            var found: [PushSubscription] = []
            for conversation in conversations {
                found += try PushSubscriptions.all(in: conversation, at: time, keys, on: sql)
            }
            return found
        }
    }

    /// Removes all subscriptions of a conversation.
    public func removePushSubscriptions(
        in conversation: ConversationID, author: Author
    ) async throws(StoreError) {
        _ = try await change(
            .contents(.removePush(in: conversation)), author: author, where: { $0 > 0 }
        ) { sql throws(StoreError) in
            try PushSubscriptions.removeAll(in: conversation, on: sql)
        }
    }

    /// Removes the subscriptions that do not live at a moment any more.
    public func prunePushSubscriptions(at time: Timestamp) async throws(StoreError) {
        try await change(.contents(.prunePush), author: .server) { sql throws(StoreError) in
            try PushSubscriptions.prune(at: time, on: sql)
            try AgentPushSubscriptions.prune(at: time, on: sql)
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of agents' browsers that are notified while no console is in use.
package enum AgentPushSubscriptions {
    private static let columns = """
        SELECT p.id, p.agent, p.device, p.zone, p.secrets, p.created_at, p.is_by_passkey \
        FROM agent_push_subscriptions p
        """
    private static let live = """
        p.created_at >= ? AND EXISTS (SELECT 1 FROM devices \
        WHERE devices.token = p.device AND devices.agent = p.agent)
        """
    private static let order = "ORDER BY p.created_at, p.number"

    /// What was saved before it does not live at a moment.
    private static func oldest(at time: Timestamp) -> Timestamp {
        time.advanced(by: .seconds(-PushSubscription.agentDays * 86_400))
    }

    static func put(
        _ one: PushSubscription, of agent: AgentID, on device: Digest, _ zone: String,
        _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO agent_push_subscriptions \
                (id, agent, device, zone, secrets, created_at, is_by_passkey) \
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                device = excluded.device, zone = excluded.zone, secrets = excluded.secrets, \
                created_at = excluded.created_at, is_by_passkey = excluded.is_by_passkey
                """)
        try statement.bind(one.id)
        try statement.bind(agent.value)
        try statement.bind(device)
        try statement.bind(zone)
        try statement.bind(
            keys.encrypt(PushRow.text(of: one), as: Secrets.label(ofAgentPush: one.id)))
        try statement.bind(one.createdAt)
        try statement.bind(one.isByPasskey)
        try statement.run()
        let oldest = try sql.statement(
            literal: """
                DELETE FROM agent_push_subscriptions WHERE agent = ?1 AND number NOT IN \
                (SELECT number FROM agent_push_subscriptions WHERE agent = ?1 \
                ORDER BY created_at DESC, number DESC LIMIT ?2)
                """)
        try oldest.bind(agent.value)
        try oldest.bind(Int64(PushSubscription.mostPerAgent))
        try oldest.run()
    }

    /// Those that live at a moment, of the members of a business.
    static func all(
        ofMembersOf business: BusinessID, at time: Timestamp, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) -> [PushSubscription] {
        let statement = try sql.statement(
            """
            \(columns) JOIN memberships m ON m.agent = p.agent WHERE m.business = ? \
            AND \(live) \(order)
            """)
        try statement.bind(business.value)
        try statement.bind(oldest(at: time))
        return try read(statement, keys)
    }

    /// Those of an agent on a device that live at a moment.
    static func all(
        of agent: AgentID, on device: Digest, at time: Timestamp, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) -> [PushSubscription] {
        let statement = try sql.statement(
            "\(columns) WHERE p.agent = ? AND p.device = ? AND \(live) \(order)")
        try statement.bind(agent.value)
        try statement.bind(device)
        try statement.bind(oldest(at: time))
        return try read(statement, keys)
    }

    private static func read(
        _ statement: any SQLStatement, _ keys: EncryptionKeys
    ) throws(StoreError) -> [PushSubscription] {
        let rows = try statement.all { row throws(StoreError) in
            (
                id: try row.digest(), agent: AgentID(try row.id()), device: try row.digest(),
                zone: row.text(), stored: row.bytes(), time: row.time(),
                isByPasskey: row.bool()
            )
        }
        var found: [PushSubscription] = []
        for row in rows {
            let label = Secrets.label(ofAgentPush: row.id)
            guard let plain = try Secrets.findPlain(row.stored, keys, label),
                let (endpoint, point, secret) = PushRow.secrets(plain)
            else { continue }
            found.append(
                PushSubscription(
                    id: row.id, owner: .agent(row.agent, device: row.device, zone: row.zone),
                    endpoint: endpoint, point: point, secret: secret, createdAt: row.time,
                    isByPasskey: row.isByPasskey))
        }
        return found
    }

    /// Removes those of other agents than one on a device, which is of the agent who signed in last.
    static func removeOthers(
        than agent: AgentID, on device: Digest, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM agent_push_subscriptions WHERE device = ? AND agent <> ?")
        try statement.bind(device)
        try statement.bind(agent.value)
        try statement.run()
    }

    static func prune(at time: Timestamp, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            """
            DELETE FROM agent_push_subscriptions WHERE number NOT IN \
            (SELECT p.number FROM agent_push_subscriptions p WHERE \(live))
            """)
        try statement.bind(oldest(at: time))
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists the subscriptions of the members of businesses that live at a moment, the oldest first.
    public func agentPushSubscriptions(
        ofMembersOf businesses: [BusinessID], at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            // Most installations have none, and every message asks.
            let any = try sql.statement(literal: "SELECT 1 FROM agent_push_subscriptions LIMIT 1")
            guard try any.first({ $0.integer() }) != nil else { return [] }
            var found: [PushSubscription] = []
            var known: Set<Digest> = []
            for business in businesses {
                found += try AgentPushSubscriptions.all(
                    ofMembersOf: business, at: time, keys, on: sql
                ).filter { known.insert($0.id).inserted }
            }
            return found
        }
    }

    /// Lists the subscriptions of an agent on a device that live at a moment, the oldest first.
    public func agentPushSubscriptions(
        of agent: AgentID, on device: Digest, at time: Timestamp
    ) async throws(StoreError) -> [PushSubscription] {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            try AgentPushSubscriptions.all(of: agent, on: device, at: time, keys, on: sql)
        }
    }

    /// Removes all subscriptions of an agent on a device.
    public func removeAgentPushSubscriptions(
        of agent: AgentID, on device: Digest, author: Author
    ) async throws(StoreError) {
        _ = try await change(
            .contents(.removeAgentPush(of: agent)), author: author, where: { $0 > 0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM agent_push_subscriptions WHERE agent = ? AND device = ?")
            try statement.bind(agent.value)
            try statement.bind(device)
            return try statement.runCounting()
        }
    }
}

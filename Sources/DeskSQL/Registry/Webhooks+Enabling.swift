public import DeskModel
public import DeskStore

extension Webhooks {
    /// Pending deliveries that one transaction brings forward.
    static let broughtForwardAtOnce: Int64 = 3_000

    /// Has pending deliveries of an endpoint due at a moment that were due later; how many there were, at most 3,000.
    ///
    /// Those that wait behind another of their conversation are among them: one that was attempted keeps its time
    /// when a replay puts an earlier one before it.
    static func bringForward(
        of outbox: OutboxID, to time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET due_at = ?1 WHERE outbox = ?2 AND position IN (
                    SELECT position FROM deliveries
                    WHERE outbox = ?2 AND state = 'pending' AND due_at > ?1 LIMIT ?3)
                """)
        try statement.bind(time)
        try statement.bind(outbox.value)
        try statement.bind(broughtForwardAtOnce)
        return try statement.runCounting()
    }
}

extension SQLRegistries {
    /// Lets an endpoint receive what happens from now on, where it was disabled, and has what is pending due now.
    public func enable(
        _ id: WebhookID, at time: Timestamp, author: Author
    ) async throws(StoreError) -> Bool {
        let recorder = registryRecorder
        let outbox = OutboxID(id.value)
        var (wasDisabled, count) = try await writeRegistry {
            sql, entries throws(StoreError) -> (Bool, Int) in
            let beginning = try newestPosition(on: sql)
            let statement = try sql.statement(
                literal: """
                    UPDATE webhooks SET disabled = NULL, disabled_at = NULL, failing_since = NULL, \
                    begins_after = ? WHERE id = ? AND disabled IS NOT NULL RETURNING business
                    """)
            try statement.bind(beginning.value)
            try statement.bind(id.value)
            let found = try statement.all { row throws(StoreError) in BusinessID(try row.id()) }
            let isThere =
                if found.isEmpty { try Webhooks.isEnabled(id, on: sql) } else { true }
            let count = isThere ? try Webhooks.bringForward(of: outbox, to: time, on: sql) : 0
            var changes = found.map { LinkChange.saveWebhook(id, of: $0) }
            if count > 0 { changes.append(.reschedule(of: outbox)) }
            for change in changes {
                entries.append(try recorder.record(.links(change), by: author, on: sql))
            }
            return (found.first != nil, count)
        }
        while count == Int(Webhooks.broughtForwardAtOnce) {
            count = try await change(
                .links(.reschedule(of: outbox)), author: author, where: { $0 > 0 }
            ) { sql throws(StoreError) in
                try Webhooks.bringForward(of: outbox, to: time, on: sql)
            }
        }
        return wasDisabled
    }
}

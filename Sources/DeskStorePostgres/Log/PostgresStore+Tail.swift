import DeskModel
import DeskSQL
import DeskStore

extension PostgresStore {
    /// The events behind the last one that was handed over, by one statement.
    ///
    /// That one itself is read again: where it is as it was, the log is the same.
    static func page(
        from last: PostgresFeed.Last, limit: Int, epoch: Epoch, damaged: (Damage) -> Void,
        on sql: any SQLSession
    ) throws(StoreError) -> PostgresTail.Page {
        let page = try EventRows.page(
            after: Position(max(0, last.position.value - 1)), upTo: Position(Int64.max),
            in: .everything, limit: limit, epoch: epoch, ahead: UnflushedRows(),
            damaged: damaged, on: sql)
        let isSame = page.events.first.map {
            $0.id.position == last.position && EventMark($0) == last.mark
        }
        return PostgresTail.Page(events: page.events, history: isSame == true ? .same : nil)
    }

    /// The log from the last event on that was handed over, and whether it is the same log.
    static func page(
        from last: PostgresFeed.Last, limit: Int, epoch: Epoch, version: Int64,
        damaged: (Damage) -> Void, looksAtStandby: Bool, on sql: any SQLSession
    ) throws(StoreError) -> PostgresTail.Page {
        let facts = try sql.statement(
            literal: """
                SELECT (SELECT position FROM pruned), \
                (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), \
                (SELECT coalesce(max(position), 0) FROM events), \
                (SELECT max(min_program) FROM schema_version)
                """)
        let known =
            try facts.first { ($0.integer(), $0.integer(), $0.integer(), $0.integer()) }
            ?? (0, 0, 0, 0)
        let pruned = Position(known.0)
        // Before anything else is read: it may not be there any more.
        guard known.3 <= version else {
            let why = PostgresTables.tooNew(oldestProgram: known.3, version: version)
            return PostgresTail.Page(
                events: [], history: .tooNew(why), oldest: pruned)
        }
        // The last one itself is read again, to be compared.
        let start = max(pruned, Position(max(0, last.position.value - 1)))
        let page = try EventRows.page(
            after: start, upTo: Position(Int64.max), in: .everything, limit: limit, epoch: epoch,
            ahead: UnflushedRows(), damaged: damaged, on: sql)
        let first = page.events.first.flatMap { $0.id.position == last.position ? $0 : nil }
        let history = LogHistory(
            epoch: epoch, of: Epoch(UInt64(bitPattern: known.1)), newest: Position(known.2),
            pruned: pruned, last: last, seen: first)
        var found = PostgresTail.Page(events: page.events, history: history, oldest: pruned)
        if looksAtStandby {
            found.isStandbyAwaited = try isStandbyAwaited(on: sql)
            let isReadOnly = try isReadOnly(on: sql)
            found.isReadOnly = isReadOnly
            if isReadOnly { (sql as? PostgresConnection)?.giveUp() }
        }
        return found
    }

    /// Whether the server only reads: a standby, or one whose new transactions only read by a setting.
    private static func isReadOnly(on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
                """)
        return try statement.first { $0.bool() } ?? false
    }

    /// Whether a commit of any process has been waiting for a standby for as long as one waits for it.
    private static func isStandbyAwaited(on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                AND datname = current_database() \
                AND query_start < clock_timestamp() - interval '5 s'
                """)
        return try statement.first { $0.integer() } ?? 0 > 0
    }
}

import DeskSQL
import DeskStore

/// What a database server says of what protects its data, and of what keeps it from its work.
struct DatabaseStatus: Sendable, Equatable {
    /// Something that keeps the rows of the past from being removed, which every reader of them pays for.
    struct Holder: Sendable, Equatable {
        /// A connection, a prepared transaction, a standby or a replication slot.
        let kind: String
        let name: String
        /// For how long, by the server's clock; nil where the server does not say.
        let age: Duration?
        /// The oldest transaction whose rows it keeps.
        let oldest: String
    }

    /// A transaction whose client asks for nothing.
    struct Idle: Sendable, Equatable {
        /// The number of the server's process.
        let process: Int
        let age: Duration
    }

    /// Whether the role may see what other roles do.
    var seesOthers = true
    /// Whether commits wait for a standby.
    var awaitsStandby = false
    var standbys = 0
    /// Those among them that a commit may wait for.
    var synchronousStandbys = 0
    /// Bytes of the log that the standby which is furthest behind has not flushed.
    var standbyLag = 0
    /// Bytes of the log that are kept for a slot that is not in use.
    var retained = 0
    /// Whether the log could not be archived last.
    var isArchiveFailing = false
    /// The settings that are off and without which a power cut may lose what was acknowledged; what a start refuses.
    var settingsOff: [String] = []
    /// The transaction that has been idle for the longest time.
    var idle: Idle?
    var holders: [Holder] = []

    /// Asks for all of it; it lasts a millisecond and locks nothing.
    static func read(on sql: any SQLSession) throws(StoreError) -> DatabaseStatus {
        let facts = try sql.statement(
            literal: """
                SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE'), \
                current_setting('synchronous_standby_names') <> '', \
                (SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'), \
                (SELECT count(*) FROM pg_stat_replication \
                WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')), \
                (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)), 0)::bigint \
                FROM pg_stat_replication WHERE state IN ('catchup', 'streaming')), \
                (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::bigint \
                FROM pg_replication_slots WHERE NOT active), \
                (SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) \
                FROM pg_stat_archiver)
                """)
        var status =
            try facts.first { row in
                DatabaseStatus(
                    seesOthers: row.bool(), awaitsStandby: row.bool(), standbys: Int(row.integer()),
                    synchronousStandbys: Int(row.integer()), standbyLag: Int(row.integer()),
                    retained: Int(row.integer()), isArchiveFailing: row.bool())
            } ?? DatabaseStatus()
        let idle = try sql.statement(
            literal: """
                SELECT pid, (extract(epoch FROM clock_timestamp() - state_change) * 1000)::bigint \
                FROM pg_stat_activity \
                WHERE datname = current_database() AND pid <> pg_backend_pid() \
                AND state IN ('idle in transaction', 'idle in transaction (aborted)') \
                ORDER BY state_change LIMIT 1
                """)
        status.idle = try idle.first {
            Idle(process: Int($0.integer()), age: .milliseconds($0.integer()))
        }
        status.holders = try holders(on: sql)
        status.settingsOff = try settingsOff(on: sql)
        return status
    }

    private static func settingsOff(on sql: any SQLSession) throws(StoreError) -> [String] {
        let settings = try sql.statement(
            literal: """
                SELECT name FROM (VALUES ('data_checksums'), ('fsync'), ('full_page_writes')) \
                AS settings(name) WHERE current_setting(name) <> 'on' ORDER BY name
                """)
        return try settings.all { $0.text() }
    }

    /// The ones that keep the most, whichever way.
    ///
    /// What a standby or a slot keeps counts when a thousand transactions came after it: one that follows is
    /// always a few behind.
    private static func holders(on sql: any SQLSession) throws(StoreError) -> [Holder] {
        let statement = try sql.statement(
            literal: """
                SELECT * FROM ( \
                SELECT 'connection', pid::text, coalesce(backend_xmin, backend_xid)::text, \
                (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::bigint AS age \
                FROM pg_stat_activity WHERE datname = current_database() \
                AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker' \
                AND xact_start IS NOT NULL AND coalesce(backend_xmin, backend_xid) IS NOT NULL \
                UNION ALL SELECT 'prepared transaction', gid, transaction::text, \
                (extract(epoch FROM clock_timestamp() - prepared) * 1000)::bigint \
                FROM pg_prepared_xacts WHERE database = current_database() \
                UNION ALL SELECT 'standby', application_name, backend_xmin::text, NULL \
                FROM pg_stat_replication WHERE age(backend_xmin) > 1000 \
                UNION ALL SELECT 'replication slot', slot_name, xmin::text, NULL \
                FROM pg_replication_slots WHERE age(xmin) > 1000 \
                ) AS holders ORDER BY age DESC NULLS FIRST LIMIT 20
                """)
        defer { statement.reset() }
        var found: [Holder] = []
        while try statement.step() {
            let (kind, name, oldest) = (statement.text(), statement.text(), statement.text())
            let age = statement.integerIfAny().map { Duration.milliseconds($0) }
            found.append(Holder(kind: kind, name: name, age: age, oldest: oldest))
        }
        return found
    }
}

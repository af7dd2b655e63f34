import DeskSQL
import DeskStore
import Glibc

/// Makes the tables of a database, or brings them up to date while other nodes serve.
struct PostgresMigrator {
    /// Microseconds between two tries.
    private static let pause: UInt32 = 200_000
    /// The number of the lock of those who make or change the tables of a schema.
    ///
    /// The session has it, not a transaction: who waited for it in a transaction would have a snapshot, for whose
    /// end the making of an index waits.
    static let lock = "hashtextextended('frontdesk tables ' || current_schema(), 0)"

    private let connection: PostgresConnection
    private let steps: [PostgresMigrations.Step]
    /// The longest that others are waited for: who migrates, or who has locked a table.
    private let patience: Duration

    /// Over a connection that is in no transaction, and closed when this fails.
    init(
        _ connection: PostgresConnection, steps: [PostgresMigrations.Step] = PostgresMigrations.all,
        patience: Duration = .seconds(60)
    ) {
        self.connection = connection
        self.steps = steps
        self.patience = patience
    }

    /// Makes or migrates the tables, then runs `opening` in a transaction; no other process does either meanwhile.
    ///
    /// - Throws: `tooNew` when programs of this version may not serve the database any more, `busy` with what
    ///   to do when others were in the way for too long.
    func run<Value>(
        opening: (PostgresConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try connection.execute(PostgresSettings.ofMigration)
        try acquireLock()
        try migrate()
        let value = try transaction { () throws(StoreError) in try opening(connection) }
        try connection.execute("SELECT pg_advisory_unlock(\(Self.lock))")
        return value
    }

    private func acquireLock() throws(StoreError) {
        let end = ContinuousClock.now + patience
        let acquire = "SELECT pg_try_advisory_lock(\(Self.lock))"
        while try connection.statement(acquire).first({ $0.bool() }) != true {
            guard ContinuousClock.now < end else {
                throw StoreError(
                    .busy,
                    "another process has been making or changing its tables for over \(patience): "
                        + "wait for it, then start again")
            }
            usleep(Self.pause)
        }
    }

    private func migrate() throws(StoreError) {
        let table = try connection.statement(
            literal: "SELECT to_regclass('schema_version') IS NOT NULL")
        if try table.first({ $0.bool() }) != true {
            try transaction { () throws(StoreError) in try PostgresTables.make(on: connection) }
        }
        let known = try connection.statement(literal: "SELECT max(version) FROM schema_version")
        let found = try known.first { $0.integer() } ?? 1
        if found > 1 {
            // Version 1 has no such column.
            let asked = try connection.statement(
                literal: "SELECT max(min_program) FROM schema_version")
            let oldest = try asked.first { $0.integer() } ?? 1
            guard oldest <= steps.version else {
                throw PostgresTables.tooNew(oldestProgram: oldest, version: steps.version)
            }
        }
        for (place, step) in steps.enumerated().dropFirst(Int(found) - 1) {
            try change(to: Int64(place) + 2, by: step)
        }
    }

    private func change(to version: Int64, by step: PostgresMigrations.Step) throws(StoreError) {
        try whileOthersLock(for: version) { () throws(StoreError) in
            if case .indexes(let indexes) = step.work {
                for index in indexes { try make(index) }
            }
            try transaction { () throws(StoreError) in
                if case .statements(let statements) = step.work {
                    // A trigger or a count that changes does so between two groups.
                    try connection.execute("LOCK TABLE log_turn IN EXCLUSIVE MODE; " + statements)
                }
                try connection.execute(
                    """
                    INSERT INTO schema_version (version, min_program) \
                    VALUES (\(version), \(step.oldestProgram))
                    """)
            }
        }
    }

    /// Tries again for as long as a lock is not to be had.
    ///
    /// Who waits for a table's lock has everybody after it wait, too: so it waits for 2 s, and lets them pass.
    private func whileOthersLock(
        for version: Int64, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let end = ContinuousClock.now + patience
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                guard error.code == .busy, ContinuousClock.now < end else {
                    throw explained(error, version)
                }
                usleep(Self.pause)
            }
        }
    }

    private func explained(_ error: StoreError, _ version: Int64) -> StoreError {
        let what = "its tables cannot be changed to version \(version)"
        return switch error.code {
        case .busy:
            StoreError(
                .busy,
                "\(what), because others had them locked for over \(patience): end the transaction "
                    + "that pg_stat_activity has as the oldest, then start again")
        case .unavailable where error.detail.hasPrefix("postgres 42"):
            StoreError(
                .refused,
                "\(what): \(error.detail). Its role has to own them; the log of the database's server "
                    + "says more. Look there, then start again")
        case .refused, .failed:
            StoreError(
                error.code,
                "\(what): \(error.detail). The log of the database's server says why; "
                    + "look there, then start again")
        case .full, .unknown, .unavailable, .closed, .damaged, .keyMissing, .tooNew, .overloaded,
            .superseded:
            error
        }
    }

    // MARK: Indexes

    /// Makes an index that is not there; one that a run that ended has left invalid is made again.
    private func make(_ index: PostgresMigrations.Index) throws(StoreError) {
        let asked = try connection.statement(
            literal: """
                SELECT i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
                WHERE c.relname = ? AND c.relnamespace = to_regnamespace(current_schema())
                """)
        try asked.bind(index.name)
        let isValid = try asked.first { $0.bool() }
        guard isValid != true else { return }
        // It waits for all open transactions, and none of them waits for it.
        let milliseconds = Int(patience / .milliseconds(1))
        try connection.execute("SET lock_timeout = \(milliseconds)")
        if isValid == false { try connection.execute("DROP INDEX CONCURRENTLY \(index.name)") }
        let kind = index.isUnique ? "UNIQUE INDEX" : "INDEX"
        try connection.execute("CREATE \(kind) CONCURRENTLY \(index.name) \(index.definition)")
        try connection.execute(PostgresSettings.ofMigration)
    }

    // MARK: Transactions

    private func transaction<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try connection.begin("BEGIN")
        do throws(StoreError) {
            let value = try body()
            try connection.commit()
            return value
        } catch {
            // Safe: a connection that is lost has no transaction; the first failure says why.
            try? connection.rollBack()
            throw error
        }
    }
}

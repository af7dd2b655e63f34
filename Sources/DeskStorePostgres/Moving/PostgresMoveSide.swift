import CPostgres
package import DeskSQL
package import DeskStore

/// A database that a move reads; its log and its registries are locked until this object ends.
package final class PostgresMoveSource: MoveSource {
    private let connection: PostgresConnection

    package var sql: any SQLSession { connection }

    /// Waits for nodes that were killed to be given up, then locks the database.
    ///
    /// `patience` is how long a node may seem to run that was killed; servers of tests need not be durable.
    /// - Throws: `busy` while a node serves it, `refused` when it has no data or cannot be used.
    package init(
        address: String,
        patience: Duration = LeaseTimes.life + LeaseTimes.renewal, mustBeDurable: Bool = true
    ) async throws(StoreError) {
        connection = try PostgresConnection(address: address, library: FRONTDESK_PQ_LIBRARY)
        try DatabaseCheck(connection: connection, mustBeDurable: mustBeDurable).run()
        let isThere = try connection.statement(
            literal: "SELECT to_regclass('schema_version') IS NOT NULL")
        guard try isThere.first({ $0.bool() }) == true else {
            throw StoreError(.refused, "the database has no data of Frontdesk's in this schema")
        }
        try await waitForNodes(patience)
        // As the start of a node does: both sides have the tables of this program.
        try PostgresMigrator(
            PostgresConnection(address: address, library: FRONTDESK_PQ_LIBRARY)
        ).run { _ in }
        try connection.execute(
            """
            SET idle_in_transaction_session_timeout = 0; BEGIN; SET LOCAL lock_timeout = '5s'; \
            LOCK TABLE log_turn IN EXCLUSIVE MODE
            """)
    }

    /// A node holds a lease for as long as it runs, which ends some seconds after it was killed.
    private func waitForNodes(_ patience: Duration) async throws(StoreError) {
        let end = ContinuousClock.now + patience
        let running = try connection.statement(
            literal: """
                SELECT count(*) FROM leases WHERE name LIKE 'node %' AND until > clock_timestamp()
                """)
        while let count = try running.first({ $0.integer() }), count > 0 {
            guard ContinuousClock.now < end else {
                throw StoreError(.busy, "\(count) nodes serve it")
            }
            do { try await Task.sleep(for: .milliseconds(200)) } catch {
                throw StoreError(.closed)
            }
        }
    }

    package func tables() throws(StoreError) -> [TableShape] {
        try PostgresCatalogue.tables(of: connection)
    }

    package func lastNumbers() throws(StoreError) -> [String: Int64] {
        try PostgresCatalogue.lastNumbers(of: connection)
    }

    package func note(_ note: MoveNote) throws(StoreError) {
        try connection.execute("CREATE TABLE \(MoveNote.table) (place text, day text)")
        let statement = try connection.statement(
            once: "INSERT INTO \(MoveNote.table) (place, day) VALUES (?, ?)")
        try statement.bind(note.place)
        try statement.bind(note.day)
        try statement.run()
        // A node that began meanwhile waits for the lock; with an epoch that is not its own it ends.
        let epoch = try connection.statement(
            once: """
                INSERT INTO epochs (epoch, first_position) \
                SELECT ?, coalesce(max(position), 0) + 1 FROM events
                """)
        try epoch.bind(Int64.random(in: .min ... .max))
        try epoch.run()
        try connection.commit(isPatient: true)
    }
}

/// An empty schema of a database that a move fills; no node serves it until it is whole.
package final class PostgresMoveTarget: MoveTarget {
    private let connection: PostgresConnection

    package var sql: any SQLSession { connection }

    /// Makes the tables, or goes on with those of an earlier attempt; servers of tests need not be durable.
    ///
    /// - Throws: `refused` when the schema has an installation already or cannot be used, `busy` while another
    ///   move fills it.
    package init(address: String, mustBeDurable: Bool = true) throws(StoreError) {
        connection = try PostgresConnection(address: address, library: FRONTDESK_PQ_LIBRARY)
        // Everything becomes durable with the last commit.
        try connection.execute("SET synchronous_commit = off; SET lock_timeout = '5s'")
        // First of all: where there is no schema the lock has no name, and is not to be had either.
        try DatabaseCheck(
            connection: connection, mayBeHalfMoved: true, mustBeDurable: mustBeDurable
        ).run()
        let alone = try connection.statement(
            once: "SELECT pg_try_advisory_lock(hashtext('frontdesk move ' || current_schema()))")
        guard try alone.first({ $0.bool() }) == true else {
            throw StoreError(.busy, "another move fills it")
        }
        let found = try connection.statement(
            literal: """
                SELECT to_regclass('schema_version') IS NOT NULL, to_regclass('moving') IS NOT NULL
                """)
        let (isThere, isHalfMoved) = try found.first { ($0.bool(), $0.bool()) } ?? (false, false)
        guard isThere == isHalfMoved else {
            throw StoreError(
                .refused,
                "the database has data of Frontdesk's already: name another database, or an empty "
                    + "schema with options=-csearch_path=NAME in the address")
        }
        guard !isThere else { return }
        try transaction { () throws(StoreError) in
            try connection.execute("SELECT pg_advisory_xact_lock(\(PostgresMigrator.lock))")
            try PostgresTables.make(on: connection)
            try connection.execute("CREATE TABLE \(MoveMark.table) (mark text NOT NULL)")
            try PostgresCatalogue.setTriggers(false, on: connection)
        }
    }

    package func tables() throws(StoreError) -> [TableShape] {
        try PostgresCatalogue.tables(of: connection)
    }

    package func lastNumbers() throws(StoreError) -> [String: Int64] {
        try PostgresCatalogue.lastNumbers(of: connection)
    }

    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try connection.begin("BEGIN")
        do throws(StoreError) {
            connection.sendsAhead = true
            defer { connection.sendsAhead = false }
            try body()
            try connection.readAhead()
        } catch {
            // Safe: the connection that cannot roll back is not used again.
            try? connection.rollBack()
            throw error
        }
        try connection.commit(isPatient: true)
    }

    package func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        try PostgresCatalogue.setLastNumbers(numbers, on: connection)
    }

    package func finish() throws(StoreError) {
        // Otherwise the first reads of every row would be writes as well, and slow for minutes. What another
        // process vacuums at this moment, as catalogues that all databases share, is left to it.
        try connection.execute("VACUUM (ANALYZE, SKIP_LOCKED)")
        try connection.execute("SET synchronous_commit = on")
        try transaction { () throws(StoreError) in
            try PostgresCatalogue.setTriggers(true, on: connection)
            try connection.execute("DROP TABLE \(MoveMark.table)")
        }
    }
}

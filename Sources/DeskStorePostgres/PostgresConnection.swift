import CPostgres
import DeskSQL
import DeskStore

/// One connection to PostgreSQL with its prepared statements; used by one thread at a time.
@safe final class PostgresConnection: SQLSession {
    let handle: OpaquePointer
    let dialect = Dialect.postgreSQL
    // Keyed by the SQL's address: every such statement is a literal of ours.
    private var literals: [UInt: PostgresStatement] = [:]
    private var composed: [String: PostgresStatement] = [:]
    /// Whether the last failure was a conflict with another transaction, after which all of the
    /// transaction may be run again (classes 40001 and 40P01).
    private(set) var hasConflict = false
    /// Whether a failure of the transaction was a row whose unique key another row has (23505).
    private(set) var hasDuplicate = false
    /// Whether others kept the log's turn for so long that the transaction did not begin.
    private(set) var isTurnKept = false
    /// Whether a commit on it was too slow, whose answer nothing may wait for, or it only reads.
    private var isGivenUp = false
    /// Whether statements without rows are sent without waiting for what the server says of them.
    var sendsAhead = false
    /// How many were sent that the server has not answered yet.
    fileprivate var sent = 0
    /// The statements with rows that wait to be sent, in order.
    fileprivate var gathering: [PostgresStatement] = []
    private var last = ""
    private var cursors = 0
    /// How many warnings the server has sent; libpq adds to it.
    private let warnings: UnsafeMutablePointer<Int>

    /// Loads libpq when this is the first connection, and connects; it blocks until then.
    ///
    /// - Throws: `unavailable` when the server cannot be reached, `failed` without libpq.
    init(address: String, library: String) throws(StoreError) {
        try Self.require(address: address, library: library)
        guard let made = unsafe frontdesk_pq_connect(address) else {
            throw StoreError(.failed, "libpq has no memory")
        }
        unsafe handle = made
        unsafe warnings = .allocate(capacity: 1)
        unsafe warnings.initialize(to: 0)
        // On failure `deinit` frees the connection: every property has its value.
        guard isConnected else {
            let fault = unsafe String(cString: frontdesk_pq_fault(handle))
            throw StoreError(.unavailable, "postgres: \(fault.split(separator: "\n").first ?? "")")
        }
        unsafe frontdesk_pq_count_warnings(handle, warnings)
        try execute(PostgresSettings.ofAll)
    }

    deinit {
        unsafe frontdesk_pq_finish(handle)
        unsafe warnings.deallocate()
    }

    /// Whether the connection was good after the last call, and no commit on it was given up.
    var isConnected: Bool {
        guard !isGivenUp else { return false }
        return unsafe frontdesk_pq_is_connected(handle) != 0
    }

    /// The server's version, such as 150003 for 15.3.
    var serverVersion: Int { Int(unsafe frontdesk_pq_version(handle)) }

    func statement(literal sql: StaticString) throws(StoreError) -> any SQLStatement {
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let known = literals[key] { return known }
        let made = try prepare(sql.description)
        literals[key] = made
        return made
    }

    func statement(_ sql: String) throws(StoreError) -> any SQLStatement {
        if let known = composed[sql] { return known }
        let made = try prepare(sql)
        composed[sql] = made
        return made
    }

    /// How many statements that were put together from pieces a connection keeps before it is replaced by another
    /// between two transactions.
    ///
    /// Who narrows lists in ever other ways would have the server keep them all.
    static let mostComposed = 512

    /// Whether it keeps so many statements that another connection is to replace it.
    var isFull: Bool { composed.count >= Self.mostComposed }

    func statement(once sql: String) throws(StoreError) -> any SQLStatement {
        // The server replaces its statement without a name.
        PostgresStatement(name: try prepare(sql, as: ""), of: self)
    }

    func statement(streaming sql: String) throws(StoreError) -> any SQLStatement {
        cursors += 1
        let name = "c\(cursors)"
        try execute("DECLARE \(name) NO SCROLL CURSOR FOR " + Dialect.postgreSQL.statement(sql))
        return PostgresCursor(
            fetching: PostgresStatement(
                name: try prepare("FETCH \(PostgresCursor.rowsAtOnce) FROM \(name)", as: name),
                of: self))
    }

    func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try execute("SAVEPOINT attempt")
        let value: Value
        do throws(StoreError) {
            value = try body()
        } catch {
            try execute("ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt")
            throw error
        }
        try execute("RELEASE SAVEPOINT attempt")
        return value
    }

    private func prepare(_ sql: String) throws(StoreError) -> PostgresStatement {
        let name = try prepare(sql, as: "s\(literals.count + composed.count)")
        return PostgresStatement(name: name, of: self, gathering: GatheredRows(sql))
    }

    /// Prepares a statement under a name, and returns the name.
    func prepare(_ sql: String, as name: String) throws(StoreError) -> String {
        try readAhead()
        let translated = Dialect.postgreSQL.statement(sql)
        let result = unsafe frontdesk_pq_prepare(handle, name, translated)
        try unsafe judge(result)
        unsafe frontdesk_pq_clear(result)
        return name
    }

    /// Runs SQL of ours that binds nothing; several statements may follow each other.
    func execute(_ sql: String) throws(StoreError) {
        guard !isGivenUp else { throw StoreError(.unavailable, "postgres connection given up") }
        try readAhead()
        let result = unsafe frontdesk_pq_execute(handle, sql)
        try unsafe judge(result)
        unsafe frontdesk_pq_clear(result)
    }

    /// Throws what a result says; a result that is no failure stays the caller's.
    func judge(_ result: OpaquePointer?) throws(StoreError) {
        guard unsafe frontdesk_pq_is_good(result) == 0 else { return }
        let state = unsafe frontdesk_pq_state(result).map { unsafe String(cString: $0) }
        unsafe frontdesk_pq_clear(result)
        hasConflict = hasConflict || PostgresState.isConflict(state)
        hasDuplicate = hasDuplicate || PostgresState.isDuplicate(state)
        let error = PostgresState.error(state, isConnected: isConnected)
        if state == PostgresState.onlyReads { giveUp() }
        throw error
    }

    /// Has the next transaction run on another connection: a session keeps the settings that it began with, and
    /// another server may be the primary.
    func giveUp() { isGivenUp = true }

    /// Begins a transaction.
    ///
    /// - Throws: `unavailable` when others keep the log's turn for too long, or the server is not there.
    func begin(_ sql: String) throws(StoreError) {
        try begin { () throws(StoreError) in try execute(sql) }
    }

    /// Begins a transaction by something that may be done twice.
    ///
    /// - Throws: `unavailable` when others keep the log's turn for too long, or the server is not there.
    func begin<Value>(by body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        forgetTransaction()
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.code == .busy else { throw error }
            try endStandstill()
            do throws(StoreError) {
                return try body()
            } catch {
                guard error.code == .busy else { throw error }
                isTurnKept = true
                throw StoreError(.unavailable, "the log's turn is not to be had: \(error.detail)")
            }
        }
    }

    /// Begins something in no transaction: a statement by itself.
    func forgetTransaction() {
        dropGathered()
        hasConflict = false
        hasDuplicate = false
        isTurnKept = false
        last = ""
    }

    /// Ends the connection of a process that stands still with the log's turn.
    ///
    /// Between statements that are sent together the server has no limit for that. A connection whose commit
    /// waits for a standby is left alone.
    private func endStandstill() throws(StoreError) {
        try rollBack()
        do throws(StoreError) {
            try execute(
                """
                SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid) \
                WHERE l.relation = 'log_turn'::regclass AND l.granted \
                AND a.datname = current_database() AND a.state = 'active' \
                AND a.wait_event IN ('ClientRead', 'ClientWrite') \
                AND a.query_start < clock_timestamp() - interval '2 s'
                """)
        } catch {
            // Another role's connection: a process with that role ends it.
            guard error.detail.hasSuffix(PostgresState.noRights) else { throw error }
        }
    }

    /// Undoes the transaction, rows that wait to be sent included.
    func rollBack() throws(StoreError) {
        dropGathered()
        try execute("ROLLBACK")
    }

    /// Has statements that bind nothing run together with the commit, so that what they lock is locked for no
    /// longer than that.
    func beforeCommit(_ sql: String) { last += sql }

    /// The longest wait for a commit, such as for a standby that is gone.
    private static let longestCommit = Duration.seconds(5)

    /// Commits the transaction.
    ///
    /// - Parameter isPatient: whether it may last as long as it does: no request waits for it.
    /// - Throws: `unavailable` when it is open whether it is stored: the connection is lost, the answer is too
    ///   late, or its wait for the standby was cancelled, which the server answers with success and a warning,
    ///   and a failover would undo.
    func commit(isPatient: Bool = false) throws(StoreError) {
        let before = unsafe warnings.pointee
        try sendGathered()
        if sent > 0, last.isEmpty {
            // After one that failed the commit is skipped.
            try statement(literal: "COMMIT").run()
            try readAhead(isPatient: isPatient)
        } else {
            try readAhead()
            try commitByItself(isPatient: isPatient)
        }
        guard unsafe warnings.pointee == before else {
            throw StoreError(.unavailable, "the standby has not confirmed a commit")
        }
    }

    private func commitByItself(isPatient: Bool) throws(StoreError) {
        guard unsafe frontdesk_pq_send_statements(handle, last + "COMMIT") != 0 else {
            throw StoreError(.unavailable, "postgres connection lost")
        }
        var failure: StoreError?
        while let result = try unsafe nextAnswer(isPatient: isPatient) {
            do throws(StoreError) {
                try unsafe judge(result)
                unsafe frontdesk_pq_clear(result)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

// MARK: Waiting for a commit

extension PostgresConnection {
    /// The next answer to what was sent; nil after the last one.
    ///
    /// The connection is given up where it is longer than a commit may be, unless who waits is patient.
    fileprivate func nextAnswer(isPatient: Bool) throws(StoreError) -> OpaquePointer? {
        if isPatient { return unsafe frontdesk_pq_next(handle) }
        let end = ContinuousClock.now + Self.longestCommit
        while unsafe frontdesk_pq_is_busy(handle) != 0 {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else {
                isGivenUp = true
                throw StoreError(.unavailable, "a commit is not confirmed")
            }
            let milliseconds = Int32(clamping: Int(rest / .milliseconds(1)) + 1)
            guard frontdesk_pq_wait(unsafe frontdesk_pq_socket(handle), -1, milliseconds) != 0,
                unsafe frontdesk_pq_consume(handle) != 0
            else { throw StoreError(.unavailable, "postgres connection lost") }
        }
        return unsafe frontdesk_pq_next(handle)
    }
}

// MARK: Sending ahead

extension PostgresConnection {
    /// Statements after which their answers are read: more of them than fit into the sockets' buffers would
    /// have both sides wait for each other.
    static let mostSent = 500

    /// Notes that rows of a statement wait to be sent.
    func gather(_ statement: PostgresStatement) { gathering.append(statement) }

    /// Sends the rows that wait, in the order in which their statements were first used.
    func sendGathered() throws(StoreError) {
        guard !gathering.isEmpty else { return }
        let statements = gathering
        gathering.removeAll(keepingCapacity: true)
        do throws(StoreError) {
            for statement in statements { try statement.sendGathered() }
        } catch {
            // None of them may be sent with another transaction.
            for statement in statements { statement.dropGathered() }
            throw error
        }
    }

    /// Forgets the rows that wait: their transaction is not to be.
    func dropGathered() {
        for statement in gathering { statement.dropGathered() }
        gathering.removeAll(keepingCapacity: true)
    }

    /// Makes room for one more statement that is sent ahead.
    func enqueue() throws(StoreError) {
        if sent >= Self.mostSent { try readAhead() }
        if sent == 0 {
            guard unsafe frontdesk_pq_enter_pipeline(handle) == 1 else {
                throw StoreError(.unavailable, "postgres connection lost")
            }
        }
        sent += 1
    }

    /// Reads the answers of all that was sent ahead.
    ///
    /// - Parameter isPatient: whether it may last as long as it does; otherwise no longer than a commit may.
    /// - Throws: the first failure among them; the transaction has failed then.
    func readAhead(isPatient: Bool = true) throws(StoreError) {
        try sendGathered()
        guard sent > 0 else { return }
        unsafe frontdesk_pq_clear(try unsafe finishSending(isPatient: isPatient))
    }

    /// Reads the answers of all that was sent ahead; the last one's is the caller's.
    ///
    /// - Throws: the first failure among them; the transaction has failed then.
    func finishSending(isPatient: Bool = true) throws(StoreError) -> OpaquePointer? {
        let count = sent
        sent = 0
        guard unsafe frontdesk_pq_sync(handle) == 1 else {
            throw StoreError(.unavailable, "postgres connection lost")
        }
        var failure: StoreError?
        var last: OpaquePointer?
        for _ in 0..<count {
            unsafe frontdesk_pq_clear(last)
            unsafe last = nil
            let result = try unsafe nextAnswer(isPatient: isPatient)
            // Nothing follows the answer of a statement.
            unsafe frontdesk_pq_clear(try nextAnswer(isPatient: isPatient))
            // After one that failed the others are skipped.
            guard unsafe frontdesk_pq_is_skipped(result) != 1 else {
                unsafe frontdesk_pq_clear(result)
                continue
            }
            do throws(StoreError) {
                try unsafe judge(result)
                unsafe last = result
            } catch {
                failure = failure ?? error
            }
        }
        // The end of the pipeline.
        unsafe frontdesk_pq_clear(try nextAnswer(isPatient: isPatient))
        let isOut = unsafe frontdesk_pq_exit_pipeline(handle) == 1
        guard failure == nil, isOut else {
            unsafe frontdesk_pq_clear(last)
            throw failure ?? StoreError(.unavailable, "postgres connection lost")
        }
        return unsafe last
    }

    /// Whether something was sent that the server has not answered yet.
    var isAhead: Bool { sent > 0 }
}

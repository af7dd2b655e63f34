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
    /// Whether statements without rows are sent without waiting for what the server says of them.
    var sendsAhead = false
    /// How many were sent that the server has not answered yet.
    fileprivate var sent = 0
    private var last = ""
    /// How many warnings the server has sent; libpq adds to it.
    private let warnings: UnsafeMutablePointer<Int>

    /// Loads libpq when this is the first connection, and connects; it blocks until then.
    ///
    /// - Throws: `unavailable` when the server cannot be reached, `failed` without libpq.
    init(address: String, library: String) throws(StoreError) {
        try Self.load(library)
        guard unsafe frontdesk_pq_can_read(address) != 0 else {
            throw StoreError(
                .failed,
                "the database's address is no connection string or URI of PostgreSQL's; "
                    + "in a URI, write @ : / ? # of a password as %40 %3A %2F %3F %23")
        }
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
        try execute("SET client_encoding = 'UTF8'; SET client_min_messages = warning")
    }

    deinit {
        unsafe frontdesk_pq_finish(handle)
        unsafe warnings.deallocate()
    }

    private static func load(_ library: String) throws(StoreError) {
        var fault = [CChar](repeating: 0, count: 512)
        guard unsafe frontdesk_pq_load(library, &fault, fault.count) != 0 else { return }
        let bytes = fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw StoreError(
            .failed,
            "no database: \(String(decoding: bytes, as: UTF8.self)); apt-get install libpq5")
    }

    /// Whether the connection was good after the last call.
    var isConnected: Bool { unsafe frontdesk_pq_is_connected(handle) != 0 }

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

    func statement(once sql: String) throws(StoreError) -> any SQLStatement {
        // The server replaces its statement without a name.
        try prepare(sql, as: "")
    }

    private func prepare(_ sql: String) throws(StoreError) -> PostgresStatement {
        try prepare(sql, as: "s\(literals.count + composed.count)")
    }

    private func prepare(_ sql: String, as name: String) throws(StoreError) -> PostgresStatement {
        try readAhead()
        let translated = Dialect.postgreSQL.statement(sql)
        let result = unsafe frontdesk_pq_prepare(handle, name, translated)
        try unsafe judge(result)
        unsafe frontdesk_pq_clear(result)
        return PostgresStatement(name: name, of: self)
    }

    /// Runs SQL of ours that binds nothing; several statements may follow each other.
    func execute(_ sql: String) throws(StoreError) {
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
        throw PostgresState.error(state, isConnected: isConnected)
    }

    /// Begins a transaction.
    ///
    /// - Throws: `unavailable` when others keep the log's turn for too long, or the server is not there.
    func begin(_ sql: String) throws(StoreError) {
        hasConflict = false
        hasDuplicate = false
        isTurnKept = false
        last = ""
        do throws(StoreError) {
            try execute(sql)
        } catch {
            guard error.code == .busy else { throw error }
            isTurnKept = true
            throw StoreError(.unavailable, "the log's turn is not to be had: \(error.detail)")
        }
    }

    /// Has statements that bind nothing run together with the commit, so that what they lock is locked for no
    /// longer than that.
    func beforeCommit(_ sql: String) { last = sql }

    /// Commits the transaction.
    ///
    /// - Throws: `unavailable` when it is open whether it is stored; so is one whose wait for the standby was
    ///   cancelled, which the server answers with success and a warning, and a failover would undo.
    func commit() throws(StoreError) {
        let before = unsafe warnings.pointee
        try execute(last + "COMMIT")
        guard unsafe warnings.pointee == before else {
            throw StoreError(.unavailable, "the standby has not confirmed a commit")
        }
    }
}

// MARK: Sending ahead

extension PostgresConnection {
    /// Statements after which their answers are read: more of them than fit into the sockets' buffers would
    /// have both sides wait for each other.
    private static let mostSent = 500

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
    /// - Throws: the first failure among them; the transaction has failed then.
    func readAhead() throws(StoreError) {
        guard sent > 0 else { return }
        let count = sent
        sent = 0
        guard unsafe frontdesk_pq_sync(handle) == 1 else {
            throw StoreError(.unavailable, "postgres connection lost")
        }
        var failure: StoreError?
        for _ in 0..<count {
            do throws(StoreError) {
                try readOne()
            } catch {
                failure = failure ?? error
            }
        }
        // The end of the pipeline.
        unsafe frontdesk_pq_clear(frontdesk_pq_next(handle))
        let isOut = unsafe frontdesk_pq_exit_pipeline(handle) == 1
        if let failure { throw failure }
        guard isOut else { throw StoreError(.unavailable, "postgres connection lost") }
    }

    private func readOne() throws(StoreError) {
        let result = unsafe frontdesk_pq_next(handle)
        // After one that failed the others are skipped.
        let isSkipped = unsafe frontdesk_pq_is_skipped(result) == 1
        if !isSkipped { try unsafe judge(result) }
        unsafe frontdesk_pq_clear(result)
        // Nothing follows the answer of a statement.
        unsafe frontdesk_pq_clear(frontdesk_pq_next(handle))
    }
}

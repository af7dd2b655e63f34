import CPostgres
import DeskSQL
import DeskStore

/// One connection to PostgreSQL with its prepared statements; used by one thread at a time.
@safe final class PostgresConnection: SQLSession {
    let handle: OpaquePointer
    // Keyed by the SQL's address: every such statement is a literal of ours.
    private var literals: [UInt: PostgresStatement] = [:]
    private var composed: [String: PostgresStatement] = [:]
    /// Whether the last failure was a conflict with another transaction, after which all of the
    /// transaction may be run again (classes 40001 and 40P01).
    private(set) var hasConflict = false

    /// Loads libpq when this is the first connection, and connects; it blocks until then.
    ///
    /// - Throws: `unavailable` when the server cannot be reached, `failed` without libpq.
    init(address: String, library: String) throws(StoreError) {
        try Self.load(library)
        guard let made = unsafe frontdesk_pq_connect(address) else {
            throw StoreError(.failed, "libpq has no memory")
        }
        unsafe handle = made
        // On failure `deinit` frees the connection: every property has its value.
        guard isConnected else {
            let fault = unsafe String(cString: frontdesk_pq_fault(handle))
            throw StoreError(.unavailable, "postgres: \(fault.split(separator: "\n").first ?? "")")
        }
        try execute("SET client_encoding = 'UTF8'; SET client_min_messages = warning")
    }

    deinit { unsafe frontdesk_pq_finish(handle) }

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

    private func prepare(_ sql: String) throws(StoreError) -> PostgresStatement {
        let name = "s\(literals.count + composed.count)"
        let translated = Dialect.postgreSQL.statement(sql)
        let result = unsafe frontdesk_pq_prepare(handle, name, translated)
        try unsafe judge(result)
        unsafe frontdesk_pq_clear(result)
        return PostgresStatement(name: name, of: self)
    }

    /// Runs SQL of ours that binds nothing; several statements may follow each other.
    func execute(_ sql: String) throws(StoreError) {
        let result = unsafe frontdesk_pq_execute(handle, sql)
        try unsafe judge(result)
        unsafe frontdesk_pq_clear(result)
    }

    /// Throws what a result says; a result that is no failure stays the caller's.
    func judge(_ result: OpaquePointer?) throws(StoreError) {
        guard unsafe frontdesk_pq_is_good(result) == 0 else { return }
        let state = unsafe frontdesk_pq_state(result).map { unsafe String(cString: $0) }
        unsafe frontdesk_pq_clear(result)
        hasConflict = PostgresState.isConflict(state)
        throw PostgresState.error(state, isConnected: isConnected)
    }

    /// Says that a new transaction begins.
    func forgetConflict() { hasConflict = false }
}

import DeskModel
import DeskStore

/// The rows of requests with an `Idempotency-Key` that are under way, or whose server ended before it
/// answered.
enum BegunAnswers {
    /// Notes who answers a request, in place of a holder that ended.
    static func note(
        _ scope: String, to body: Digest, under lease: Lease, at time: Timestamp,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO begun_answers (scope, body, term, began_at) VALUES (?, ?, ?, ?) \
                ON CONFLICT (scope) DO UPDATE SET term = excluded.term, \
                began_at = excluded.began_at
                """)
        try statement.bind(scope)
        try statement.bind(body)
        try statement.bind(lease.term)
        try statement.bind(time)
        try statement.run()
    }

    /// The body of the request that a scope belongs to; nil when none was begun.
    static func find(_ scope: String, on sql: any SQLSession) throws(StoreError) -> Digest? {
        let statement = try sql.statement(
            literal: "SELECT body FROM begun_answers WHERE scope = ?")
        try statement.bind(scope)
        return try statement.first { row throws(StoreError) in try row.digest() }
    }

    /// Removes what the holder of a lease began.
    static func remove(
        _ scope: String, under lease: Lease, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM begun_answers WHERE scope = ? AND term = ?")
        try statement.bind(scope)
        try statement.bind(lease.term)
        try statement.run()
    }

    /// Removes what was begun before a moment.
    static func prune(before time: Timestamp, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM begun_answers WHERE began_at < ?")
        try statement.bind(time)
        try statement.run()
    }
}

/// What connections ask of the server for their session.
enum PostgresSettings {
    /// Of every connection that writes, most of which have a share of the log's turn.
    ///
    /// One that stands still in a transaction loses its locks after 2 s, so that the others go on. There is no
    /// limit for a statement: it would end a wait for the standby.
    static let ofTurn = """
        SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '2s'; \
        SET lock_timeout = '5s'
        """

    /// Of the connection that writes the log, beside those.
    ///
    /// One plan for each statement: the tables begin empty, and what is asked of them never changes.
    static let ofLog = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off"

    /// Of the connection that searches: a plan for each search, since words are rare and frequent, and never
    /// message by message.
    static let ofSearch = """
        SET plan_cache_mode = force_custom_plan; SET enable_seqscan = off; SET enable_indexscan = off
        """
}

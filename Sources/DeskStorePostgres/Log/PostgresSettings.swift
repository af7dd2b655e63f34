/// What connections ask of the server for their session.
enum PostgresSettings {
    /// Of the connection that writes the log.
    ///
    /// A writer that stands still in a transaction loses its turn after 2 s, so that the others go on. There
    /// is no limit for a statement: it would end a wait for the standby. One plan for each statement: the
    /// tables begin empty, and what is asked of them never changes.
    static let ofWriter = """
        SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '2s'; \
        SET lock_timeout = '5s'; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off
        """
}

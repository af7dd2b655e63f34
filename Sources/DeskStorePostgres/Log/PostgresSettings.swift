/// What connections ask of the server for their session.
enum PostgresSettings {
    /// Of every connection.
    ///
    /// Nothing is compiled to machine code: a plan's estimated cost is beside the point where ways of reading are
    /// disabled, and compiling takes longer than the statements do.
    ///
    /// With keepalives the server notices within some 4 s that a node's machine is gone
    /// without a word; over a socket of its own machine they mean nothing.
    static let ofAll = """
        SET client_encoding = 'UTF8'; SET client_min_messages = warning; SET jit = off; \
        SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; \
        SET tcp_user_timeout = '3s'
        """

    /// Of every connection that writes, most of which have a share of the log's turn.
    ///
    /// One that stands still in a transaction loses its locks after 2 s, so that the others go on; between
    /// statements that are sent together, when another has waited for 3 s. There is no limit for a statement: it
    /// would end a wait for the standby.
    static let ofTurn = """
        SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '2s'; \
        SET lock_timeout = '3s'
        """

    /// Of the connection that makes or changes tables.
    ///
    /// It waits for a lock no longer than those queued behind it may wait. A process that stands still loses its
    /// locks, and then the one that keeps other processes from migrating.
    static let ofMigration = """
        SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '2s'; \
        SET idle_session_timeout = '10s'; SET lock_timeout = '2s'
        """

    /// Rows are read by their keys, join by join.
    ///
    /// The planner would read all of a table that was small when it was counted last, or merge a page of the log
    /// with all messages from the first one on.
    private static let byKeys =
        "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off"

    /// Of the connections that read.
    static let ofReading = byKeys

    /// Of the connection that writes the log, beside those of all that write, and of those that always run the
    /// same statements on it.
    ///
    /// One plan for each statement: the tables begin empty, and what is asked of them never changes.
    static let ofLog = "SET plan_cache_mode = force_generic_plan; \(byKeys)"

    /// Of the connection that searches: a plan for each search, since words are rare and frequent, never through
    /// the whole table, and not compiled: that takes longer than the search.
    static let ofSearch = """
        SET plan_cache_mode = force_custom_plan; SET enable_seqscan = off; SET jit = off
        """

    /// Of the connection that reads everything in small parts: by the keys of the rows.
    ///
    /// A process that stands still does not keep its old snapshot.
    static let ofInspection = "\(byKeys); SET idle_in_transaction_session_timeout = '10s'"

    /// Of the connection that reads or writes an archive in one transaction.
    ///
    /// It waits for a file or a pipe, but does not keep an old snapshot, or its locks, for ever.
    static let ofArchive = "SET idle_in_transaction_session_timeout = '10min'"
}

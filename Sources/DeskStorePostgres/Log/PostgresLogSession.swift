import DeskModel
import DeskSQL
import DeskStore

/// One connection that writes the log of a PostgreSQL database.
///
/// A writer acquires the log's turn first, so that groups are decided as they are in one process: nothing
/// changes under them, and positions follow each other without gaps (ADR 0051).
final class PostgresLogSession: LogSession {
    let connection: PostgresConnection
    /// Which transaction changed conversations last without an event, as far as this session has followed.
    private var quietChange: Int64 = 0
    /// The transaction that runs.
    private var transaction: Int64 = 0
    /// Whether the transaction that runs changed conversations without an event.
    private var isQuiet = false
    /// Whether commits wait for a standby.
    private var hasStandby = false

    /// Goes on behind whatever the log has when the first transaction begins.
    init(on connection: PostgresConnection, in epoch: Epoch, recorder: RegistryRecorder) {
        self.connection = connection
        super.init(on: connection, in: epoch, after: -1, recorder: recorder)
        connection.sendsAhead = true
    }

    /// A statement that failed ends the transaction here.
    override var outlivesFailures: Bool { false }

    /// Rows are sent without waiting for what becomes of them.
    override var answersAtOnce: Bool { false }

    /// What a transaction asks first.
    private static let state = """
        SELECT coalesce((SELECT max(position) FROM events), 0), \
        (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), \
        (SELECT xmin::text::bigint FROM pruned), \
        pg_current_xact_id()::text::bigint & 4294967295, \
        current_setting('synchronous_standby_names') <> '', \
        \(FoundSettings.EmptyTables.sql)
        """

    /// Begins a transaction that no other writes beside, whatever process it is of.
    ///
    /// - Throws: `unavailable` when others keep the turn for too long, `failed` when the log has begun
    ///   another life.
    func begin() throws(StoreError) {
        // Prepared before anything is locked.
        let (begin, lock, state) = try (
            connection.statement(literal: "BEGIN"),
            connection.statement(literal: "LOCK TABLE log_turn IN EXCLUSIVE MODE"),
            connection.statement(Self.state)
        )
        let found = try connection.begin { () throws(StoreError) in
            try begin.run()
            try lock.run()
            return try state.first {
                (
                    end: $0.integer(), epoch: $0.integer(), quiet: $0.integer(),
                    own: $0.integer(), hasStandby: $0.bool(), emptyTables: $0.integer()
                )
            }
        }
        guard let found, Epoch(UInt64(bitPattern: found.epoch)) == epoch else {
            throw StoreError(.failed, "the log has begun another life")
        }
        transaction = found.own
        hasStandby = found.hasStandby
        self.found.emptyTables = .init(rawValue: UInt8(truncatingIfNeeded: found.emptyTables))
        // Others have written since: what is at hand may be behind it.
        guard found.end != newest || found.quiet != quietChange else { return }
        continueAfter(found.end)
        quietChange = found.quiet
    }

    /// Reads conversations that are not at hand by one statement, and who controls them by another where there are
    /// bots; those that are damaged are left to who asks for them.
    func fetch(_ conversations: some Sequence<ConversationID>) throws(StoreError) {
        let wanted = Set(conversations)
        if !found.emptyTables.contains(.bots), wanted.count > 1 {
            found.note(try Controls.find(wanted, on: connection), of: wanted)
        }
        let missing = wanted.subtracting(cached.keys)
        guard missing.count > 1 else { return }
        do throws(StoreError) {
            let found = try ConversationRows.find(missing, on: connection)
            cached.merge(found) { known, _ in known }
        } catch {
            guard error.code == .damaged else { throw error }
        }
    }

    /// Writes the rows of what the transaction changed, and that it is the commit of that name.
    ///
    /// What was stored before may be what no standby has: its wait was cancelled, or the server crashed meanwhile.
    /// So a transaction that answers by it writes its name alone: its commit waits until the standby has all before.
    ///
    /// - Returns: whether there is anything to commit.
    func finishRows(_ name: CommitName) throws(StoreError) -> Bool {
        guard hasWritten || !dirty.isEmpty || restsOnStored && hasStandby else { return false }
        try writeChanged()
        try updateActivity(of: dirty.compactMap { $1 ? nil : require($0) })
        let statement = try connection.statement(
            literal: """
                INSERT INTO commits (writer, number, position) VALUES (?, ?, ?)
                """)
        try statement.bind(name.writer)
        try statement.bind(name.number)
        try statement.bind(newest)
        try statement.run()
        guard !events.isEmpty else {
            try noteQuietChange()
            return true
        }
        let hint = try connection.statement(
            "SELECT pg_notify(\(NoticeChannel.log.expression), ?::text)")
        try hint.bind(LogHint(position: Position(newest), writer: name.writer).text)
        try hint.run()
        return true
    }

    /// Lets the other processes know of changes that have no event: a conversation was read, muted or described.
    ///
    /// The end of the log does not say it. They look at which transaction wrote the row last, whose value stays.
    private func noteQuietChange() throws(StoreError) {
        guard !dirty.isEmpty else { return }
        try connection.statement(literal: "UPDATE pruned SET position = position").run()
        isQuiet = true
    }

    /// Whether a commit of that name is stored, which this transaction says once more.
    func confirm(_ name: CommitName) throws(StoreError) -> Bool {
        let statement = try connection.statement(
            literal: "UPDATE commits SET made_at = now() WHERE writer = ? AND number = ?")
        try statement.bind(name.writer)
        try statement.bind(name.number)
        return try statement.runCounting() == 1
    }

    /// What the committed transaction made; forgets it.
    func finish() -> (events: [Event], entries: [RegistryEntry]) {
        if isQuiet { quietChange = transaction }
        defer {
            isQuiet = false
            forgetTransaction()
            if cached.count > Self.maximumCached { cached.removeAll() }
        }
        return (events, entries)
    }

    /// Undoes the transaction; false when the connection is of no further use.
    func rollBack() -> Bool {
        isQuiet = false
        takeBackTransaction(to: -1)
        do throws(StoreError) {
            try connection.rollBack()
            return true
        } catch {
            return false
        }
    }
}

/// What a commit is found by when its confirmation is lost.
struct CommitName: Hashable, Sendable {
    /// The process's writer; chosen anew at each start.
    let writer: Int64
    /// Rises by one with each commit of the writer.
    let number: Int64
}

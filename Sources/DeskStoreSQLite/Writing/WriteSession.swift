import DeskModel
import DeskSQL
import DeskStore

/// The writer's connection to SQLite: what is put off between commits, and how it is caught up with.
final class WriteSession: LogSession {
    /// Conversations whose rows may be unflushed; one more and all are written.
    static let maximumUnflushed = 256
    /// Events after which unflushed rows are written; a start after a crash reads as many again.
    static let maximumLag: Int64 = 4_096

    let connection: Connection
    /// Conversations whose rows lack messages of earlier commits; they stay at hand.
    private var unflushed: Set<ConversationID> = []
    /// Every row has the messages up to here.
    private var settled: Int64 = 0
    private var isFlushing = false
    /// Conversations, by number, that accept nothing more: their newest messages cannot be read.
    private var quarantined: Set<Int64> = []
    /// What was found damaged at the start.
    let damage: [Damage]

    /// Begins where the log ends, and writes the rows that lagged when the last process ended.
    init(
        connection: Connection, epoch: Epoch, newest: Int64, recorder: RegistryRecorder
    ) throws(StoreError) {
        self.connection = connection
        settled = try connection.prepare("SELECT position FROM settled").first { $0.integer() } ?? 0
        let recovery = try RowRecovery(after: settled, through: newest, on: connection)
        quarantined = recovery.quarantined
        damage = recovery.damage
        super.init(on: connection.sql, in: epoch, after: newest, recorder: recorder)
        for one in recovery.unflushed.values {
            cached[one.conversation.id] = one
            unflushed.insert(one.conversation.id)
        }
        try begin()
        flushRows()
        for number in quarantined {
            let statement = try connection.statement(
                literal: "INSERT OR IGNORE INTO fenced VALUES (?)")
            try statement.bind(number)
            try statement.run()
        }
        try commit()
        _ = finish()
    }

    override func requireReadable(_ number: Int64, _ id: ConversationID) throws(StoreError) {
        guard quarantined.isEmpty || !quarantined.contains(number) else {
            throw StoreError(.damaged, "the newest messages of \(id)")
        }
    }

    // MARK: Transactions

    func begin() throws(StoreError) {
        try connection.statement(literal: "BEGIN IMMEDIATE").run()
    }

    /// Has the next commit write every unflushed row.
    func flushRows() { isFlushing = !unflushed.isEmpty || !dirty.isEmpty }

    /// Writes what was put off for long enough and commits; on return it is flushed.
    ///
    /// A message holds what it changes of its conversation's row, so that row may be written later:
    /// once for many messages; the start after a crash recovers it.
    func commit() throws(StoreError) {
        if newest - settled >= Self.maximumLag
            || unflushed.count + dirty.count > Self.maximumUnflushed
        {
            flushRows()
        }
        try writeChanged()
        if isFlushing {
            for (id, isWhole) in dirty where !isWhole { try updateActivity(require(id)) }
            for id in unflushed where dirty[id] == nil { try updateActivity(require(id)) }
            let statement = try connection.statement(literal: "UPDATE settled SET position = ?")
            try statement.bind(newest)
            try statement.run()
        }
        try connection.statement(literal: "COMMIT").run()
    }

    /// Returns the commit's events, changes and registry entries, and forgets the transaction.
    func finish() -> (
        events: [Event], changes: CommittedConversations, entries: [RegistryEntry]
    ) {
        var changes = CommittedConversations(areFlushed: isFlushing)
        if isFlushing {
            unflushed.removeAll(keepingCapacity: true)
            settled = newest
            isFlushing = false
        }
        changes.unflushed.reserveCapacity(changes.areFlushed ? 0 : dirty.count)
        for (id, isWhole) in dirty {
            let one = require(id)
            if isWhole || changes.areFlushed {
                unflushed.remove(id)
                changes.written.append(one.conversation)
            } else {
                unflushed.insert(id)
                changes.unflushed.append(one)
            }
        }
        defer {
            forgetTransaction()
            if cached.count > Self.maximumCached {
                cached = cached.filter { unflushed.contains($0.key) }
            }
        }
        return (events, changes, entries)
    }

    /// Undoes the transaction and everything that was known of it.
    func rollback(to newest: Int64) throws(StoreError) {
        takeBackTransaction(to: newest)
        isFlushing = false
        // A full disk may have rolled back by itself.
        if connection.isInTransaction {
            try connection.statement(literal: "ROLLBACK").run()
        }
    }
}

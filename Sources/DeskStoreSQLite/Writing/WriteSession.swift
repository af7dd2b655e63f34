import DeskModel
import DeskSQL
import DeskStore

/// The writer's connection and what it knows between commits; touched only on the writer's thread.
final class WriteSession {
    /// Conversations kept at hand; beyond this all that rest are forgotten.
    static let maximumCached = 8_192
    /// Conversations whose rows may be unflushed; one more and all are written.
    static let maximumUnflushed = 256
    /// Events after which unflushed rows are written; a start after a crash reads as many again.
    static let maximumLag: Int64 = 4_096

    let connection: Connection
    /// What sees every change of the registries.
    let recorder: RegistryRecorder
    let epoch: Epoch
    private(set) var newest: Int64
    /// The group that is decided; kept, so that the next one has its memory.
    var decision: GroupDecision
    /// Adds a message's row: to find the statement by its text would cost more than binding it.
    private var messageInsert: Statement?
    /// Events of the transaction that runs.
    private(set) var events: [Event] = []
    private var cached: [ConversationID: ConversationRow] = [:]
    /// Conversations that the transaction changed, and whether by more than messages.
    private var dirty: [ConversationID: Bool] = [:]
    /// What they were before it, each once; nil for those that were not at hand.
    private var before: [(id: ConversationID, row: ConversationRow?)] = []
    /// What the transaction changed of the registries.
    var entries: [RegistryEntry] = []
    /// Conversations whose rows lack messages of earlier commits; they stay at hand.
    private var unflushed: Set<ConversationID> = []
    /// Every row has the messages up to here.
    private var settled: Int64 = 0
    private var isFlushing = false
    /// Conversations, by number, that accept nothing more: their newest messages cannot be read.
    private var quarantined: Set<Int64> = []
    /// What was found damaged at the start.
    let damage: [Damage]
    /// The number of the note that was added last.
    var addedNote: Int64?
    /// Whether content was erased that the write-ahead log still has.
    var hasErased = false
    /// The newest range of the log that is noted for a business.
    var ranges: [Int64: Int64] = [:]

    /// Begins where the log ends, and writes the rows that lagged when the last process ended.
    init(
        connection: Connection, epoch: Epoch, newest: Int64, recorder: RegistryRecorder
    ) throws(StoreError) {
        self.connection = connection
        self.recorder = recorder
        self.epoch = epoch
        self.newest = newest
        decision = GroupDecision(after: newest, in: epoch, lookingForRepeats: false)
        settled = try connection.prepare("SELECT position FROM settled").first { $0.integer() } ?? 0
        let recovery = try RowRecovery(after: settled, through: newest, on: connection)
        quarantined = recovery.quarantined
        damage = recovery.damage
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

    /// Writes the rows that the transaction has changed by more than messages, so that what triggers count
    /// of them is exact.
    func writeChanged() throws(StoreError) {
        for (id, isWhole) in dirty where isWhole { try updateWhole(require(id)) }
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
            entries.removeAll()
            events.removeAll(keepingCapacity: true)
            dirty.removeAll(keepingCapacity: true)
            before.removeAll(keepingCapacity: true)
            if ranges.count > Self.maximumCached { ranges.removeAll() }
            if cached.count > Self.maximumCached {
                cached = cached.filter { unflushed.contains($0.key) }
            }
        }
        return (events, changes, entries)
    }

    /// Undoes the transaction and everything that was known of it.
    func rollback(to newest: Int64) throws(StoreError) {
        self.newest = newest
        events.removeAll()
        entries.removeAll()
        dirty.removeAll()
        for (id, row) in before { cached[id] = row }
        before.removeAll()
        ranges.removeAll()
        isFlushing = false
        // A full disk may have rolled back by itself.
        if connection.isInTransaction {
            try connection.statement(literal: "ROLLBACK").run()
        }
    }

    private func require(_ id: ConversationID) -> ConversationRow {
        guard let one = cached[id] else { preconditionFailure("\(id) was forgotten") }
        return one
    }

    /// What the transaction changed of the registries after so many changes.
    func entries(after count: Int) -> [RegistryEntry] {
        entries.count == count ? [] : Array(entries.dropFirst(count))
    }

    // MARK: What groups use

    /// A conversation's row with all that messages changed of it; nil when there is none.
    ///
    /// - Throws: `damaged` when it accepts nothing more.
    func findRow(_ id: ConversationID) throws(StoreError) -> ConversationRow? {
        if let known = cached[id] {
            try requireReadable(known.number, id)
            return known
        }
        let statement = try connection.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
        cached[id] = found
        if let found { try requireReadable(found.number, id) }
        return found
    }

    private func requireReadable(_ number: Int64, _ id: ConversationID) throws(StoreError) {
        guard quarantined.isEmpty || !quarantined.contains(number) else {
            throw StoreError(.damaged, "the newest messages of \(id)")
        }
    }

    /// The statement that adds a message's row.
    func requireMessageInsert() throws(StoreError) -> Statement {
        if let messageInsert { return messageInsert }
        let made = try connection.statement(MessageColumns.insert)
        messageInsert = made
        return made
    }

    /// Goes on from the decided group, whose rows are written, and moves its events out.
    func adopt() {
        newest = decision.newest
        decision.moveEvents(to: &events)
        for place in decision.conversations.indices {
            switch decision.conversations[place].change {
            case .nothing: break
            case .inItsEvents: keep(decision.conversations[place].row, isWhole: false)
            case .ofItsRow: keep(decision.conversations[place].row, isWhole: true)
            }
        }
    }

    /// Keeps a changed conversation; only one that its events alone changed may be written later.
    private func keep(_ one: ConversationRow, isWhole: Bool) {
        let id = one.conversation.id
        let known = cached.updateValue(one, forKey: id)
        switch dirty.updateValue(isWhole, forKey: id) {
        case nil: before.append((id, known))
        case true?: dirty[id] = true
        case false?: break
        }
    }
}

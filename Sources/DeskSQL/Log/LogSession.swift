public import DeskModel
public import DeskStore

/// The one connection of a process that writes the log, and what it knows between commits; touched only on
/// the writer's thread.
///
/// How groups are decided and what their rows are is the same for every engine. An engine's subclass says
/// how a transaction begins and ends, and what may be kept at hand between two of them.
open class LogSession {
    /// Conversations kept at hand; beyond this an engine forgets those that rest.
    package static let maximumCached = 8_192

    /// The connection, inside a transaction.
    package let sql: any SQLSession
    /// What sees every change of the registries.
    package let recorder: RegistryRecorder
    /// The life of the store.
    package let epoch: Epoch
    /// The position of the newest event, those of this transaction included.
    package private(set) var newest: Int64
    /// The group that is decided; kept, so that the next one has its memory.
    package var decision: GroupDecision
    /// Events of the transaction that runs.
    package private(set) var events: [Event] = []
    /// Conversations as they are with all that was written.
    package var cached: [ConversationID: ConversationRow] = [:]
    /// Conversations that the transaction changed, and whether by more than messages.
    package private(set) var dirty: [ConversationID: Bool] = [:]
    /// What they were before it, each once; nil for those that were not at hand.
    private var before: [(id: ConversationID, row: ConversationRow?)] = []
    /// What the transaction changed of the registries.
    package var entries: [RegistryEntry] = []
    /// Whether the transaction has changed any row.
    package private(set) var hasWritten = false
    /// Whether an answer says that something was stored before, which no commit of this transaction may cover.
    package private(set) var restsOnStored = false
    /// The number of the note that was added last.
    var addedNote: Int64?
    /// Whether content was erased that copies of the engine's own still have.
    package var hasErased = false
    /// What the transaction has read of what messages ask for.
    package var found = FoundSettings()
    /// The newest range of the log that is noted for a business.
    package var ranges: [Int64: Int64] = [:]
    /// Adds a message's row: to find the statement by its text would cost more than binding it.
    private var messageInsert: (any SQLStatement)?

    /// Begins where the log ends.
    public init(
        on sql: any SQLSession, in epoch: Epoch, after newest: Int64, recorder: RegistryRecorder
    ) {
        self.sql = sql
        self.epoch = epoch
        self.newest = newest
        self.recorder = recorder
        decision = GroupDecision(after: newest, in: epoch, lookingForRepeats: false)
    }

    /// Whether the transaction may go on after a statement that failed, as before it.
    open var outlivesFailures: Bool { true }

    /// Whether adding a message says at once that its id is known.
    ///
    /// Where it does not, a known id fails the transaction, and it is run again with `looksForRepeats`.
    open var answersAtOnce: Bool { true }

    /// Whether ids are looked up before their messages are decided.
    package var looksForRepeats = false

    /// Whether a conversation accepts nothing more.
    ///
    /// - Throws: `damaged`, then.
    open func requireReadable(_ number: Int64, _ id: ConversationID) throws(StoreError) {}

    // MARK: What a transaction leaves

    /// Writes the rows that the transaction has changed by more than messages, so that what triggers count
    /// of them is exact.
    package func writeChanged() throws(StoreError) {
        for (id, isWhole) in dirty where isWhole { try updateWhole(require(id)) }
    }

    /// A conversation that the transaction changed, as it is now.
    package func require(_ id: ConversationID) -> ConversationRow {
        guard let one = cached[id] else { preconditionFailure("\(id) was forgotten") }
        return one
    }

    /// What the transaction changed of the registries after so many changes.
    package func entries(after count: Int) -> [RegistryEntry] {
        entries.count == count ? [] : Array(entries.dropFirst(count))
    }

    /// Forgets the transaction, which is committed.
    package func forgetTransaction() {
        hasWritten = false
        restsOnStored = false
        entries.removeAll()
        events.removeAll(keepingCapacity: true)
        dirty.removeAll(keepingCapacity: true)
        before.removeAll(keepingCapacity: true)
        found.forget()
        if ranges.count > Self.maximumCached { ranges.removeAll() }
    }

    /// Forgets the transaction, of which nothing is stored, and everything that was known of it.
    package func takeBackTransaction(to newest: Int64) {
        self.newest = newest
        hasWritten = false
        restsOnStored = false
        events.removeAll()
        entries.removeAll()
        dirty.removeAll()
        for (id, row) in before { cached[id] = row }
        before.removeAll()
        found.forget()
        ranges.removeAll()
    }

    /// Goes on behind what others have written: what is at hand may be behind it.
    package func continueAfter(_ newest: Int64) {
        self.newest = newest
        cached.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    // MARK: What groups use

    /// A conversation's row with all that messages changed of it; nil when there is none.
    ///
    /// - Throws: `damaged` when it accepts nothing more.
    package func findRow(_ id: ConversationID) throws(StoreError) -> ConversationRow? {
        if let known = cached[id] {
            try requireReadable(known.number, id)
            return known
        }
        let statement = try sql.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
        cached[id] = found
        if let found { try requireReadable(found.number, id) }
        return found
    }

    /// The statement that adds a message's row.
    func requireMessageInsert() throws(StoreError) -> any SQLStatement {
        if let messageInsert { return messageInsert }
        let made = try sql.statement(
            answersAtOnce ? MessageColumns.insertUnlessKnown : MessageColumns.insert)
        messageInsert = made
        return made
    }

    /// Says that rows are written that no group decided.
    func noteWriting() { hasWritten = true }

    /// Says that a caller is answered by what was stored before.
    package func restOnStored() { restsOnStored = true }

    /// Goes on from the decided group, whose rows are written, and moves its events out.
    func adopt() {
        if !decision.changes.isEmpty { hasWritten = true }
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

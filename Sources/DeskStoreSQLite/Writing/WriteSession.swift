import DeskModel
import DeskStore

/// The writer's connection and what it knows between commits; touched only on the writer's thread.
final class WriteSession {
    /// Conversations kept at hand; beyond this all that rest are forgotten.
    static let maximumHot = 8_192
    /// Conversations whose rows may lag; one more and all are written.
    static let maximumLagging = 256
    /// Events after which the rows that lag are written; a start after a crash reads as many again.
    static let maximumLag: Int64 = 4_096

    let connection: Connection
    let epoch: Epoch
    private(set) var newest: Int64
    /// Events of the transaction that runs.
    private(set) var events: [Event] = []
    private var hot: [ConversationID: HotConversation] = [:]
    /// Conversations that the transaction changed, and whether by more than messages.
    private var dirty: [ConversationID: Bool] = [:]
    /// What they were before it.
    private var before: [ConversationID: HotConversation?] = [:]
    /// Conversations whose rows lack messages of earlier commits; they stay at hand.
    private var lagging: Set<ConversationID> = []
    /// Every row has the messages up to here.
    private var settled: Int64 = 0
    private var isSettling = false
    /// Conversations, by number, that take nothing more: their newest messages cannot be read.
    private var fenced: Set<Int64> = []
    /// What was found damaged at the start.
    let damage: [Damage]
    private var undo: GroupUndo?
    /// The newest stretch of the log that is noted for a business.
    var stretches: [Int64: Int64] = [:]

    private struct GroupUndo {
        let newest: Int64
        let events: Int
        let isNested: Bool
        var hot: [ConversationID: HotConversation?] = [:]
        var hasWritten = false
    }

    /// Begins where the log ends, and writes the rows that lagged when the last process ended.
    init(connection: Connection, epoch: Epoch, newest: Int64) throws(StoreError) {
        self.connection = connection
        self.epoch = epoch
        self.newest = newest
        settled = try connection.prepare("SELECT position FROM settled").first { $0.integer() } ?? 0
        let settlement = try Settlement(after: settled, through: newest, on: connection)
        fenced = settlement.fenced
        damage = settlement.damage
        for one in settlement.lagging.values {
            hot[one.conversation.id] = one
            lagging.insert(one.conversation.id)
        }
        try begin()
        settle()
        for number in fenced {
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

    /// Has the next commit write every row that lags.
    func settle() { isSettling = !lagging.isEmpty || !dirty.isEmpty }

    /// Writes what was put off for long enough and commits; on return it is flushed.
    ///
    /// What a message changes of its conversation's row is in the message, so that row may lag:
    /// it is written once for many messages, and made up for at the start after a crash.
    func commit() throws(StoreError) {
        if newest - settled >= Self.maximumLag
            || lagging.count + dirty.count > Self.maximumLagging
        {
            settle()
        }
        for (id, isWhole) in dirty where isWhole { try updateWhole(require(id)) }
        if isSettling {
            for (id, isWhole) in dirty where !isWhole { try updateActivity(require(id)) }
            for id in lagging where dirty[id] == nil { try updateActivity(require(id)) }
            let statement = try connection.statement(literal: "UPDATE settled SET position = ?")
            try statement.bind(newest)
            try statement.run()
        }
        try connection.statement(literal: "COMMIT").run()
    }

    /// Takes what the commit told and forgets the transaction.
    func finish() -> (events: [Event], changes: CommittedConversations) {
        var changes = CommittedConversations(areSettled: isSettling)
        if isSettling {
            lagging.removeAll(keepingCapacity: true)
            settled = newest
            isSettling = false
        }
        for (id, isWhole) in dirty {
            let one = require(id)
            if isWhole || changes.areSettled {
                lagging.remove(id)
                changes.written.append(one.conversation)
            } else {
                lagging.insert(id)
                changes.lagging.append(one)
            }
        }
        defer {
            events.removeAll(keepingCapacity: true)
            dirty.removeAll(keepingCapacity: true)
            before.removeAll(keepingCapacity: true)
            if stretches.count > Self.maximumHot { stretches.removeAll() }
            if hot.count > Self.maximumHot { hot = hot.filter { lagging.contains($0.key) } }
        }
        return (events, changes)
    }

    /// Undoes the transaction and everything that was known of it.
    func rollback(to newest: Int64) throws(StoreError) {
        self.newest = newest
        events.removeAll()
        dirty.removeAll()
        for (id, one) in before { hot[id] = one }
        before.removeAll()
        stretches.removeAll()
        isSettling = false
        undo = nil
        // A full disk may have rolled back by itself.
        if connection.isInTransaction {
            try connection.statement(literal: "ROLLBACK").run()
        }
    }

    // MARK: Groups

    /// Why a group failed: by itself, or with all of its transaction.
    enum GroupFailure: Error {
        case group(StoreError)
        case transaction(StoreError)
    }

    /// Applies a group whole or not at all.
    func apply(_ group: [Write]) throws(GroupFailure) -> [Outcome] {
        let isNested = group.count > 1
        undo = GroupUndo(newest: newest, events: events.count, isNested: isNested)
        defer { undo = nil }
        do {
            if isNested { try connection.statement(literal: "SAVEPOINT step").run() }
            var outcomes: [Outcome] = []
            for write in group {
                let outcome = try carryOut(write)
                if case .refused = outcome {
                    try takeBack(isNested: isNested)
                    return [outcome]
                }
                outcomes.append(outcome)
            }
            if isNested { try connection.statement(literal: "RELEASE step").run() }
            return outcomes
        } catch {
            let mayGoOn = error.code == .damaged || error.code == .refused
            guard mayGoOn, isNested || undo?.hasWritten == false else { throw .transaction(error) }
            do {
                try takeBack(isNested: isNested)
            } catch {
                throw .transaction(error)
            }
            throw .group(error)
        }
    }

    private func takeBack(isNested: Bool) throws(StoreError) {
        guard let undo else { preconditionFailure("no group runs") }
        precondition(
            isNested || !undo.hasWritten, "a refused step of a group of one wrote something")
        if isNested {
            try connection.statement(literal: "ROLLBACK TO step").run()
            try connection.statement(literal: "RELEASE step").run()
            stretches.removeAll()
        }
        newest = undo.newest
        events.removeLast(events.count - undo.events)
        for (id, before) in undo.hot { hot[id] = before }
        // What stays marked as dirty is written once more as it was.
        for id in undo.hot.keys where hot[id] == nil { dirty[id] = nil }
    }

    private func require(_ id: ConversationID) -> HotConversation {
        guard let one = hot[id] else { preconditionFailure("\(id) was forgotten") }
        return one
    }

    // MARK: What steps use

    /// Says that the group wrote; from here on only a savepoint takes it back.
    func willWrite() { undo?.hasWritten = true }

    func findHot(_ id: ConversationID) throws(StoreError) -> HotConversation? {
        if let known = hot[id] { return try judge(known) }
        let statement = try connection.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
        hot[id] = found
        return try found.map { one throws(StoreError) in try judge(one) }
    }

    private func judge(_ one: HotConversation) throws(StoreError) -> HotConversation {
        guard fenced.isEmpty || !fenced.contains(one.number) else {
            throw StoreError(.damaged, "the newest messages of \(one.conversation.id)")
        }
        return one
    }

    /// Keeps a changed conversation; only one that a message alone changed may be written later.
    func keep(_ one: HotConversation, isWhole: Bool) {
        let id = one.conversation.id
        let known = hot.updateValue(one, forKey: id)
        if undo?.isNested == true, undo?.hot[id] == nil { undo?.hot[id] = .some(known) }
        if let wasWhole = dirty[id] {
            if isWhole, !wasWhole { dirty[id] = true }
        } else {
            dirty[id] = isWhole
            before[id] = .some(known)
        }
    }

    /// Appends an event of a conversation, whose revision it raises.
    ///
    /// The caller keeps the conversation.
    func tell(
        _ type: EventType, in one: inout HotConversation, subject: Int64? = nil, body: EventBody,
        at time: Timestamp
    ) throws(StoreError) -> Event {
        one.conversation.revision = one.conversation.revision.next
        return try tell(
            type, of: (one.business, one.conversation.business), in: one, subject: subject,
            body: body, at: time)
    }

    /// Gives the next position to an event and writes its row.
    func tell(
        _ type: EventType, of business: (Int64, BusinessID), in one: HotConversation?,
        subject: Int64?, body: EventBody, at time: Timestamp
    ) throws(StoreError) -> Event {
        willWrite()
        newest += 1
        let row: EventRowBody =
            switch body {
            case .message, .note: .none
            case .conversation(let step): .step(step)
            case .json(let bytes): .json(bytes)
            }
        try insertEvent(
            type, at: newest, time: time, business: business.0, conversation: one?.number,
            subject: subject, revision: one?.conversation.revision, body: row)
        let event = Event(
            id: EventID(epoch: epoch, position: Position(newest)), type: type, time: time,
            business: business.1, conversation: one?.conversation, body: body)
        events.append(event)
        return event
    }
}

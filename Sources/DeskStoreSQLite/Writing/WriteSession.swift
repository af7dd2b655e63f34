import DeskModel
import DeskStore

/// The writer's connection and what it knows between commits; touched only on the writer's thread.
final class WriteSession {
    /// Conversations kept at hand; beyond this all that rest are forgotten.
    static let maximumHot = 8_192

    let connection: Connection
    let epoch: Epoch
    private(set) var newest: Int64
    /// Events of the transaction that runs.
    private(set) var events: [Event] = []
    private var hot: [ConversationID: HotConversation] = [:]
    /// Conversations to be written before the commit, and whether in all their columns.
    private var dirty: [ConversationID: Bool] = [:]
    private var undo: GroupUndo?

    private struct GroupUndo {
        let newest: Int64
        let events: Int
        var hot: [ConversationID: HotConversation?] = [:]
        var hasWritten = false
    }

    init(connection: Connection, epoch: Epoch, newest: Int64) {
        self.connection = connection
        self.epoch = epoch
        self.newest = newest
    }

    // MARK: Transactions

    func begin() throws(StoreError) {
        try connection.statement(literal: "BEGIN IMMEDIATE").run()
    }

    /// Writes what was put off and commits; on return it is flushed.
    func commit() throws(StoreError) {
        for (id, isWhole) in dirty {
            guard let one = hot[id] else { preconditionFailure("dirty \(id) was forgotten") }
            try isWhole ? updateWhole(one) : updateActivity(one)
        }
        try connection.statement(literal: "COMMIT").run()
    }

    /// Takes what the commit told and forgets the transaction.
    func finish() -> (events: [Event], conversations: [Conversation]) {
        defer {
            events.removeAll(keepingCapacity: true)
            dirty.removeAll(keepingCapacity: true)
            if hot.count > Self.maximumHot { hot.removeAll() }
        }
        return (events, dirty.keys.compactMap { hot[$0]?.conversation })
    }

    /// Undoes the transaction and everything that was known of it.
    func rollback(to newest: Int64) throws(StoreError) {
        self.newest = newest
        events.removeAll()
        dirty.removeAll()
        hot.removeAll()
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
        undo = GroupUndo(newest: newest, events: events.count)
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
        }
        newest = undo.newest
        events.removeLast(events.count - undo.events)
        for (id, before) in undo.hot { hot[id] = before }
        // What stays marked as dirty is written once more as it was.
        for id in undo.hot.keys where hot[id] == nil { dirty[id] = nil }
    }

    // MARK: What steps use

    /// Says that the group wrote; from here on only a savepoint takes it back.
    func willWrite() { undo?.hasWritten = true }

    func findHot(_ id: ConversationID) throws(StoreError) -> HotConversation? {
        if let known = hot[id] { return known }
        let statement = try connection.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        let found = try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
        hot[id] = found
        return found
    }

    /// Keeps a changed conversation, to be written before the commit.
    func keep(_ one: HotConversation, isWhole: Bool) {
        let id = one.conversation.id
        if undo?.hot[id] == nil { undo?.hot[id] = .some(hot[id]) }
        hot[id] = one
        dirty[id] = isWhole || dirty[id] == true
    }

    /// Gives the next position to an event of a conversation and writes its row.
    func tell(
        _ type: EventType, of business: (Int64, BusinessID), in one: HotConversation?,
        subject: Int64?, body: EventBody, at time: Timestamp
    ) throws(StoreError) -> Event {
        willWrite()
        newest += 1
        let statement = try connection.statement(
            literal: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)")
        try statement.bind(newest)
        try statement.bind(type.rawValue)
        try statement.bind(time)
        try statement.bind(business.0)
        try statement.bind(one?.number)
        try statement.bind(subject)
        switch body {
        case .message, .note: try statement.bindNull()
        case .conversation(let step): try statement.bind(Fields.write(step))
        case .json(let bytes): try statement.bind(bytes)
        }
        try statement.run()
        let event = Event(
            id: EventID(epoch: epoch, position: Position(newest)), type: type, time: time,
            business: business.1, conversation: one?.conversation, body: body)
        events.append(event)
        return event
    }
}

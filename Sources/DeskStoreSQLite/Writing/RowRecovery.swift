import DeskModel
import DeskSQL
import DeskStore

/// What a commit did to conversations.
struct CommittedConversations {
    /// Whether every row has everything now.
    let areFlushed: Bool
    /// Those whose rows were written.
    var written: [Conversation] = []
    /// Those whose rows lack their newest messages.
    var unflushed: [ConversationRow] = []

    init(areFlushed: Bool) { self.areFlushed = areFlushed }
}

/// How rows of conversations catch up with the messages that they lack.
struct RowRecovery {
    private static let messages = """
        SELECT \(MessageColumns.heads), NULL FROM messages m WHERE m.position = ?
        """

    private let connection: Connection
    /// The conversations with messages that their rows lack, as the messages leave them.
    private(set) var unflushed: [Int64: ConversationRow] = [:]
    /// Those that accept nothing more, since a newest message of theirs cannot be read.
    private(set) var quarantined: Set<Int64> = []
    private(set) var damage: [Damage] = []

    /// Applies the messages after a position.
    ///
    /// - Throws: `damaged` when the conversation of a damaged message is not known.
    init(after settled: Int64, through newest: Int64, on connection: Connection) throws(StoreError)
    {
        self.connection = connection
        quarantined = Set(
            try connection.prepare("SELECT conversation FROM fenced").all { $0.integer() })
        guard settled < newest else { return }
        let event = try connection.prepare(
            "SELECT \(EventColumns.covered), e.seal FROM events e WHERE e.position = ?")
        let message = try connection.prepare(Self.messages)
        for position in settled + 1...newest {
            try event.bind(position)
            let found = try? event.first { row throws(StoreError) in  // Safe: see below.
                try EventMark(row, at: position)
            }
            // Without its event the conversation of a message here is not known.
            guard let mark = found else { throw StoreError(.damaged, "event \(position)") }
            guard let number = mark.conversation else { continue }
            if mark.isMessage {
                try take(position, of: number, making: mark.revision, by: message)
            } else {
                try raise(number, to: mark.revision)
            }
        }
    }

    /// Raises a conversation's revision to the one that an event other than a message made.
    private mutating func raise(_ number: Int64, to revision: Revision?) throws(StoreError) {
        guard let revision, !quarantined.contains(number) else { return }
        do throws(StoreError) {
            let row = try unflushed[number] == nil ? find(number) : nil
            guard var one = unflushed[number] ?? row, one.conversation.revision < revision else {
                return
            }
            one.conversation.revision = revision
            unflushed[number] = one
        } catch {
            // A row that cannot be read reports its damage to the caller that reads it.
            guard error.code == .damaged else { throw error }
        }
    }

    private mutating func take(
        _ position: Int64, of number: Int64, making revision: Revision?, by statement: Statement
    ) throws(StoreError) {
        guard !quarantined.contains(number) else { return }
        do throws(StoreError) {
            let row = try unflushed[number] == nil ? find(number) : nil
            guard var one = unflushed[number] ?? row else {
                throw StoreError(.damaged, "conversation \(number) is missing")
            }
            // A row that was written for another reason has its messages already.
            guard position > one.end else { return }
            try statement.bind(position)
            let message = try statement.first { row throws(StoreError) in
                try MessageColumns.read(
                    row.sql, in: one.conversation.id, of: one.conversation.business)
            }
            guard let message else { throw StoreError(.damaged, "message \(position)") }
            try Self.take(message, into: &one)
            // An event from before revisions were counted made the next one.
            one.conversation.revision = revision ?? one.conversation.revision.next
            unflushed[number] = one
        } catch {
            guard error.code == .damaged else { throw error }
            quarantined.insert(number)
            damage.append(
                Damage(
                    "message", conversation: unflushed[number]?.conversation.id,
                    position: Position(position),
                    reason: "cannot be read; its conversation accepts nothing more"))
        }
    }

    private static func take(
        _ message: StoredMessage, into one: inout ConversationRow
    ) throws(StoreError) {
        let others: [EventType]?
        do {
            others = try one.conversation.take(message.facts, id: message.id, at: message.time)
        } catch {
            others = nil
        }
        // What comes with other events, and what is refused, was written in its own commit.
        guard others == [], one.conversation.newest == message.sequence else {
            throw StoreError(.damaged, "message \(message.sequence) of \(one.conversation.id)")
        }
        one.conversation.activity = message.position
        one.end = message.position.value
        one.head = MessageChecksum.head(
            after: one.head, digest: message.digest, checksum: message.checksum)
    }

    private func find(_ number: Int64) throws(StoreError) -> ConversationRow? {
        let statement = try connection.statement(ConversationColumns.byNumber)
        try statement.bind(number)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row.sql)
        }
    }
}

/// What an event says of the row of its conversation.
private struct EventMark {
    let isMessage: Bool
    let conversation: Int64?
    let revision: Revision?

    /// - Throws: `damaged`.
    init(_ row: Statement, at position: Int64) throws(StoreError) {
        guard row.isVerified(.events) else {
            throw StoreError(.damaged, "event \(position)")
        }
        row.skip(1)
        isMessage = row.text() == EventType.messageAccepted.rawValue
        row.skip(2)
        conversation = row.integerIfAny()
        row.skip(2)
        revision = EventColumns.revision(row.sql)
    }
}

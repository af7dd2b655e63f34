import DeskModel
import DeskStore

/// What a commit did to conversations.
struct CommittedConversations {
    /// Whether every row has everything now.
    let areSettled: Bool
    /// Those whose rows were written.
    var written: [Conversation] = []
    /// Those whose rows lack their newest messages.
    var lagging: [HotConversation] = []

    init(areSettled: Bool) { self.areSettled = areSettled }
}

/// How rows of conversations catch up with the messages that they lack.
struct Settlement {
    private static let messages = """
        SELECT \(MessageColumns.heads), NULL FROM messages m WHERE m.position = ?
        """

    private let connection: Connection
    /// The conversations with messages that their rows lack, as the messages leave them.
    private(set) var lagging: [Int64: HotConversation] = [:]
    /// Those that take nothing more, since a newest message of theirs cannot be read.
    private(set) var fenced: Set<Int64> = []
    private(set) var damage: [Damage] = []

    /// Takes the messages after a position in.
    ///
    /// - Throws: `damaged` when it cannot be told whose message is damaged.
    init(after settled: Int64, through newest: Int64, on connection: Connection) throws(StoreError)
    {
        self.connection = connection
        fenced = Set(
            try connection.prepare("SELECT conversation FROM fenced").all { $0.integer() })
        guard settled < newest else { return }
        let event = try connection.prepare(
            "SELECT \(EventColumns.sealed), e.seal FROM events e WHERE e.position = ?")
        let message = try connection.prepare(Self.messages)
        for position in settled + 1...newest {
            try event.bind(position)
            let owner = try? event.first { row throws(StoreError) -> Int64? in  // Safe: see below.
                guard row.provesWhole(EventColumns.sealedCount) else {
                    throw StoreError(.damaged, "event \(position)")
                }
                row.skip(1)
                let isMessage = row.text() == EventType.messageAccepted.rawValue
                row.skip(2)
                return isMessage ? row.integerIfAny() : nil
            }
            // Without its event nobody can say whether and whose message lies here.
            guard let owner else { throw StoreError(.damaged, "event \(position)") }
            guard let number = owner else { continue }
            try take(position, of: number, by: message)
        }
    }

    private mutating func take(
        _ position: Int64, of number: Int64, by statement: Statement
    ) throws(StoreError) {
        guard !fenced.contains(number) else { return }
        do throws(StoreError) {
            let row = try lagging[number] == nil ? find(number) : nil
            guard var one = lagging[number] ?? row else {
                throw StoreError(.damaged, "conversation \(number) is missing")
            }
            // A row that was written for another reason has its messages already.
            guard position > one.end else { return }
            try statement.bind(position)
            let message = try statement.first { row throws(StoreError) in
                try MessageColumns.read(
                    row, in: one.conversation.id, of: one.conversation.business)
            }
            guard let message else { throw StoreError(.damaged, "message \(position)") }
            try Self.take(message, into: &one)
            lagging[number] = one
        } catch {
            guard error.code == .damaged else { throw error }
            fenced.insert(number)
            damage.append(
                Damage(
                    "message", conversation: lagging[number]?.conversation.id,
                    position: Position(position),
                    reason: "cannot be read; its conversation takes nothing more"))
        }
    }

    private static func take(
        _ message: StoredMessage, into one: inout HotConversation
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
        one.head = MessageSeal.head(
            after: one.head, digest: message.digest, checksum: message.checksum)
    }

    private func find(_ number: Int64) throws(StoreError) -> HotConversation? {
        let statement = try connection.statement(ConversationColumns.byNumber)
        try statement.bind(number)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
    }
}

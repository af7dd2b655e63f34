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
enum Settlement {
    private static let messages = """
        SELECT m.conversation, \(MessageColumns.heads), NULL FROM messages m \
        WHERE m.position > ? ORDER BY m.position
        """

    /// The conversations with messages that their rows lack, as the messages leave them.
    ///
    /// - Throws: `damaged` when a message does not follow the one before it.
    static func lagging(
        after settled: Int64, on connection: Connection
    ) throws(StoreError) -> [HotConversation] {
        let statement = try connection.prepare(messages)
        try statement.bind(settled)
        var found: [Int64: HotConversation] = [:]
        while try statement.step() {
            let number = statement.integer()
            let row = try found[number] == nil ? find(number, on: connection) : nil
            guard var one = found[number] ?? row else {
                throw StoreError(.damaged, "conversation \(number) is missing")
            }
            let message = try MessageColumns.read(
                statement, in: one.conversation.id, of: one.conversation.business)
            // A row that was written for another reason has its messages already.
            guard message.position.value > one.end else { continue }
            try take(message, into: &one)
            found[number] = one
        }
        return Array(found.values)
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

    private static func find(
        _ number: Int64, on connection: Connection
    ) throws(StoreError) -> HotConversation? {
        let statement = try connection.statement(ConversationColumns.byNumber)
        try statement.bind(number)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
    }
}

import DeskModel
import DeskStore

/// What endpoints of webhooks answered: it may repeat what was posted to them, which of any event of a conversation has
/// its last message and the name of its person.
extension LogSession {
    /// Empties what was answered to the events of a conversation.
    func emptyEndpointAnswers(of row: ConversationRow) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET answer = NULL WHERE conversation = ? \
                AND answer IS NOT NULL AND outbox IN (SELECT id FROM webhooks)
                """)
        try statement.bind(row.conversation.id.value)
        try statement.run()
        // An endpoint that keeps no order has its deliveries without their conversation.
        try emptyEndpointAnswers(toThreadOf: row.number, before: nil)
    }

    /// Empties what was answered to the events of a conversation beside its messages, or what was before a moment.
    func emptyEndpointAnswers(
        toThreadOf conversation: Int64, before limit: Timestamp?
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET answer = NULL WHERE answer IS NOT NULL AND tried_at < ? \
                AND outbox IN (SELECT id FROM webhooks) AND position IN (SELECT position \
                FROM events WHERE conversation = ? AND type != 'message.accepted' \
                AND type != 'message.erased')
                """)
        try statement.bind(limit?.milliseconds ?? .max)
        try statement.bind(conversation)
        try statement.run()
    }

    /// Empties what was answered to the notes of a conversation that have no text any more.
    func emptyEndpointAnswers(toNotesOf conversation: Int64) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET answer = NULL WHERE answer IS NOT NULL \
                AND outbox IN (SELECT id FROM webhooks) AND position IN (SELECT e.position \
                FROM events e JOIN notes n ON n.number = e.subject WHERE e.conversation = ? \
                AND e.type != 'message.accepted' AND e.type IN ('note.added', 'note.edited') \
                AND n.deleted_at IS NOT NULL)
                """)
        try statement.bind(conversation)
        try statement.run()
    }
}

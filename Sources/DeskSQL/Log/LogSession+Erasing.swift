import DeskCrypto
import DeskModel
import DeskStore

extension LogSession {
    // MARK: What a decision asks for

    /// The chain of a conversation's messages.
    ///
    /// - Throws: `damaged` when a link cannot be read.
    func findChain(of id: ConversationID) throws(StoreError) -> KnownChain {
        guard let one = try findRow(id) else { return KnownChain(links: []) }
        let statement = try sql.statement(Self.links)
        var links: [KnownChain.Link] = []
        var place = one.end
        var expected = one.conversation.newest.value
        while expected > 0 {
            let before = expected
            try statement.bind(place)
            links += try statement.all { row throws(StoreError) in
                let (position, previous) = (row.integer(), row.integer())
                guard position == place, previous < place, row.integer() == one.number,
                    row.integer() == expected
                else { throw StoreError(.damaged, "the messages of \(one.conversation.id)") }
                place = previous
                expected -= 1
                return KnownChain.Link(
                    position: Position(position), digest: try row.digest(),
                    checksum: UInt32(truncatingIfNeeded: row.integer()),
                    attachments: row.textIfAny().flatMap { RowFields.readAttachments($0) } ?? [],
                    isErased: row.timeIfAny() != nil)
            }
            guard expected < before else {
                throw StoreError(.damaged, "the messages of \(one.conversation.id)")
            }
        }
        return KnownChain(links: links.reversed())
    }

    /// Some messages of a chain, from one back to those before it: one by one each would be a round trip.
    private static let links = """
        WITH RECURSIVE chain (position, previous, conversation, sequence, digest, checksum, \
        attachments, erased_at) AS (\
        SELECT position, previous, conversation, sequence, digest, checksum, attachments, \
        erased_at FROM messages WHERE position = ? UNION ALL \
        SELECT m.position, m.previous, m.conversation, m.sequence, m.digest, m.checksum, \
        m.attachments, m.erased_at FROM chain c JOIN messages m ON m.position = c.previous \
        WHERE c.previous < c.position AND c.sequence > 1) \
        SELECT position, previous, conversation, sequence, digest, checksum, attachments, \
        erased_at FROM chain LIMIT 500
        """

    // MARK: What it writes

    /// Overwrites a message's row, and empties what was kept about it alone.
    func write(
        _ tombstone: StoredMessage, ofConversation number: Int64, olderThan limit: Timestamp?
    ) throws(StoreError) {
        let link = try sql.statement(
            literal: "SELECT previous FROM messages WHERE position = ?")
        try link.bind(tombstone.position.value)
        let previous = try link.first { $0.integer() }
        let statement = try sql.statement(MessageColumns.overwrite)
        try bind(
            tombstone, posted: nil, ofConversation: number, after: previous ?? 0, to: statement)
        try statement.bind(tombstone.position.value)
        try statement.run()
        // The search index reads this list, whenever it comes to it.
        let list = try sql.statement(
            literal: "INSERT INTO erasures (position) VALUES (?)")
        try list.bind(tombstone.position.value)
        try list.run()
        try emptyExchanges(about: tombstone)
        if limit == nil {
            try Suggestions.removeAll(in: tombstone.conversation, on: sql)
            try Controls.emptyMetadata(of: tombstone.conversation, on: sql)
        }
        let deliveries = try sql.statement(
            literal: """
                UPDATE deliveries SET detail = NULL WHERE detail IS NOT NULL AND position = ? \
                AND outbox IN (SELECT id FROM outboxes)
                """)
        try deliveries.bind(tombstone.position.value)
        try deliveries.run()
        // An endpoint may have answered with what was posted to it; what the server says of the attempt stays.
        let answers = try sql.statement(
            literal: """
                UPDATE deliveries SET answer = NULL WHERE answer IS NOT NULL AND position = ? \
                AND outbox IN (SELECT id FROM webhooks)
                """)
        try answers.bind(tombstone.position.value)
        try answers.run()
    }

    private func emptyExchanges(about message: StoredMessage) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE exchanges SET asked_fields = NULL, asked = ?1, answered_fields = NULL, \
                answered = ?1, findings = ?1 WHERE conversation = ?2 AND message = ?3
                """)
        try statement.bind([UInt8]())
        try statement.bind(message.conversation.value)
        try statement.bind(message.id.text)
        try statement.run()
    }

    /// Empties the copies that show messages which were erased together, and what may repeat any of the conversation.
    func emptyCopies(
        of messages: [StoredMessage], in row: ConversationRow, olderThan limit: Timestamp?
    ) throws(StoreError) {
        try emptyAnswers(with: messages, of: row.conversation.id, olderThan: limit)
        // An exchange that names no message may have carried any; one of a message that was refused may have
        // brought what came again under another id.
        let exchanges = try sql.statement(
            literal: """
                UPDATE exchanges SET asked_fields = NULL, asked = ?1, answered_fields = NULL, \
                answered = ?1, findings = ?1 WHERE conversation = ?2 AND time < ?3 \
                AND (message IS NULL OR NOT EXISTS (SELECT 1 FROM messages m \
                WHERE m.id = exchanges.message AND m.conversation = ?4))
                """)
        try exchanges.bind([UInt8]())
        try exchanges.bind(row.conversation.id.value)
        try exchanges.bind(limit?.milliseconds ?? .max)
        try exchanges.bind(row.number)
        try exchanges.run()
        try emptyEndpointAnswers(toThreadOf: row.number, before: limit)
    }

    /// An idempotency key still leads to the message; the digest of the first request goes, and so does
    /// an answer that was remembered as it was given and names the message: of a batch, or of a change
    /// of the conversation while the message was its last.
    ///
    /// Another answer that has the conversation goes where it shows metadata, and so does what a change of control or
    /// a suggestion in it was answered: they may repeat the message and go with it.
    func emptyAnswers(
        with message: StoredMessage, olderThan limit: Timestamp?
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                SELECT scope, answered_at FROM answers WHERE conversation = ? AND message = ? \
                OR instr(answer, ?) > 0 OR answered_at < ? \
                AND (instr(answer, ?) > 0 AND instr(answer, ?) > 0 \
                OR answer IS NOT NULL AND (lower(scope) LIKE ? OR lower(scope) LIKE ?))
                """)
        try statement.bind(message.conversation.value)
        try statement.bind(message.id.text)
        try statement.bind(message.quotedID)
        try statement.bind(limit?.milliseconds ?? .max)
        try statement.bind(Array("\"\(message.conversation.text)\"".utf8))
        try statement.bind(Array(#""metadata":{""#.utf8))
        // A scope has the path of its request, in which the client may write the id as it likes.
        for route in ["control", "suggestions"] {
            try statement.bind("%/api/conversations/\(message.conversation.text)/\(route)%")
        }
        for (scope, time) in try statement.all({ ($0.text(), $0.time()) }) {
            let old = try sql.statement(literal: "DELETE FROM answers WHERE scope = ?")
            try old.bind(scope)
            try old.run()
            try Answers.add(
                RememberedAnswer(
                    scope: scope, body: message.digest,
                    content: .message(message.conversation, message.id), time: time),
                on: sql)
        }
    }
}

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
        let statement = try sql.statement(
            literal: """
                SELECT conversation, sequence, previous, digest, checksum, attachments \
                FROM messages WHERE position = ?
                """)
        var links: [KnownChain.Link] = []
        var position = one.end
        var sequence = one.conversation.newest.value
        while sequence > 0 {
            try statement.bind(position)
            let found = try statement.first {
                row throws(StoreError) -> (previous: Int64, link: KnownChain.Link)? in
                guard row.integer() == one.number, row.integer() == sequence else { return nil }
                let previous = row.integer()
                return (
                    previous,
                    KnownChain.Link(
                        position: Position(position), digest: try row.digest(),
                        checksum: UInt32(truncatingIfNeeded: row.integer()),
                        attachments: row.textIfAny().flatMap { RowFields.readAttachments($0) } ?? []
                    )
                )
            }
            guard let found, let (previous, link) = found, previous < position else {
                throw StoreError(.damaged, "the messages of \(one.conversation.id)")
            }
            links.append(link)
            position = previous
            sequence -= 1
        }
        return KnownChain(links: links.reversed())
    }

    // MARK: What it writes

    /// Overwrites a message's row, and empties every copy of its content that the store has.
    func write(
        _ tombstone: StoredMessage, ofConversation number: Int64
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
        try emptyAnswers(with: tombstone)
        try Suggestions.removeAll(in: tombstone.conversation, on: sql)
        try Controls.emptyMetadata(of: tombstone.conversation, on: sql)
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
        hasErased = true
    }

    /// An exchange that names no message may have carried any of its conversation.
    private func emptyExchanges(about message: StoredMessage) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE exchanges SET asked_fields = NULL, asked = ?1, answered_fields = NULL, \
                answered = ?1, findings = ?1 WHERE conversation = ?2 \
                AND (message = ?3 OR message IS NULL)
                """)
        try statement.bind([UInt8]())
        try statement.bind(message.conversation.value)
        try statement.bind(message.id.text)
        try statement.run()
    }

    /// An idempotency key still leads to the message; the digest of the first request goes, and so does
    /// an answer that was remembered as it was given and names the message: of a batch, or of a change
    /// of the conversation while the message was its last.
    ///
    /// Another answer that has the conversation goes where it shows metadata, and so does what a change of control or
    /// a suggestion in it was answered: they may repeat the message and go with it.
    private func emptyAnswers(with message: StoredMessage) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                SELECT scope, answered_at FROM answers WHERE conversation = ? AND message = ? \
                OR instr(answer, ?) > 0 OR instr(answer, ?) > 0 AND instr(answer, ?) > 0 \
                OR answer IS NOT NULL AND (lower(scope) LIKE ? OR lower(scope) LIKE ?)
                """)
        try statement.bind(message.conversation.value)
        try statement.bind(message.id.text)
        try statement.bind(message.quotedID)
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

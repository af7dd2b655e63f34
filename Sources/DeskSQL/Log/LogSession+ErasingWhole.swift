import DeskCrypto
import DeskModel
import DeskStore

extension LogSession {
    /// Empties what lies beside the messages and notes of a conversation, and every copy that names it.
    func emptyConversation(_ row: ConversationRow) throws(StoreError) {
        let id = row.conversation.id
        let drafts = try sql.statement(literal: "DELETE FROM drafts WHERE conversation = ?")
        try drafts.bind(id.value)
        try drafts.run()
        try Suggestions.removeAll(in: id, on: sql)
        try PushSubscriptions.removeAll(in: id, on: sql)
        try Controls.emptyMetadata(of: id, on: sql)
        let exchanges = try sql.statement(
            literal: """
                UPDATE exchanges SET asked_fields = NULL, asked = ?1, answered_fields = NULL, \
                answered = ?1, findings = ?1 WHERE conversation = ?2
                """)
        try exchanges.bind([UInt8]())
        try exchanges.bind(id.value)
        try exchanges.run()
        let details = try sql.statement(
            literal: """
                UPDATE deliveries SET detail = NULL WHERE conversation = ? \
                AND detail IS NOT NULL AND outbox IN (SELECT id FROM outboxes)
                """)
        try details.bind(id.value)
        try details.run()
        try emptyEndpointAnswers(of: row)
        try emptyAnswers(showing: id)
        try emptyEvents(of: row.number)
    }

    /// Forgets the answers that were remembered as they were given and name the conversation, in their path or body; a
    /// repeat of their requests is answered as one of an erased message is.
    private func emptyAnswers(showing conversation: ConversationID) throws(StoreError) {
        for (scope, time, _) in try answers(naming: conversation) {
            // An id of no message: that the content is erased is all that a repeat is answered.
            guard let none = MessageID(conversation.text) else { continue }
            try replace(scope, by: .message(conversation, none), RandomBytes.make(32), at: time)
        }
    }

    /// Empties the remembered answers that show messages which were erased together.
    ///
    /// Answers are looked through once, for all of the messages.
    func emptyAnswers(
        with messages: [StoredMessage], of conversation: ConversationID,
        olderThan limit: Timestamp?
    ) throws(StoreError) {
        if let only = messages.first, messages.count == 1 {
            return try emptyAnswers(with: only, olderThan: limit)
        }
        let keyed = try sql.statement(
            literal: "SELECT scope, message, answered_at FROM answers WHERE conversation = ?")
        try keyed.bind(conversation.value)
        let known = try keyed.all { ($0.text(), $0.text(), $0.time()) }
        let byID = Dictionary(messages.map { ($0.id, $0) }) { first, _ in first }
        for (scope, id, time) in known {
            guard let message = MessageID(id).flatMap({ byID[$0] }) else { continue }
            try replace(
                scope, by: .message(conversation, message.id), Array(message.digest.text.utf8),
                at: time)
        }
        let path = "/api/conversations/\(conversation.text)/"
        for (scope, time, body) in try answers(naming: conversation) {
            let isOfRoute = ["control", "suggestions"].contains {
                scope.lowercased().contains(path + $0)
            }
            let hasMetadata = body.contains(Array(#""metadata":{""#.utf8))
            let shown = messages.first { body.contains($0.quotedID) }
            let mayRepeat = (isOfRoute || hasMetadata) && limit.map { time < $0 } ?? true
            guard let message = shown ?? (mayRepeat ? messages.first : nil) else { continue }
            try replace(
                scope, by: .message(conversation, message.id), Array(message.digest.text.utf8),
                at: time)
        }
    }

    /// The answers that were remembered as they were given and name a conversation, in their path or body.
    private func answers(
        naming conversation: ConversationID
    ) throws(StoreError) -> [(scope: String, time: Timestamp, body: [UInt8])] {
        let statement = try sql.statement(
            literal: """
                SELECT scope, answered_at, answer FROM answers WHERE answer IS NOT NULL \
                AND (instr(answer, ?) > 0 OR lower(scope) LIKE ?)
                """)
        try statement.bind(Array(conversation.text.utf8))
        // A scope has the path of its request, in which the client may write the id as it likes. A contact has the
        // id of the conversation that it was made with.
        try statement.bind("%/\(conversation.text)%")
        return try statement.all { ($0.text(), $0.time(), $0.bytes()) }
    }

    private func replace(
        _ scope: String, by content: RememberedAnswer.Content, _ bytes: [UInt8],
        at time: Timestamp
    ) throws(StoreError) {
        let old = try sql.statement(literal: "DELETE FROM answers WHERE scope = ?")
        try old.bind(scope)
        try old.run()
        try Answers.add(
            RememberedAnswer(scope: scope, body: .sha256(bytes), content: content, time: time),
            on: sql)
    }

    // MARK: Events

    /// Empties the values of attributes in a conversation's events, and why a receiver refused messages, which may quote them.
    private func emptyEvents(of conversation: Int64) throws(StoreError) {
        // A type that the index of threads leaves out is named, so that it serves.
        let statement = try sql.statement(
            literal: """
                SELECT position FROM events WHERE conversation = ? AND type != 'message.accepted' \
                AND type IN ('conversation.attributes_changed', 'message.refused_upstream')
                """)
        try statement.bind(conversation)
        for position in try statement.all({ $0.integer() }) {
            try overwriteEvent(at: position) { row, data in
                switch row.type {
                case .conversationAttributesChanged: Self.emptiedAttributes(data)
                case .messageRefusedUpstream: RefusalText.emptied(data)
                default: nil
                }
            }
        }
    }

    private static func emptiedAttributes(_ data: [UInt8]) -> [UInt8]? {
        guard let step = RowFields.readStep(String(decoding: data, as: UTF8.self)),
            case .attributes(let steps)? = step.change
        else { return nil }
        let emptied = steps.map { AttributeStep(key: $0.key, from: nil, to: nil) }
        return Array(
            RowFields.write(
                ConversationStep(
                    author: step.author, state: step.state, assignee: step.assignee,
                    snoozedUntil: step.snoozedUntil, change: .attributes(emptied),
                    isImported: step.isImported)
            ).utf8)
    }

    /// Empties what events of contacts of a business say of a person.
    func emptyContactEvents(
        at positions: [Position], of business: Int64
    ) throws(StoreError) {
        // What an endpoint answered may repeat what was posted to it.
        let answers = try sql.statement(
            literal: """
                UPDATE deliveries SET answer = NULL WHERE answer IS NOT NULL AND position = ? \
                AND outbox IN (SELECT id FROM webhooks)
                """)
        for position in positions {
            try answers.bind(position.value)
            try answers.run()
            try overwriteEvent(at: position.value) { row, data in
                switch row.type {
                case .contactSaved, .contactMerged, .contactUnmerged, .contactLinksChanged:
                    row.business == business ? ContactText.emptied(data) : nil
                default: nil
                }
            }
        }
    }

    /// A row of an event, without its data.
    private struct EventRow {
        let type: EventType
        let time: Timestamp
        let business: Int64
        let conversation, subject: Int64?
        let revision: Revision?
    }

    /// Overwrites the data of an event; one that is damaged, or for which there is nothing else, stays as it is.
    private func overwriteEvent(
        at position: Int64, _ empty: (EventRow, [UInt8]) -> [UInt8]?
    ) throws(StoreError) {
        let statement = try sql.statement(
            "SELECT \(EventColumns.covered), e.seal FROM events e WHERE e.position = ?")
        try statement.bind(position)
        let found = try statement.first { row throws(StoreError) -> (EventRow, [UInt8])? in
            guard row.isVerified(.events) else { return nil }
            row.skip(1)
            guard let type = row.textIfAny().flatMap({ EventType(rawValue: $0) }) else {
                return nil
            }
            let (time, business) = (row.time(), row.integer())
            let (conversation, subject) = (row.integerIfAny(), row.integerIfAny())
            let data = row.bytes()
            return (
                EventRow(
                    type: type, time: time, business: business, conversation: conversation,
                    subject: subject, revision: EventColumns.revision(row)), data
            )
        }
        guard let found, let (row, data) = found, let emptied = empty(row, data),
            emptied != data
        else { return }
        let old = try sql.statement(literal: "DELETE FROM events WHERE position = ?")
        try old.bind(position)
        try old.run()
        try insertEvent(
            row.type, at: position, time: row.time, business: row.business,
            conversation: row.conversation, subject: row.subject, revision: row.revision,
            body: .json(emptied))
    }
}

public import DeskModel
public import DeskStore

/// Whether the message of a delivery was erased, or its note emptied.
private let isErased = """
    (\(Outboxes.isErased) OR EXISTS (SELECT 1 FROM events e JOIN notes n ON n.number = e.subject \
    WHERE e.position = deliveries.position AND e.type IN ('note.added', 'note.edited') \
    AND n.deleted_at IS NOT NULL))
    """

/// Whether the person of a delivery's conversation was erased, or something in it since a moment: each event has the
/// conversation's last message and its person.
private let isErasedBeside = """
    EXISTS (SELECT 1 FROM events e JOIN conversations c ON c.number = e.conversation \
    WHERE e.position = deliveries.position AND (c.customer_name = '' OR EXISTS (SELECT 1 \
    FROM events l WHERE l.conversation = e.conversation AND l.position > e.position \
    AND l.type != 'message.accepted' AND l.type IN ('message.erased', 'note.deleted') \
    AND l.time >= ?)))
    """

/// By how much the clocks of two nodes may differ.
private let clockSlack = Duration.seconds(60)

extension SQLRegistries {
    /// What is attempted next, of each of some outboxes.
    public func nextDeliveries(
        of outboxes: [OutboxID: Int]
    ) async throws(StoreError) -> [OutboxID: [Delivery]] {
        try await readRegistry { sql throws(StoreError) in
            var found: [OutboxID: [Delivery]] = [:]
            for (outbox, limit) in outboxes {
                found[outbox] = try Outboxes.next(of: outbox, limit: limit, on: sql)
            }
            return found
        }
    }

    /// Stores the results of attempts, and how their endpoints fare since.
    public func settle(
        _ deliveries: [Delivery], _ health: [WebhookID: WebhookHealth], under lease: Lease
    ) async throws(StoreError) {
        try await change(.links(.settleWebhooks), author: .server) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            // What answers an event of which something was erased, during the attempt at the latest, is not kept. Most
            // endpoints answer nothing, and nothing is looked up for them.
            let silent = try sql.statement(Self.settling(answer: "NULL"))
            let answered = try sql.statement(
                Self.settling(
                    answer: "CASE WHEN \(isErased) OR \(isErasedBeside) THEN answer ELSE ? END"))
            for delivery in deliveries {
                let answer = delivery.last?.answer
                let statement = answer == nil ? silent : answered
                try statement.bind(delivery.state.rawValue)
                try statement.bind(Int64(delivery.attempts))
                try statement.bind(delivery.due)
                try statement.bind(delivery.last?.time)
                try statement.bind((delivery.last?.status).map { Int64($0) })
                try statement.bind(delivery.last?.detail)
                try statement.bind((delivery.last?.milliseconds).map { Int64($0) })
                if let answer {
                    try statement.bind(delivery.last?.time.advanced(by: .zero - clockSlack))
                    try statement.bind(answer)
                }
                try statement.bind(delivery.outbox.value)
                try statement.bind(delivery.position.value)
                try statement.bind(Int64(delivery.attempts))
                guard try statement.runCounting() == 1, delivery.state != .pending,
                    let conversation = delivery.conversation
                else { continue }
                try Outboxes.choose(conversation, of: delivery.outbox, on: sql)
            }
            let mark = try sql.statement(
                literal: "UPDATE webhooks SET failing_since = ? WHERE id = ?")
            for (id, health) in health {
                switch health {
                case .recovered: mark.bindNull()
                case .failing(let since): try mark.bind(since)
                }
                try mark.bind(id.value)
                try mark.run()
            }
        }
    }

    /// The statement that stores an attempt's result.
    private static func settling(answer: String) -> String {
        """
        UPDATE deliveries SET state = ?, attempts = ?, due_at = ?, tried_at = ?, \
        status = ?, detail = ?, milliseconds = ?, answer = \(answer) \
        WHERE outbox = ? AND position = ? AND state = 'pending' AND attempts < ?
        """
    }

    /// Has events delivered again, and now those that were not noted.
    public func replay(
        _ deliveries: [Delivery], of outbox: OutboxID, author: Author
    ) async throws(StoreError) -> Int {
        try await change(as: { count in
            count > 0 ? (.links(.requeue(of: outbox, count: count)), author) : nil
        }) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    INSERT INTO deliveries
                        (outbox, position, conversation, state, attempts, due_at, is_first)
                    SELECT ?1, ?2, ?3, 'pending', 0, ?4, ?5 FROM webhooks WHERE id = ?1
                    ON CONFLICT (outbox, position) DO UPDATE SET state = 'pending', attempts = 0, \
                    due_at = excluded.due_at, conversation = excluded.conversation, \
                    is_first = excluded.is_first WHERE deliveries.state != 'pending'
                    """)
            var count = 0
            var conversations: Set<ConversationID> = []
            for delivery in deliveries {
                try statement.bind(outbox.value)
                try statement.bind(delivery.position.value)
                try statement.bind(delivery.conversation?.value)
                try statement.bind(delivery.due)
                try statement.bind(delivery.conversation == nil)
                guard try statement.runCounting() == 1 else { continue }
                count += 1
                if let conversation = delivery.conversation { conversations.insert(conversation) }
            }
            for conversation in conversations {
                try Outboxes.unchoose(conversation, of: outbox, on: sql)
                try Outboxes.choose(conversation, of: outbox, on: sql)
            }
            return count
        }
    }
}

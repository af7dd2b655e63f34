public import DeskModel
public import DeskStore

/// The rows of outboxes and their deliveries.
package enum Outboxes {
    /// Whether the message of a delivery was erased.
    static let isErased = """
        EXISTS (SELECT 1 FROM messages m WHERE m.position = deliveries.position \
        AND m.erased_at IS NOT NULL)
        """

    /// Begins an outbox; a known one keeps its place, and the answer is false.
    @discardableResult
    package static func open(
        _ outbox: OutboxID, after position: Position, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                INSERT INTO outboxes (id, cursor) VALUES (?, ?) ON CONFLICT (id) DO NOTHING
                """)
        try statement.bind(outbox.value)
        try statement.bind(position.value)
        return try statement.runCounting() == 1
    }

    static let columns = """
        SELECT position, conversation, state, attempts, due_at, tried_at, status, detail, claim, \
        milliseconds, answer FROM deliveries
        """

    static func read(
        _ row: any SQLStatement, of outbox: OutboxID
    ) throws(StoreError) -> Delivery {
        let position = Position(max(0, row.integer()))
        let conversation = row.idIfAny().map { ConversationID($0) }
        let state = try row.require(Delivery.State(rawValue: row.text()), "a delivery's state")
        // No delivery is attempted so often: what a damaged row says is counted on.
        let attempts = Int(min(max(0, row.integer()), 1_000_000))
        let due = row.time()
        let tried = row.timeIfAny()
        let status = row.integerIfAny().map { Int($0) }
        let detail = row.text()
        let claim = row.integerIfAny()
        let milliseconds = row.integerIfAny().map { Int($0) }
        let answer = row.bytesIfAny()
        return Delivery(
            outbox: outbox, position: position, conversation: conversation, state: state,
            attempts: attempts, due: due,
            last: tried.map {
                DeliveryAttempt(
                    time: $0, status: status, detail: detail, milliseconds: milliseconds,
                    answer: answer)
            },
            claim: claim)
    }

    static func cursor(
        of outbox: OutboxID, on sql: any SQLSession
    ) throws(StoreError) -> Position? {
        let statement = try sql.statement(
            literal: "SELECT cursor FROM outboxes WHERE id = ?")
        try statement.bind(outbox.value)
        return try statement.first { Position(max(0, $0.integer())) }
    }

    /// What is tried next: of each conversation its earliest pending delivery, at most 300.
    static func next(
        of outbox: OutboxID, limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> [Delivery] {
        let statement = try sql.statement(
            """
            \(columns) WHERE outbox = ? AND is_first AND state = 'pending' \
            ORDER BY due_at, position LIMIT ?
            """)
        try statement.bind(outbox.value)
        try statement.bind(Int64(min(limit, 300)))
        return try statement.all { row throws(StoreError) in try read(row, of: outbox) }
    }

    static func insert(_ delivery: Delivery, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO deliveries
                    (outbox, position, conversation, state, attempts, due_at, is_first)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, NOT EXISTS (
                    SELECT 1 FROM deliveries
                    WHERE outbox = ?1 AND conversation = ?3 AND state = 'pending'))
                """)
        try statement.bind(delivery.outbox.value)
        try statement.bind(delivery.position.value)
        try statement.bind(delivery.conversation?.value)
        try statement.bind(delivery.state.rawValue)
        try statement.bind(Int64(delivery.attempts))
        try statement.bind(delivery.due)
        try statement.run()
    }

    /// Lets a conversation's earliest pending delivery be tried; no other of it may be marked then.
    static func choose(
        _ conversation: ConversationID, of outbox: OutboxID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET is_first = TRUE WHERE outbox = ?1 AND position = (
                    SELECT min(position) FROM deliveries
                    WHERE outbox = ?1 AND conversation = ?2 AND state = 'pending')
                """)
        try statement.bind(outbox.value)
        try statement.bind(conversation.value)
        try statement.run()
    }

    /// Clears the mark "try next" of a conversation's deliveries.
    static func unchoose(
        _ conversation: ConversationID, of outbox: OutboxID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE deliveries SET is_first = FALSE
                WHERE outbox = ? AND conversation = ? AND state = 'pending' AND is_first
                """)
        try statement.bind(outbox.value)
        try statement.bind(conversation.value)
        try statement.run()
    }

    /// Deletes an outbox and its deliveries; returns how many rows there were.
    static func close(_ outbox: OutboxID, on sql: any SQLSession) throws(StoreError) -> Int {
        var count = 0
        for text in [
            "DELETE FROM deliveries WHERE outbox = ?", "DELETE FROM outboxes WHERE id = ?",
        ] {
            let statement = try sql.statement(text)
            try statement.bind(outbox.value)
            count += try statement.runCounting()
        }
        return count
    }

    /// The first position whose event an outbox or another reader may still need.
    static func firstNeeded(on sql: any SQLSession) throws(StoreError) -> Position? {
        let statement = try sql.statement(
            literal: """
                SELECT min(needed) FROM (
                    SELECT cursor + 1 AS needed FROM outboxes
                    UNION ALL SELECT min(position) FROM deliveries WHERE state = 'pending'
                    UNION ALL SELECT min(position) FROM deliveries WHERE state = 'dead'
                    UNION ALL SELECT position + 1 FROM readers) AS each_reader
                """)
        return try statement.first { $0.integerIfAny().map { Position(max(0, $0)) } } ?? nil
    }
}

extension SQLRegistries {
    /// Begins an outbox whose events come after a position, or with nil after the newest event as of
    /// this commit; one that is known stays as it is.
    public func openOutbox(
        _ outbox: OutboxID, after position: Position?, author: Author
    ) async throws(StoreError) {
        _ = try await change(.links(.openOutbox(outbox)), author: author, where: { $0 }) {
            sql throws(StoreError) in
            let begin =
                if let position { position } else { try newestPosition(on: sql) }
            return try Outboxes.open(outbox, after: begin, on: sql)
        }
    }

    /// How far an outbox has looked through the log.
    public func findCursor(of outbox: OutboxID) async throws(StoreError) -> Position? {
        try await readRegistry { sql throws(StoreError) in
            try Outboxes.cursor(of: outbox, on: sql)
        }
    }

    /// Forgets an outbox and its deliveries.
    public func closeOutbox(_ outbox: OutboxID, author: Author) async throws(StoreError) {
        _ = try await change(.links(.closeOutbox(outbox)), author: author, where: { $0 > 0 }) {
            sql throws(StoreError) in try Outboxes.close(outbox, on: sql)
        }
    }

    /// Notes new deliveries and moves their outbox's cursor.
    public func enqueue(
        _ deliveries: [Delivery], of outbox: OutboxID, upTo end: Position, under lease: Lease
    ) async throws(StoreError) {
        try await change(.links(.enqueue(of: outbox)), author: .server) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            guard let cursor = try Outboxes.cursor(of: outbox, on: sql) else { return }
            for delivery in deliveries where delivery.position > cursor {
                try Outboxes.insert(delivery, on: sql)
            }
            let statement = try sql.statement(
                literal: "UPDATE outboxes SET cursor = ?1 WHERE id = ?2 AND cursor < ?1")
            try statement.bind(end.value)
            try statement.bind(outbox.value)
            try statement.run()
        }
    }

    /// What is tried next.
    public func nextDeliveries(
        of outbox: OutboxID, limit: Int
    ) async throws(StoreError) -> [Delivery] {
        try await readRegistry { sql throws(StoreError) in
            try Outboxes.next(of: outbox, limit: limit, on: sql)
        }
    }

    /// Claims deliveries before they are sent.
    public func claim(
        _ positions: [Position], of outbox: OutboxID, under lease: Lease
    ) async throws(StoreError) -> Set<Position> {
        try await change(
            .links(.claim(of: outbox)), author: .server, where: { !$0.isEmpty }
        ) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            let statement = try sql.statement(
                literal: """
                    UPDATE deliveries SET claim = ?1 WHERE outbox = ?2 AND position = ?3 \
                    AND state = 'pending' AND is_first AND (claim IS NULL OR claim < ?1)
                    """)
            var claimed: Set<Position> = []
            for position in positions {
                try statement.bind(lease.term)
                try statement.bind(outbox.value)
                try statement.bind(position.value)
                if try statement.runCounting() == 1 { claimed.insert(position) }
            }
            return claimed
        }
    }

    /// Stores the result of an attempt and ends its claim; what a channel said of the message stays.
    public func settle(
        _ delivery: Delivery, under lease: Lease
    ) async throws(StoreError) -> Delivery.State? {
        try await change(
            .links(.settleDelivery(of: delivery.outbox, at: delivery.position)), author: .server,
            where: { $0 != nil }
        ) { sql throws(StoreError) in
            try requireCurrent(lease, on: sql)
            // Where a receipt came while the attempt ran, the due time stays too: it has passed. What a receiver answers to
            // a message that was erased, during the attempt at the latest, is not kept; without a status the words are ours.
            let statement = try sql.statement(
                """
                UPDATE deliveries SET \
                state = CASE WHEN ?1 <> 'delivered' \
                    AND detail IN ('accepted', 'sent', 'delivered', 'read') \
                    THEN 'pending' ELSE ?1 END, \
                attempts = ?2, \
                due_at = CASE WHEN ?1 <> 'delivered' \
                    AND detail IN ('accepted', 'sent', 'delivered', 'read') \
                    THEN due_at ELSE ?3 END, \
                tried_at = ?4, status = ?5, \
                detail = CASE WHEN detail IN ('accepted', 'sent', 'delivered', 'read') \
                    THEN detail WHEN \(Outboxes.isErased) THEN ?10 ELSE ?6 END, \
                claim = NULL WHERE outbox = ?7 AND position = ?8 AND claim = ?9 \
                RETURNING state
                """)
            try statement.bind(delivery.state.rawValue)
            try statement.bind(Int64(delivery.attempts))
            try statement.bind(delivery.due)
            try statement.bind(delivery.last?.time)
            try statement.bind((delivery.last?.status).map { Int64($0) })
            try statement.bind(delivery.last?.detail)
            try statement.bind(delivery.outbox.value)
            try statement.bind(delivery.position.value)
            try statement.bind(lease.term)
            let isAnswer = delivery.state != .delivered && delivery.last?.status != nil
            try statement.bind(isAnswer ? nil : delivery.last?.detail)
            let stored = try statement.all { row throws(StoreError) in
                try row.require(Delivery.State(rawValue: row.text()), "a delivery's state")
            }.first
            if let stored, stored != .pending, let conversation = delivery.conversation {
                try Outboxes.choose(conversation, of: delivery.outbox, on: sql)
            }
            return stored
        }
    }

    /// The first position whose event an outbox may still need.
    public func firstNeeded() async throws(StoreError) -> Position? {
        try await readRegistry { sql throws(StoreError) in
            try Outboxes.firstNeeded(on: sql)
        }
    }
}

public import DeskModel
public import DeskStore

extension Outboxes {
    /// A page of an outbox's deliveries in a state: the outbox, the position that it lies beside, a limit.
    ///
    /// Few wait of all that were delivered, and an index has them alone: their positions are compared where no
    /// index is found by them.
    package static func page(in state: Delivery.State, _ edge: PageEdge<Position>) -> String {
        let (beyond, order) = edge.isBackward ? ("<", "DESC") : (">", "ASC")
        let position = state == .pending ? "+position" : "position"
        return """
            \(columns) WHERE outbox = ? AND state = '\(state.rawValue)' \
            AND \(position) \(beyond) ? ORDER BY \(position) \(order) LIMIT ?
            """
    }

    /// How many deliveries an outbox has, how many of them wait and how many are dead; each from an index alone.
    package static let counts = """
        SELECT count(*), \
        (SELECT count(*) FROM deliveries WHERE outbox = ?1 AND state = 'pending'), \
        (SELECT count(*) FROM deliveries WHERE outbox = ?1 AND state = 'dead') \
        FROM deliveries WHERE outbox = ?1
        """

    /// How many deliveries of an outbox wait, of which it reads so many at most; from an index alone.
    package static let pendingCount = """
        SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE outbox = ? AND state = 'pending' \
        LIMIT ?) AS waiting
        """
}

extension SQLRegistries {
    /// Lists an outbox's deliveries in a state beside a position.
    public func deliveries(
        of outbox: OutboxID, in state: Delivery.State, at edge: PageEdge<Position>, limit: Int
    ) async throws(StoreError) -> [Delivery] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(Outboxes.page(in: state, edge))
            try statement.bind(outbox.value)
            try statement.bind((edge.place ?? .start).value)
            try statement.bind(Int64(min(limit, 300)))
            let found = try statement.all { row throws(StoreError) in
                try Outboxes.read(row, of: outbox)
            }
            return edge.isBackward ? found.reversed() : found
        }
    }

    /// Finds an outbox's deliveries of stated events.
    public func deliveries(
        of outbox: OutboxID, at positions: [Position]
    ) async throws(StoreError) -> [Delivery] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                "\(Outboxes.columns) WHERE outbox = ? AND position = ?")
            var found: [Delivery] = []
            for position in positions {
                try statement.bind(outbox.value)
                try statement.bind(position.value)
                found += try statement.all { row throws(StoreError) in
                    try Outboxes.read(row, of: outbox)
                }
            }
            return found
        }
    }

    /// How many deliveries an outbox has in each state.
    public func countDeliveries(
        of outbox: OutboxID
    ) async throws(StoreError) -> [Delivery.State: Int] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(Outboxes.counts)
            try statement.bind(outbox.value)
            let found = try statement.first {
                (Int($0.integer()), Int($0.integer()), Int($0.integer()))
            }
            let (all, pending, dead) = found ?? (0, 0, 0)
            return [.delivered: all - pending - dead, .pending: pending, .dead: dead]
                .filter { $0.value > 0 }
        }
    }

    /// How many deliveries of each of some outboxes are pending, counted up to a number.
    public func countPending(
        of outboxes: [OutboxID], upTo most: Int
    ) async throws(StoreError) -> [OutboxID: Int] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(Outboxes.pendingCount)
            var counts: [OutboxID: Int] = [:]
            for outbox in outboxes {
                try statement.bind(outbox.value)
                try statement.bind(Int64(most))
                counts[outbox] = try statement.first { Int($0.integer()) } ?? 0
            }
            return counts
        }
    }

    /// Lets dead deliveries be tried again from the first attempt on.
    public func requeue(
        _ range: ClosedRange<Position>, of outbox: OutboxID, due: Timestamp, author: Author
    ) async throws(StoreError) -> Int {
        try await change(as: { count in
            count > 0 ? (.links(.requeue(of: outbox, count: count)), author) : nil
        }) { sql throws(StoreError) in
            let dead = try sql.statement(
                literal: """
                    SELECT DISTINCT conversation FROM deliveries WHERE outbox = ? \
                    AND state = 'dead' AND position BETWEEN ? AND ? AND conversation IS NOT NULL
                    """)
            try dead.bind(outbox.value)
            try dead.bind(range.lowerBound.value)
            try dead.bind(range.upperBound.value)
            let conversations = try dead.all { $0.idIfAny().map { ConversationID($0) } }
            let statement = try sql.statement(
                literal: """
                    UPDATE deliveries SET state = 'pending', attempts = 0, due_at = ?, \
                    is_first = (conversation IS NULL) WHERE outbox = ? AND state = 'dead' \
                    AND position BETWEEN ? AND ?
                    """)
            try statement.bind(due)
            try statement.bind(outbox.value)
            try statement.bind(range.lowerBound.value)
            try statement.bind(range.upperBound.value)
            let count = try statement.runCounting()
            for conversation in conversations.compactMap(\.self) {
                try Outboxes.unchoose(conversation, of: outbox, on: sql)
                try Outboxes.choose(conversation, of: outbox, on: sql)
            }
            return count
        }
    }

    /// Brings forward what is due later than a moment, of those with as many attempts.
    public func reschedule(
        attempts: Int, of outbox: OutboxID, to time: Timestamp, author: Author
    ) async throws(StoreError) {
        _ = try await change(
            .links(.reschedule(of: outbox)), author: author, where: { $0 > 0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    UPDATE deliveries SET due_at = ?1 WHERE outbox = ?2 AND state = 'pending' \
                    AND attempts = ?3 AND due_at > ?1
                    """)
            try statement.bind(time)
            try statement.bind(outbox.value)
            try statement.bind(Int64(attempts))
            return try statement.runCounting()
        }
    }

    /// Calls `listener` when deliveries were requeued or brought forward by this process.
    public func followRetries(_ listener: @escaping @Sendable (OutboxID, Int) -> Void) {
        followRegistries { entries in
            for case .links(let change) in entries.lazy.map(\.change) {
                if case .requeue(let outbox, let count) = change { listener(outbox, count) }
                if case .reschedule(let outbox) = change { listener(outbox, 0) }
            }
        }
    }

    /// Forgets delivered and dead deliveries whose last attempt ended before two moments.
    public func pruneDeliveries(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp
    ) async throws(StoreError) {
        try await change(.links(.pruneDeliveries), author: .server) { sql throws(StoreError) in
            for (state, time) in [(Delivery.State.delivered, delivered), (.dead, dead)] {
                let statement = try sql.statement(
                    literal: "DELETE FROM deliveries WHERE state = ? AND tried_at < ?")
                try statement.bind(state.rawValue)
                try statement.bind(time)
                try statement.run()
            }
            let waiting = try sql.statement(
                literal: """
                    DELETE FROM deliveries WHERE state = 'pending' AND outbox IN (
                        SELECT id FROM webhooks WHERE disabled_at < ?)
                    """)
            try waiting.bind(dead)
            try waiting.run()
        }
    }
}

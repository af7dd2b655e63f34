public import DeskModel

/// An outbox in memory.
struct MemoryOutbox {
    var cursor: Position
    var deliveries: [Position: Delivery] = [:]

    /// What may be tried: of each conversation the earliest pending delivery.
    var heads: [Delivery] {
        var held: Set<ConversationID> = []
        return deliveries.values.filter { $0.state == .pending }
            .sorted { $0.position < $1.position }
            .filter { delivery in
                guard let conversation = delivery.conversation else { return true }
                return held.insert(conversation).inserted
            }
    }

    /// The first position it may still need.
    var firstNeeded: Position {
        let kept = deliveries.values.filter { $0.state != .delivered }.map(\.position).min()
        let unread = Position(cursor.value + 1)
        return min(kept ?? unread, unread)
    }
}

extension MemoryStore: OutboxRegistry {
    /// Begins an outbox whose events come after a position; one that is known stays as it is.
    public func openOutbox(
        _ outbox: OutboxID, after position: Position
    ) async throws(StoreError) {
        try edit { state in
            if state.outboxes[outbox] == nil {
                state.outboxes[outbox] = MemoryOutbox(cursor: position)
            }
        }
    }

    /// How far an outbox has looked through the log.
    public func findCursor(of outbox: OutboxID) async throws(StoreError) -> Position? {
        try look { $0.outboxes[outbox]?.cursor }
    }

    /// Forgets an outbox and its deliveries.
    public func closeOutbox(_ outbox: OutboxID) async throws(StoreError) {
        try edit { $0.outboxes[outbox] = nil }
    }

    /// Notes new deliveries and moves their outbox's cursor.
    public func enqueue(
        _ deliveries: [Delivery], of outbox: OutboxID, upTo end: Position
    ) async throws(StoreError) {
        try edit { state in
            guard let cursor = state.outboxes[outbox]?.cursor else { return }
            for delivery in deliveries where delivery.position > cursor {
                state.outboxes[outbox]?.deliveries[delivery.position] = delivery
            }
            state.outboxes[outbox]?.cursor = max(cursor, end)
        }
    }

    /// What is tried next.
    public func nextDeliveries(
        of outbox: OutboxID, limit: Int
    ) async throws(StoreError) -> [Delivery] {
        try look { state in
            let heads = state.outboxes[outbox]?.heads ?? []
            let sorted = heads.sorted { ($0.due, $0.position) < ($1.due, $1.position) }
            return Array(sorted.prefix(min(limit, 300)))
        }
    }

    /// Keeps what an attempt came to.
    public func settle(_ delivery: Delivery) async throws(StoreError) {
        try edit { state in
            guard state.outboxes[delivery.outbox]?.deliveries[delivery.position] != nil
            else { return }
            state.outboxes[delivery.outbox]?.deliveries[delivery.position] = delivery
        }
    }

    /// Lists an outbox's deliveries in a state after a position.
    public func deliveries(
        of outbox: OutboxID, in state: Delivery.State, after position: Position, limit: Int
    ) async throws(StoreError) -> [Delivery] {
        try look { memory in
            let found = (memory.outboxes[outbox]?.deliveries.values).map(Array.init) ?? []
            let sorted = found.filter { $0.state == state && $0.position > position }
                .sorted { $0.position < $1.position }
            return Array(sorted.prefix(min(limit, 300)))
        }
    }

    /// Finds an outbox's deliveries of stated events.
    public func deliveries(
        of outbox: OutboxID, at positions: [Position]
    ) async throws(StoreError) -> [Delivery] {
        try look { state in
            positions.compactMap { state.outboxes[outbox]?.deliveries[$0] }
        }
    }

    /// How many deliveries an outbox has in each state.
    public func countDeliveries(
        of outbox: OutboxID
    ) async throws(StoreError) -> [Delivery.State: Int] {
        try look { state in
            var counts: [Delivery.State: Int] = [:]
            for delivery in (state.outboxes[outbox]?.deliveries ?? [:]).values {
                counts[delivery.state, default: 0] += 1
            }
            return counts
        }
    }

    /// Lets dead deliveries be tried again.
    public func revive(
        _ range: ClosedRange<Position>, of outbox: OutboxID, due: Timestamp
    ) async throws(StoreError) -> Int {
        try edit { state in
            var count = 0
            for (position, delivery) in state.outboxes[outbox]?.deliveries ?? [:]
            where delivery.state == .dead && range.contains(position) {
                var revived = delivery
                revived.state = .pending
                revived.attempts = 0
                revived.due = due
                state.outboxes[outbox]?.deliveries[position] = revived
                count += 1
            }
            return count
        }
    }

    /// Brings forward what is due later than a moment.
    public func hasten(
        attempts: Int, of outbox: OutboxID, to time: Timestamp
    ) async throws(StoreError) {
        try edit { state in
            for (position, delivery) in state.outboxes[outbox]?.deliveries ?? [:]
            where delivery.state == .pending && delivery.attempts == attempts
                && delivery.due > time
            {
                state.outboxes[outbox]?.deliveries[position]?.due = time
            }
        }
    }

    /// Forgets delivered and dead deliveries.
    public func pruneDeliveries(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp
    ) async throws(StoreError) {
        try edit { state in
            for (outbox, kept) in state.outboxes {
                state.outboxes[outbox]?.deliveries = kept.deliveries.filter { _, delivery in
                    guard let time = delivery.last?.time else { return true }
                    switch delivery.state {
                    case .pending: return true
                    case .delivered: return time >= delivered
                    case .dead: return time >= dead
                    }
                }
            }
        }
    }

    /// The first position whose event an outbox may still need.
    public func firstNeeded() async throws(StoreError) -> Position? {
        try look { $0.outboxes.values.map(\.firstNeeded).min() }
    }
}

import DeskModel
import DeskStore
import Testing

/// What every store promises of outboxes.
@Suite struct OutboxContract {
    private let target = OutboxID(uniqueID(0xF001))
    private let other = OutboxID(uniqueID(0xF002))

    private func delivery(_ position: Int64, in number: UInt64? = 1) -> Delivery {
        Delivery(
            outbox: target, position: Position(position),
            conversation: number.map { conversation($0) }, due: dawn)
    }

    private func places(_ store: any Registry) async throws -> [Int64] {
        try await store.nextDeliveries(of: target, limit: 300).map(\.position.value)
    }

    private func settle(
        _ store: any Registry, _ delivery: Delivery, as state: Delivery.State,
        due: Timestamp = dawn
    ) async throws {
        var tried = delivery
        tried.state = state
        tried.attempts += 1
        tried.due = due
        tried.last = DeliveryAttempt(time: dawn, status: 503, detail: "busy")
        try await store.settle(tried)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an outbox begins once, and what is noted up to its cursor is noted once`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.findCursor(of: target) == nil)
            try await store.openOutbox(target, after: Position(3))
            try await store.openOutbox(target, after: Position(9))
            #expect(try await store.findCursor(of: target) == Position(3))
            try await store.enqueue(
                [delivery(3), delivery(4), delivery(5, in: 2)], of: target, upTo: Position(7))
            try await store.enqueue([delivery(5, in: 2)], of: target, upTo: Position(6))
            #expect(try await store.findCursor(of: target) == Position(7))
            #expect(try await places(store) == [4, 5])
            #expect(try await store.nextDeliveries(of: other, limit: 9).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a conversation's next delivery waits until the one before is final`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.openOutbox(target, after: .start)
            try await store.enqueue(
                [delivery(1), delivery(2), delivery(3, in: 2), delivery(4, in: nil), delivery(5)],
                of: target, upTo: Position(5))
            #expect(try await places(store) == [1, 3, 4])
            try await settle(store, delivery(1), as: .pending, due: dawn.advanced(by: .seconds(5)))
            #expect(try await places(store) == [3, 4, 1])
            try await settle(store, delivery(1), as: .dead)
            #expect(try await places(store) == [2, 3, 4])
            try await settle(store, delivery(2), as: .delivered)
            #expect(try await places(store) == [3, 4, 5])
            #expect(
                try await store.countDeliveries(of: target) == [
                    .pending: 3, .delivered: 1, .dead: 1,
                ])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what an attempt came to is read back as it was kept`(_ kept: KeptRegistries) async throws
    {
        try await kept.with { store in
            try await store.openOutbox(target, after: .start)
            try await store.enqueue([delivery(1)], of: target, upTo: Position(1))
            var tried = delivery(1)
            tried.attempts = 3
            tried.due = dawn.advanced(by: .seconds(60))
            tried.last = DeliveryAttempt(time: dawn, status: nil, detail: "no answer")
            try await store.settle(tried)
            #expect(try await store.nextDeliveries(of: target, limit: 9) == [tried])
            try await store.reschedule(attempts: 2, of: target, to: dawn)
            #expect(try await store.nextDeliveries(of: target, limit: 9) == [tried])
            try await store.reschedule(attempts: 3, of: target, to: dawn)
            #expect(try await store.nextDeliveries(of: target, limit: 9).map(\.due) == [dawn])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a requeued delivery is tried before the later ones of its conversation`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.openOutbox(target, after: .start)
            try await store.enqueue(
                [delivery(1), delivery(2), delivery(3, in: nil)], of: target, upTo: Position(3))
            try await settle(store, delivery(1), as: .dead)
            try await settle(store, delivery(3, in: nil), as: .dead)
            #expect(try await places(store) == [2])
            let range = Position(1)...Position(3)
            #expect(try await store.requeue(range, of: target, due: dawn) == 2)
            #expect(try await places(store) == [1, 3])
            #expect(try await store.nextDeliveries(of: target, limit: 1).map(\.attempts) == [0])
            #expect(try await store.requeue(range, of: target, due: dawn) == 0)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `dead deliveries are listed by position, and forgotten at their time`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.openOutbox(target, after: .start)
            try await store.enqueue(
                (1...4).map { delivery($0, in: UInt64($0)) }, of: target, upTo: Position(4))
            for place in [1, 2, 4] as [Int64] {
                try await settle(
                    store, delivery(place, in: UInt64(place)), as: place == 2 ? .delivered : .dead)
            }
            let dead = try await store.deliveries(
                of: target, in: .dead, after: Position(1), limit: 9)
            #expect(dead.map(\.position.value) == [4])
            let found = try await store.deliveries(
                of: target, at: [Position(3), Position(9), Position(1)])
            #expect(found.map(\.position.value) == [3, 1])
            #expect(found.map(\.state) == [.pending, .dead])
            #expect(try await store.deliveries(of: other, at: [Position(3)]).isEmpty)
            let later = dawn.advanced(by: .seconds(1))
            try await store.pruneDeliveries(deliveredBefore: later, deadBefore: dawn)
            #expect(try await store.countDeliveries(of: target) == [.pending: 1, .dead: 2])
            try await store.pruneDeliveries(deliveredBefore: later, deadBefore: later)
            #expect(try await store.countDeliveries(of: target) == [.pending: 1])
            try await store.closeOutbox(target)
            #expect(try await store.countDeliveries(of: target).isEmpty)
            #expect(try await store.findCursor(of: target) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `events that an outbox still needs are not forgotten`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for id in ["a", "b", "c", "d"] {
                _ = try await store.accept(submission(id, to: conversation(1)))
            }
            #expect(try await store.firstNeeded() == nil)
            try await store.openOutbox(target, after: .start)
            try await store.enqueue([delivery(2), delivery(3)], of: target, upTo: Position(5))
            #expect(try await store.firstNeeded() == Position(2))
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(1))
            try await settle(store, delivery(2), as: .delivered)
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(2))
            try await store.closeOutbox(target)
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(4))
        }
    }
}

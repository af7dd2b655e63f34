import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Synchronization
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

    private func lease(_ store: any Registry, life: Duration = .seconds(3_600)) async throws
        -> Lease
    {
        try #require(try await store.acquireLease("outbox", life: life))
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
        try await store.attempt(tried)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an outbox begins once, and what is noted up to its cursor is noted once`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.findCursor(of: target) == nil)
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: Position(3), author: .server)
            try await store.openOutbox(target, after: Position(9), author: .server)
            #expect(try await store.findCursor(of: target) == Position(3))
            try await store.enqueue(
                [delivery(3), delivery(4), delivery(5, in: 2)], of: target, upTo: Position(7),
                under: lease)
            try await store.enqueue(
                [delivery(5, in: 2)], of: target, upTo: Position(6), under: lease)
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
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2), delivery(3, in: 2), delivery(4, in: nil), delivery(5)],
                of: target, upTo: Position(5), under: lease)
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
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue([delivery(1)], of: target, upTo: Position(1), under: lease)
            var tried = delivery(1)
            tried.attempts = 3
            tried.due = dawn.advanced(by: .seconds(60))
            tried.last = DeliveryAttempt(time: dawn, status: nil, detail: "no answer")
            try await store.attempt(tried)
            #expect(try await store.nextDeliveries(of: target, limit: 9) == [tried])
            try await store.reschedule(attempts: 2, of: target, to: dawn, author: .server)
            #expect(try await store.nextDeliveries(of: target, limit: 9) == [tried])
            try await store.reschedule(attempts: 3, of: target, to: dawn, author: .server)
            #expect(try await store.nextDeliveries(of: target, limit: 9).map(\.due) == [dawn])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a requeued delivery is tried before the later ones of its conversation`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2), delivery(3, in: nil)], of: target, upTo: Position(3),
                under: lease)
            try await settle(store, delivery(1), as: .dead)
            try await settle(store, delivery(3, in: nil), as: .dead)
            #expect(try await places(store) == [2])
            let range = Position(1)...Position(3)
            #expect(try await store.requeue(range, of: target, due: dawn, author: .server) == 2)
            #expect(try await places(store) == [1, 3])
            #expect(try await store.nextDeliveries(of: target, limit: 1).map(\.attempts) == [0])
            #expect(try await store.requeue(range, of: target, due: dawn, author: .server) == 0)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `who follows retries is woken by a requeue and by what is brought forward`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let woken = Mutex<[Int]>([])
            store.followRetries { outbox, requeued in
                #expect(outbox == target)
                woken.withLock { $0.append(requeued) }
            }
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2, in: 2)], of: target, upTo: Position(2), under: lease)
            try await settle(store, delivery(1), as: .dead)
            try await settle(
                store, delivery(2, in: 2), as: .pending, due: dawn.advanced(by: .seconds(5)))
            #expect(woken.withLock { $0 } == [])
            let range = Position(1)...Position(2)
            _ = try await store.requeue(range, of: target, due: dawn, author: .server)
            try await store.reschedule(attempts: 1, of: target, to: dawn, author: .server)
            #expect(woken.withLock { $0 } == [1, 0])
            // Nothing is due earlier than before.
            _ = try await store.requeue(range, of: target, due: dawn, author: .server)
            try await store.reschedule(attempts: 1, of: target, to: dawn, author: .server)
            #expect(woken.withLock { $0 } == [1, 0])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `pending deliveries of several outboxes are counted up to a number`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            let all = (1...5).map { delivery($0, in: UInt64($0)) }
            try await store.enqueue(all, of: target, upTo: Position(5), under: lease)
            try await settle(store, all[0], as: .delivered)
            try await settle(store, all[1], as: .dead)
            #expect(
                try await store.countPending(of: [target, other], upTo: 9)
                    == [target: 3, other: 0])
            #expect(try await store.countPending(of: [target], upTo: 2) == [target: 2])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `dead deliveries are listed by position, and forgotten at their time`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                (1...4).map { delivery($0, in: UInt64($0)) }, of: target, upTo: Position(4),
                under: lease)
            for place in [1, 2, 4] as [Int64] {
                try await settle(
                    store, delivery(place, in: UInt64(place)), as: place == 2 ? .delivered : .dead)
            }
            let dead = try await store.deliveries(
                of: target, in: .dead, at: .after(Position(1)), limit: 9)
            #expect(dead.map(\.position.value) == [4])
            let back = try await store.deliveries(
                of: target, in: .dead, at: .before(Position(4)), limit: 9)
            #expect(back.map(\.position.value) == [1])
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
            try await store.closeOutbox(target, author: .server)
            #expect(try await store.countDeliveries(of: target).isEmpty)
            #expect(try await store.findCursor(of: target) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a delivery is claimed once under a lease, and again under the next one`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try await lease(store, life: .zero)
            let places = [Position(1), Position(2), Position(3), Position(9)]
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2), delivery(3, in: 2)], of: target, upTo: Position(3),
                under: first)
            // The second waits for the first of its conversation, the ninth is not known.
            let claimed = try await store.claim(places, of: target, under: first)
            #expect(claimed == [Position(1), Position(3)])
            #expect(try await store.claim(places, of: target, under: first).isEmpty)
            let found = try await store.nextDeliveries(of: target, limit: 9)
            #expect(found.map(\.claim) == [first.term, first.term])
            let next = try await lease(store)
            #expect(try await store.claim(places, of: target, under: next) == claimed)
            // The claim ends with the result, and so the delivery may be claimed once more.
            var tried = delivery(1)
            tried.attempts = 1
            #expect(try await store.settle(tried, under: next) == .pending)
            #expect(try await store.settle(tried, under: next) == nil)
            #expect(try await store.nextDeliveries(of: target, limit: 1).map(\.claim) == [nil])
            #expect(try await store.claim(places, of: target, under: next) == [Position(1)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what an earlier holder notes, claims or settles is refused and changes nothing`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try await lease(store, life: .zero)
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2, in: 2)], of: target, upTo: Position(2), under: first)
            _ = try await store.claim([Position(1)], of: target, under: first)
            let next = try await lease(store)
            let superseded = StoreError(.superseded)
            await #expect(throws: superseded) {
                try await store.enqueue([delivery(3)], of: target, upTo: Position(3), under: first)
            }
            await #expect(throws: superseded) {
                _ = try await store.claim([Position(2)], of: target, under: first)
            }
            var tried = delivery(1)
            tried.state = .delivered
            await #expect(throws: superseded) {
                _ = try await store.settle(tried, under: first)
            }
            #expect(try await store.findCursor(of: target) == Position(2))
            #expect(try await store.countDeliveries(of: target) == [.pending: 2])
            // Nothing is lost: the next holder sends what the first may have sent.
            let both: Set = [Position(1), Position(2)]
            #expect(try await store.claim(Array(both), of: target, under: next) == both)
            try await store.releaseLease(next)
            await #expect(throws: superseded) {
                _ = try await store.settle(tried, under: next)
            }
        }
    }

    @Test func `two processes never claim one delivery at the same time`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].openOutbox(target, after: .start, author: .server)
            for place in Int64(1)...10 {
                let holder = try await lease(stores[0], life: .zero)
                try await stores[0].enqueue(
                    [delivery(place, in: nil)], of: target, upTo: Position(place), under: holder)
                // The second acquires the lease while the first still claims.
                async let late = stores[0].claim([Position(place)], of: target, under: holder)
                let next = try await lease(stores[1], life: .zero)
                let claimed = try await stores[1].claim([Position(place)], of: target, under: next)
                #expect(claimed == [Position(place)])
                let lateResult: Result<Set<Position>, any Error>
                do { lateResult = .success(try await late) } catch { lateResult = .failure(error) }
                // It was refused, or came first: then its claim was void when the second came.
                if case .failure(let error) = lateResult {
                    #expect(error as? StoreError == StoreError(.superseded))
                }
                let row = try await stores[1].deliveries(of: target, at: [Position(place)])
                #expect(row.map(\.claim) == [next.term])
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `an outbox that begins now begins behind the newest event of the log`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            try await store.openOutbox(target, after: nil, author: .server)
            #expect(try await store.findCursor(of: target) == store.newest)
            let link = GatewayLink(
                id: GatewayLinkID(other.value), business: business(1), side: .provider,
                mspID: "msp", secret: Array(repeating: 1, count: GatewayLink.secretBytes),
                url: "http://127.0.0.1:9/", createdAt: dawn)
            #expect(try await store.save(link, author: .server))
            let begin = try await store.findCursor(of: link.outbox)
            #expect(begin == store.newest)
            _ = try await store.accept(submission("b", to: conversation(1)))
            // What is saved again, or begun again, keeps its place.
            #expect(try await store.save(link, author: .server))
            try await store.openOutbox(link.outbox, after: nil, author: .server)
            #expect(try await store.findCursor(of: link.outbox) == begin)
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
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(2), delivery(3)], of: target, upTo: Position(5), under: lease)
            #expect(try await store.firstNeeded() == Position(2))
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(1))
            try await settle(store, delivery(2), as: .delivered)
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(2))
            try await store.closeOutbox(target, author: .server)
            try await store.prune(upTo: Position(4))
            #expect(store.oldest == Position(4))
        }
    }
}

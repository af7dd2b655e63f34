import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// How an outbox sends to a target that answers by a script.
@Suite struct OutboxTests {
    private let id = OutboxID(UniqueID(high: 0xF, low: 1))
    private let first = ConversationID(UniqueID(high: 0xC, low: 1))
    private let second = ConversationID(UniqueID(high: 0xC, low: 2))
    private let busy = DeliveryResult.failed(status: 503, detail: "busy", retryAfter: nil)
    private let taken = DeliveryResult.accepted(status: 200, detail: "ok")

    private func write(_ id: String, to conversation: ConversationID, by broker: Broker)
        async throws
    {
        let number = conversation == first ? 1 : 2
        _ = try await broker.store.append([
            [
                .open(
                    OpenConversation(
                        conversation, business: shop, customer: try customer(number), at: dawn))
            ],
            [.message(NewMessage(try message(id, to: conversation, id), at: dawn))],
        ])
    }

    /// Runs an outbox while the body looks at what the target was sent.
    private func sending(
        _ target: ScriptedTarget, by broker: Broker, clock: SteppedClock = SteppedClock(),
        settings: OutboxSettings = OutboxSettings(
            schedule: RetrySchedule(waits: [.seconds(5), .seconds(300)], jitter: 0)),
        _ body: (Outbox) async throws -> Void
    ) async throws {
        let outbox = Outbox(
            id, to: target, of: .businesses([shop]), from: broker, settings: settings,
            slots: AttemptSemaphore(64), time: clock.source, log: .silent,
            random: SystemRandomNumberGenerator())
        try await withThrowingTaskGroup { group in
            group.addTask { await outbox.run() }
            try await body(outbox)
            group.cancelAll()
        }
    }

    @Test func `a target is sent every event it wants, each conversation's in order`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        for place in 0..<40 {
            try await write("m\(place)", to: place % 2 == 0 ? first : second, by: broker)
        }
        let target = ScriptedTarget { _, _ in .accepted(status: 200, detail: "ok") }
        try await sending(target, by: broker) { _ in
            try await target.wait(for: 40)
            try await write("live", to: first, by: broker)
            try await target.wait(for: 41)
        }
        let even = (0..<20).map { (place: Int) -> String in "m\(place * 2)" }
        let odd = (0..<20).map { (place: Int) -> String in "m\(place * 2 + 1)" }
        #expect(target.received(in: first) == even + ["live"])
        #expect(target.received(in: second) == odd)
    }

    @Test func `a failing delivery holds its conversation alone, and is made again when due`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        for name in ["a", "b"] { try await write(name, to: first, by: broker) }
        for name in ["c", "d"] { try await write(name, to: second, by: broker) }
        let target = ScriptedTarget { [busy, taken] name, attempt in
            name == "a" && attempt == 1 ? busy : taken
        }
        let clock = SteppedClock()
        try await sending(target, by: broker, clock: clock) { _ in
            try await target.wait(for: 3)
            #expect(Set(target.names) == ["a", "c", "d"])
            clock.advance(by: .seconds(4))
            #expect(target.names.count == 3)
            clock.advance(by: .seconds(1))
            try await target.wait(for: 5)
            #expect(target.names.suffix(2) == ["a", "b"])
        }
    }

    @Test func `after the last attempt a delivery is dead, and the conversation's next one goes`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        for name in ["a", "b"] { try await write(name, to: first, by: broker) }
        let target = ScriptedTarget { [busy, taken] name, _ in name == "a" ? busy : taken }
        let clock = SteppedClock()
        try await sending(target, by: broker, clock: clock) { outbox in
            try await target.wait(for: 1)
            try await clock.whenAsleep(for: .seconds(5))
            clock.advance(by: .seconds(5))
            try await target.wait(for: 2)
            try await clock.whenAsleep(for: .seconds(300))
            clock.advance(by: .seconds(300))
            try await target.wait(for: 4)
            #expect(target.names == ["a", "a", "a", "b"])
            try await settled(broker, [.dead: 1, .delivered: 1])
            let dead = try await broker.store.deliveries(
                of: id, in: .dead, at: .start, limit: 9)
            #expect(dead.first?.attempts == 3)
            #expect(dead.first?.last?.status == 503)
            target.script.withLock { $0 = { [taken] _, _ in taken } }
            #expect(try await outbox.retry(Position(1)...Position(9), author: .server) == 1)
            try await target.wait(for: 5)
            try await settled(broker, [.delivered: 2])
        }
        let types = try await broker.store.events(after: .start, in: .everything, limit: 99).events
            .map(\.type).filter { $0 == .deliveryFailed || $0 == .deliveryDead }
        #expect(types == [.deliveryFailed, .deliveryFailed, .deliveryDead])
    }

    @Test func `what waits can be tried at once, and the conversation keeps its order`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        for name in ["a", "b"] { try await write(name, to: first, by: broker) }
        let target = ScriptedTarget { [busy, taken] name, attempt in
            name == "a" && attempt == 1 ? busy : taken
        }
        let clock = SteppedClock()
        try await sending(target, by: broker, clock: clock) { outbox in
            try await clock.whenAsleep(for: .seconds(5))
            #expect(target.names == ["a"])
            try await outbox.retryNow(author: .server)
            try await target.wait(for: 3)
            try await settled(broker, [.delivered: 2])
        }
        #expect(target.names == ["a", "a", "b"])
    }

    @Test func `a refused event is dead at once`() async throws {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        for name in ["a", "b"] { try await write(name, to: first, by: broker) }
        let target = ScriptedTarget { [taken] name, _ in
            name == "a" ? .refused(status: 400, detail: "bad") : taken
        }
        try await sending(target, by: broker) { _ in
            try await target.wait(for: 2)
            try await settled(broker, [.dead: 1, .delivered: 1])
        }
        #expect(target.names == ["a", "b"])
    }

    @Test func `what was not delivered is delivered after a restart, whatever the clock says`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        try await write("a", to: first, by: broker)
        let failing = ScriptedTarget { [busy] _, _ in busy }
        let clock = SteppedClock(at: dawn.advanced(by: .seconds(86_400 * 400)))
        try await sending(failing, by: broker, clock: clock) { _ in
            try await failing.wait(for: 1)
            try await settled(broker, [.pending: 1], attempts: 1)
        }
        let target = ScriptedTarget { [taken] _, _ in taken }
        let setBack = SteppedClock(at: dawn)
        let impatient = OutboxSettings(
            schedule: RetrySchedule(waits: [.seconds(5)], jitter: 0, longest: .seconds(5)))
        try await sending(target, by: broker, clock: setBack, settings: impatient) { _ in
            try await setBack.whenAsleep(for: .seconds(5))
            setBack.advance(by: .seconds(5))
            try await target.wait(for: 1)
        }
        #expect(target.names == ["a"])
    }

    @Test func `of two outboxes of one target one sends, and the other goes on when it ends`()
        async throws
    {
        let broker = try await makeBroker()
        try await broker.store.openOutbox(id, after: .start, author: .server)
        try await write("a", to: first, by: broker)
        let target = ScriptedTarget { [taken] _, _ in taken }
        try await sending(target, by: broker) { _ in
            try await target.wait(for: 1)
            // The other process cannot get the lease.
            #expect(try await broker.store.withFreeLease("outbox \(id.text)") { 1 } == nil)
            try await settled(broker, [.delivered: 1])
        }
        try await write("b", to: first, by: broker)
        try await sending(target, by: broker) { _ in try await target.wait(for: 2) }
        #expect(target.names == ["a", "b"])
    }

    @Test func `what a holder had claimed when it ended is sent again by the next`() async throws {
        let broker = try await makeBroker()
        let store = broker.store
        try await store.openOutbox(id, after: .start, author: .server)
        try await write("a", to: first, by: broker)
        let event = try #require(
            try await store.events(after: .start, in: .everything, limit: 9).events
                .first { $0.type == .messageAccepted })
        // It sent the message, and was killed before it stored the result.
        let lease = try await store.leaseOfTest()
        let noted = Delivery(
            outbox: id, position: event.id.position, conversation: first, due: dawn)
        try await store.enqueue([noted], of: id, upTo: store.newest, under: lease)
        #expect(try await store.claim([noted.position], of: id, under: lease) == [noted.position])
        try await store.releaseLease(lease)
        let target = ScriptedTarget { [taken] _, _ in taken }
        try await sending(target, by: broker) { _ in
            try await target.wait(for: 1)
            try await settled(broker, [.delivered: 1])
        }
        #expect(target.names == ["a"])
    }

    /// Waits until the deliveries' states count as stated.
    private func settled(
        _ broker: Broker, _ counts: [Delivery.State: Int], attempts: Int = 0
    ) async throws {
        try await Wait.until("deliveries are \(counts)") {
            let next = try await broker.store.nextDeliveries(of: id, limit: 9)
            guard next.allSatisfy({ $0.attempts >= attempts }) else { return false }
            return try await broker.store.countDeliveries(of: id) == counts
        }
    }

    @Test func `waits grow as the schedule says, within a fifth, and no shorter than asked`() {
        var random = SystemRandomNumberGenerator()
        let schedule = RetrySchedule.standard
        let whole = schedule.waits.reduce(Duration.zero, +)
        #expect(whole == .seconds(272_105))
        for (place, wait) in schedule.waits.enumerated() {
            for _ in 0..<50 {
                let found = schedule.wait(after: place + 1, asked: nil, using: &random) ?? .zero
                #expect(found >= wait * 0.8 && found <= wait * 1.2)
            }
        }
        #expect(schedule.wait(after: 10, asked: .seconds(1), using: &random) == nil)
        #expect(schedule.wait(after: 1, asked: .seconds(900), using: &random) == .seconds(900))
        #expect(
            schedule.wait(after: 1, asked: .seconds(900_000), using: &random) == .seconds(86_400))
    }
}

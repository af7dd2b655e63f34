import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What bounds outboxes, what a cut leaves behind, what is counted.
@Suite struct OutboxBoundTests {
    /// A target that answers when it is let; it knows how many attempts run, and ran at most.
    private final class HeldTarget: DeliveryTarget {
        private struct State {
            var inside = 0
            var most = 0
            var isOpen = false
            var received: [EventType] = []
        }

        private let state = Mutex(State())
        private let answer: DeliveryResult
        private let isWanted: @Sendable (Event) -> Bool

        init(
            _ answer: DeliveryResult = .accepted(status: 200, detail: "ok"),
            wants isWanted: @escaping @Sendable (Event) -> Bool = { $0.type == .messageAccepted }
        ) {
            self.answer = answer
            self.isWanted = isWanted
        }

        var inside: Int { state.withLock { $0.inside } }
        var most: Int { state.withLock { $0.most } }
        var received: [EventType] { state.withLock { $0.received } }

        func open() { state.withLock { $0.isOpen = true } }

        func wants(_ event: Event) -> Bool { isWanted(event) }

        func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
            state.withLock { state in
                state.inside += 1
                state.most = max(state.most, state.inside)
            }
            defer { state.withLock { $0.inside -= 1 } }
            while !state.withLock({ $0.isOpen }) {
                if Task.isCancelled {
                    return .failed(status: nil, detail: "cut short", retryAfter: nil)
                }
                // Bounded: the test cancels its outboxes when its body ends. Safe: the loop looks
                // for cancelling.
                try? await Task.sleep(for: .milliseconds(1))
            }
            state.withLock { $0.received.append(event.type) }
            return answer
        }

        func wait(for isSo: (HeldTarget) -> Bool) async throws {
            try await Wait.until("the target is as asked") { isSo(self) }
        }
    }

    private let ids = (1...2).map { OutboxID(UniqueID(high: 0xF, low: $0)) }

    /// Messages in as many conversations, one each.
    private func fill(_ broker: Broker, _ count: Int) async throws {
        for number in 1...count {
            let conversation = ConversationID(UniqueID(high: 0xC, low: UInt64(number)))
            _ = try await broker.store.append([
                [
                    .open(
                        OpenConversation(
                            conversation, business: shop, customer: try customer(number), at: dawn))
                ],
                [.message(NewMessage(try message("m\(number)", to: conversation), at: dawn))],
            ])
        }
    }

    /// Runs outboxes that send to the same target while the body looks.
    private func sending(
        _ target: HeldTarget, by broker: Broker, outboxes: Int = 1, slots: Int = 64,
        settings: OutboxSettings = OutboxSettings(), _ body: () async throws -> Void
    ) async throws {
        let slots = AttemptSemaphore(slots)
        let clock = SteppedClock()
        for id in ids.prefix(outboxes) {
            try await broker.store.openOutbox(id, after: .start, author: .server)
        }
        try await withThrowingTaskGroup { group in
            for id in ids.prefix(outboxes) {
                let outbox = Outbox(
                    id, to: target, of: .businesses([shop]), from: broker,
                    settings: settings, slots: slots, time: clock.source, log: .silent)
                group.addTask { await outbox.run() }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets everybody else go on for a while.
    private func yieldOften() async {
        for _ in 0..<2_000 { await Task.yield() }  // Bounded: so many times.
    }

    @Test(arguments: [1, 4])
    func `a target has so many attempts at once and not one more`(bound: Int) async throws {
        let broker = try await makeBroker()
        try await fill(broker, 12)
        let target = HeldTarget()
        try await sending(target, by: broker, settings: OutboxSettings(attemptsAtOnce: bound)) {
            try await target.wait { $0.inside >= bound }
            await yieldOften()
            #expect(target.inside == bound)
            target.open()
            try await target.wait { $0.received.count == 12 }
        }
        #expect(target.most == bound)
    }

    @Test func `all outboxes together have so many attempts at once and not one more`()
        async throws
    {
        let broker = try await makeBroker()
        try await fill(broker, 12)
        let target = HeldTarget()
        try await sending(target, by: broker, outboxes: 2, slots: 3) {
            try await target.wait { $0.inside >= 3 }
            await yieldOften()
            #expect(target.inside == 3)
            target.open()
            try await target.wait { $0.received.count == 24 }
        }
        #expect(target.most == 3)
    }

    @Test func `an attempt that the end of the server cut short counts as not made`() async throws {
        let metrics = Metrics()
        let broker = try await makeBroker(metrics: metrics)
        try await fill(broker, 6)
        let target = HeldTarget()
        // Two run, two wait for a slot, two were not begun.
        try await sending(target, by: broker, slots: 2) { try await target.wait { $0.inside >= 2 } }
        let left = try await broker.store.nextDeliveries(of: ids[0], limit: 9)
        #expect(left.count == 6)
        #expect(left.allSatisfy { $0.attempts == 0 && $0.state == .pending && $0.last == nil })
        #expect(metrics.text().contains("frontdesk_outbox_attempts_total{result=\"failed\"} 0\n"))
        target.open()
        try await sending(target, by: broker) { try await target.wait { $0.received.count == 6 } }
        #expect(target.received.count == 6)
    }

    @Test func `no outbox sends the outcome of deliveries, whatever its target wants`()
        async throws
    {
        let broker = try await makeBroker()
        try await fill(broker, 3)
        let target = HeldTarget(.refused(status: 400, detail: "no")) { _ in true }
        target.open()
        try await sending(target, by: broker) {
            // Each refusal is an event of the log; the reader has to have passed them all.
            try await Wait.until("six deliveries are dead and the reader has passed the log") {
                let dead = try await broker.store.countDeliveries(of: ids[0])[.dead] ?? 0
                let cursor = try await broker.store.findCursor(of: ids[0])
                return dead == 6 && broker.store.newest.value == 12
                    && cursor == broker.store.newest
            }
            await yieldOften()
        }
        let types = try await broker.store.events(after: .start, in: .everything, limit: 99)
            .events.map(\.type)
        #expect(types.filter { $0 == .deliveryDead }.count == 6)
        #expect(target.received.count == 6 && !target.received.contains(.deliveryDead))
    }

    @Test func `waiting deliveries, attempts by their end and dead ones are counted`() async throws
    {
        let metrics = Metrics()
        let broker = try await makeBroker(metrics: metrics)
        try await fill(broker, 5)
        let target = HeldTarget(.failed(status: 503, detail: "busy", retryAfter: nil))
        let once = OutboxSettings(schedule: RetrySchedule(waits: [], jitter: 0))
        func has(_ line: String) -> Bool { metrics.text().contains("\n\(line)\n") }
        try await sending(target, by: broker, settings: once) {
            try await Wait.until("5 wait") { has("frontdesk_outbox_waiting 5") }
            target.open()
            try await Wait.until("none waits") { has("frontdesk_outbox_waiting 0") }
        }
        #expect(has("frontdesk_outbox_attempts_total{result=\"failed\"} 5"))
        #expect(has("frontdesk_outbox_attempts_total{result=\"accepted\"} 0"))
        #expect(has("frontdesk_outbox_dead_total 5"))
    }
}

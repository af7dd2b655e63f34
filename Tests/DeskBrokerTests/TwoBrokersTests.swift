import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import DeskBroker

/// The log as a second broker sees it: a store in one process notifies the first alone.
private struct SecondView: EventLog {
    let store: any Store
    let feedInterval: Duration? = .milliseconds(1)

    var epoch: Epoch { store.epoch }
    var newest: Position { store.newest }
    var oldest: Position { store.oldest }

    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        try await store.append(groups)
    }

    func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        try await store.events(after: position, in: scope, limit: limit)
    }

    func prune(upTo position: Position) async throws(StoreError) {
        try await store.prune(upTo: position)
    }

    func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {}

    func reach(_ position: Position, within limit: Duration) async throws(StoreError) -> Bool {
        try await store.reach(position, within: limit)
    }
}

/// Two brokers over one store: what happens once does so in the store and not in a broker.
@Suite struct TwoBrokersTests {
    /// Two brokers, and a conversation.
    private static func make() async throws -> ([Broker], ConversationID) {
        let first = try await makeBroker()
        let second = Broker(
            store: first.store, log: SecondView(store: first.store), now: { dawn })
        let place = try await first.openConversation(of: customer(1), with: shop).id
        return ([first, second], place)
    }

    /// Runs something sixteen times at once, by turns on each broker.
    private static func race<Value: Sendable>(
        _ brokers: [Broker],
        _ body: @escaping @Sendable (Broker, Int) async throws -> Value
    ) async throws -> [Result<Value, any Error>] {
        await withTaskGroup(of: Result<Value, any Error>.self) { group in
            for number in 0..<16 {
                group.addTask {
                    do {
                        return .success(try await body(brokers[number % 2], number))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func refusals<Value>(_ results: [Result<Value, any Error>]) -> [Refusal] {
        results.compactMap { result in
            guard case .failure(let error) = result,
                case .refused(let refusal)? = error as? BrokerError
            else { return nil }
            return refusal
        }
    }

    @Test func `of answers to one request one settles it`() async throws {
        let (brokers, place) = try await Self.make()
        let request = try #require(MessageID("request"))
        let results = try await Self.race(brokers) { broker, number in
            try await broker.accept(
                message("answer-\(number)", to: place), settling: request)
        }
        #expect(results.count { (try? $0.get()) != nil } == 1)
        #expect(Self.refusals(results) == Array(repeating: .settled, count: 15))
        let page = try await brokers[0].store.messages(in: place, .newest, limit: 99)
        #expect(page.elements.count == 1)
    }

    @Test func `of messages with one idempotency key one is stored`() async throws {
        let (brokers, place) = try await Self.make()
        let results = try await Self.race(brokers) { broker, number in
            try await broker.accept(message("m\(number)", to: place, key: "k"))
        }
        let accepted = try results.map { try $0.get() }
        #expect(accepted.count { !$0.isRepeat } == 1)
        #expect(Set(accepted.map(\.message.id)).count == 1)
    }

    @Test func `of requests with one idempotency key one runs, and the others find its answer`()
        async throws
    {
        let (brokers, _) = try await Self.make()
        let claim = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([1])))
        let runs = Mutex(0)
        let results = try await Self.race(brokers) { broker, number in
            try await broker.answerOnce(claim) {
                runs.withLock { $0 += 1 }
                return KeyedAnswer(status: 201, body: [1])
            }
        }
        #expect(runs.withLock { $0 } == 1)
        let refused = Self.refusals(results)
        #expect(refused.allSatisfy { $0 == .idempotencyInProgress })
        let answers = results.compactMap { try? $0.get() }
        #expect(answers.count + refused.count == 16)
        #expect(answers.count { !$0.isRepeat } == 1)
        #expect(Set(answers.map(\.body)) == [[1]])
        for broker in brokers {
            let again = try await broker.answerOnce(claim) { KeyedAnswer(status: 500, body: []) }
            #expect(again == KeyedAnswer(status: 201, body: [1], isRepeat: true))
        }
    }

    @Test func `a request whose process ended is run by another broker, another body is not`()
        async throws
    {
        let (brokers, _) = try await Self.make()
        let store = brokers[0].store
        let claim = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([1])))
        let other = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([2])))
        // A process that begins to answer and renews its lease no more.
        let lease = try #require(
            try await store.acquireLease("answer \(claim.scope)", life: .zero))
        #expect(
            try await store.beginAnswer(claim.scope, to: claim.body, under: lease, at: dawn)
                == .begun)
        await #expect(throws: BrokerError.refused(.idempotencyMismatch)) {
            try await brokers[1].answerOnce(other) { KeyedAnswer(status: 200, body: [2]) }
        }
        let answer = try await brokers[1].answerOnce(claim) { KeyedAnswer(status: 200, body: [1]) }
        #expect(answer == KeyedAnswer(status: 200, body: [1]))
        // It wakes up late: its answer is not the first one.
        let late = RememberedAnswer(
            scope: claim.scope, body: claim.body, content: .answer(status: 400, body: []),
            time: dawn)
        await #expect(throws: StoreError.self) { try await store.finish(late, under: lease) }
        let again = try await brokers[0].answerOnce(claim) { KeyedAnswer(status: 500, body: []) }
        #expect(again == KeyedAnswer(status: 200, body: [1], isRepeat: true))
    }

    @Test func `a request that is superseded while it runs is in progress elsewhere`()
        async throws
    {
        let (brokers, _) = try await Self.make()
        let store = brokers[0].store
        let claim = try #require(
            IdempotencyClaim(credential: "a", route: "r", key: "k", body: .sha256([1])))
        let name = "answer \(claim.scope)"
        await #expect(throws: BrokerError.refused(.idempotencyInProgress)) {
            try await brokers[0].answerOnce(claim) {
                // As if this process had stood still for longer than a lease lives.
                let held = Lease(name: name, term: (1 << 32) + 1)
                // Safe: what fails here fails the test.
                _ = try? await store.renewLease(held, life: .zero)
                _ = try? await store.acquireLease(name, life: .seconds(60))
                return KeyedAnswer(status: 200, body: [])
            }
        }
        #expect(try await store.findAnswer(claim.scope) == nil)
    }

    @Test(arguments: [false, true])
    func `retry-now and a requeue at one broker wake the outbox that runs at the other`(
        isDead: Bool
    ) async throws {
        let (brokers, place) = try await Self.make()
        let id = OutboxID(UniqueID(high: 0xF, low: 1))
        let store = brokers[0].store
        try await store.openOutbox(id, after: store.newest, author: .server)
        let clock = SteppedClock()
        let target = ScriptedTarget { _, attempt in
            guard attempt == 1 else { return .accepted(status: 200, detail: "ok") }
            return isDead
                ? .refused(status: 400, detail: "bad")
                : .failed(status: 503, detail: "busy", retryAfter: nil)
        }
        let outboxes = brokers.map { broker in
            Outbox(
                id, to: target, of: .businesses([shop]), from: broker,
                settings: OutboxSettings(
                    schedule: RetrySchedule(waits: [.seconds(300)], jitter: 0)),
                slots: AttemptSemaphore(8), time: clock.source, log: .silent)
        }
        try await withThrowingTaskGroup { group in
            group.addTask { await outboxes[0].run() }
            _ = try await brokers[0].accept(message("a", to: place))
            try await target.wait(for: 1)
            if isDead {
                try await Wait.until("the delivery is dead") {
                    try await store.countDeliveries(of: id) == [.dead: 1]
                }
                let newest = try await outboxes[1].retry(
                    .start...store.newest, author: .server)
                #expect(newest == 1)
            } else {
                try await clock.whenAsleep(for: .seconds(300))
                try await outboxes[1].retryNow(author: .server)
            }
            // No time has passed, and no event came.
            try await target.wait(for: 2)
            group.cancelAll()
        }
        #expect(target.names == ["a", "a"])
    }
}

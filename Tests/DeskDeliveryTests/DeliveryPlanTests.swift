import DeskModel
import DeskStore
import Testing

@testable import DeskDelivery

/// Whose queues are read next.
@Suite struct DeliveryPlanTests {
    static let dawn = Timestamp(seconds: 1_800_000_000)

    static func webhooks(_ numbers: Range<Int>, areFailing: Bool) -> [Webhook] {
        numbers.map { number in
            var webhook = Webhook(
                id: WebhookID(UniqueID(high: 0xE, low: UInt64(number))),
                business: BusinessID(UniqueID(high: 0xB, low: 1)),
                url: "https://\(number).example/", secret: Array(repeating: 7, count: 32),
                createdAt: dawn)
            if areFailing { webhook.failingSince = dawn }
            return webhook
        }
    }

    static func numbers(_ asked: [OutboxID: Int]) -> [Int] {
        asked.keys.map { Int($0.value.low) }.sorted()
    }

    /// A plan of so many failing endpoints, and of others behind them that were posted one event each.
    private static func plan(sick: Int, well: Int) -> (DeliveryPlan, [Webhook]) {
        var plan = DeliveryPlan { _ in Self.dawn }
        let webhooks =
            Self.webhooks(0..<sick, areFailing: true)
            + Self.webhooks(sick..<sick + well, areFailing: false)
        plan.update(Array(webhooks[sick...]))
        let now = ContinuousClock.now
        while case let asked = plan.queuesToRead(at: dawn, now), !asked.isEmpty {
            let found = asked.keys.map { outbox in
                (
                    outbox,
                    [Delivery(outbox: outbox, position: Position(1), conversation: nil, due: dawn)]
                )
            }
            plan.add(Dictionary(uniqueKeysWithValues: found), asked: asked, at: dawn)
            while let start = plan.next(at: now) {
                _ = plan.end(start, isAccepted: true, at: now, wallClock: dawn)
                plan.settle([start.delivery])
            }
            // Read once more, they have nothing.
            let again = plan.queuesToRead(at: dawn, now)
            plan.add([:], asked: again, at: dawn)
        }
        plan.update(webhooks)
        return (plan, webhooks)
    }

    @Test func `how removed endpoints fared is forgotten, also where an attempt ends afterwards`()
        throws
    {
        var plan = DeliveryPlan { _ in Self.dawn }
        let webhooks = Self.webhooks(0..<3, areFailing: true)
        plan.update(webhooks)
        #expect(plan.healthCount == 3)
        let now = ContinuousClock.now
        let asked = plan.queuesToRead(at: Self.dawn, now)
        let outbox = webhooks[0].outbox
        let delivery = Delivery(
            outbox: outbox, position: Position(1), conversation: nil, due: Self.dawn)
        plan.add([outbox: [delivery]], asked: asked, at: Self.dawn)
        let next = plan.next(at: now)
        let start = try #require(next)
        plan.update([webhooks[2]])
        #expect(plan.healthCount == 1)
        _ = plan.end(start, isAccepted: false, at: now, wallClock: Self.dawn)
        plan.settle([start.delivery])
        #expect(plan.healthCount == 1 && plan.runningCount == 0)
    }

    @Test
    func
        `queues of well endpoints are read by themselves, those of sick ones few at once and in turn`()
    {
        var (plan, webhooks) = Self.plan(sick: 900, well: 100)
        func next() -> [Int] {
            let asked = plan.queuesToRead(at: Self.dawn, .now)
            plan.add([:], asked: asked, at: Self.dawn)
            return Self.numbers(asked)
        }
        #expect(next() == Array(0..<16))
        // What comes for a well one does not wait for the sick ones, and what comes for a sick one is behind all
        // of theirs.
        plan.noteAdded(to: [webhooks[905].id, webhooks[3].id])
        #expect(next() == [905])
        plan.noteAdded(to: webhooks[900...].map(\.id))
        #expect(next() == Array(16..<32))
        #expect(next() == Array(900..<964))
        #expect(next() == Array(32..<48))
        #expect(next() == Array(964..<1_000))
        for first in stride(from: 48, to: 896, by: 16) {
            #expect(next() == Array(first..<first + 16))
        }
        #expect(next() == [3] + Array(896..<900))
        #expect(next().isEmpty)
    }

    @Test func `endpoints that nothing was posted to yet are read many at once`() {
        var plan = DeliveryPlan { _ in Self.dawn }
        plan.update(Self.webhooks(0..<100, areFailing: false))
        #expect(Self.numbers(plan.queuesToRead(at: Self.dawn, .now)) == Array(0..<64))
        #expect(Self.numbers(plan.queuesToRead(at: Self.dawn, .now)) == Array(64..<100))
    }

    @Test func `what waits for a place asks again when an attempt has run for 250 ms`() {
        var plan = DeliveryPlan { _ in Self.dawn }
        plan.update(Self.webhooks(0..<40, areFailing: false))
        let asked = plan.queuesToRead(at: Self.dawn, .now)
        let found = asked.keys.map { outbox in
            (
                outbox,
                [Delivery(outbox: outbox, position: Position(1), conversation: nil, due: Self.dawn)]
            )
        }
        plan.add(Dictionary(uniqueKeysWithValues: found), asked: asked, at: Self.dawn)
        let begin = ContinuousClock.now
        var begun = 0
        while plan.next(at: begin) != nil { begun += 1 }
        #expect(begun == 32)
        #expect(plan.nextRelease(at: begin) == begin.advanced(by: .milliseconds(250)))
        #expect(plan.next(at: begin.advanced(by: .milliseconds(249))) == nil)
        let later = begin.advanced(by: .milliseconds(250))
        while plan.next(at: later) != nil { begun += 1 }
        #expect(begun == 40)
        #expect(plan.nextRelease(at: later) == nil)
    }

    @Test func `what is due later is read at its time, whatever else is read before`() {
        var plan = DeliveryPlan { _ in Self.dawn.advanced(by: .seconds(60)) }
        let webhooks = Self.webhooks(0..<2, areFailing: false)
        plan.update(webhooks)
        func read(at now: Timestamp, _ dues: [Int: Timestamp]) -> [Int] {
            let asked = plan.queuesToRead(at: now, .now)
            let found = dues.map { number, due in
                let outbox = webhooks[number].outbox
                return (
                    outbox,
                    [Delivery(outbox: outbox, position: Position(1), conversation: nil, due: due)]
                )
            }
            plan.add(Dictionary(uniqueKeysWithValues: found), asked: asked, at: now)
            return Self.numbers(asked)
        }
        let (soon, late) = (
            Self.dawn.advanced(by: .seconds(5)), Self.dawn.advanced(by: .seconds(30))
        )
        #expect(plan.nextDue == nil)
        #expect(read(at: Self.dawn, [0: late, 1: soon]) == [0, 1])
        #expect(plan.nextDue == soon)
        #expect(read(at: soon.advanced(by: .milliseconds(-1)), [:]).isEmpty)
        #expect(read(at: soon, [1: late]) == [1])
        #expect(plan.nextDue == late)
        #expect(read(at: late, [:]) == [0, 1])
        #expect(plan.nextDue == nil)
    }

    /// A plan of endpoints with one event each, which are read.
    static func plan(_ webhooks: [Webhook], conversation: ConversationID?) -> DeliveryPlan {
        var plan = DeliveryPlan { _ in dawn.advanced(by: .seconds(60)) }
        plan.update(webhooks)
        let asked = plan.queuesToRead(at: dawn, .now)
        let found = asked.keys.map { outbox in
            (outbox, [delivery(1, of: outbox, in: conversation)])
        }
        plan.add(Dictionary(uniqueKeysWithValues: found), asked: asked, at: dawn)
        return plan
    }

    /// Begins an attempt, which must be possible.
    static func begin(
        in plan: inout DeliveryPlan, at now: ContinuousClock.Instant
    ) throws -> DeliveryPlan.Start {
        let start = plan.next(at: now)
        return try #require(start)
    }

    static func delivery(
        _ position: Int64, of outbox: OutboxID, in conversation: ConversationID?,
        due: Timestamp = dawn
    ) -> Delivery {
        Delivery(
            outbox: outbox, position: Position(position), conversation: conversation, due: due)
    }

    @Test func `an attempt's end leaves work where something waits for its place`() throws {
        let now = ContinuousClock.now
        // Untried ones have 32 places, so that the last of 33 waits.
        for (count, waits) in [(32, false), (33, true)] {
            var plan = Self.plan(Self.webhooks(0..<count, areFailing: false), conversation: nil)
            let first = try Self.begin(in: &plan, at: now)
            while plan.next(at: now) != nil {}
            _ = plan.end(first, isAccepted: true, at: now, wallClock: Self.dawn)
            #expect(plan.hasWork == waits)
        }
    }

    @Test func `the queue of what failed is read when it is due again, and not before`() throws {
        let now = ContinuousClock.now
        var plan = Self.plan(
            Self.webhooks(0..<1, areFailing: false),
            conversation: ConversationID(UniqueID(high: 0xC, low: 1)))
        let start = try Self.begin(in: &plan, at: now)
        _ = plan.end(start, isAccepted: false, at: now, wallClock: Self.dawn)
        var failed = start.delivery
        failed.attempts = 1
        failed.due = Self.dawn.advanced(by: .seconds(5))
        plan.settle([failed])
        #expect(!plan.hasWork)
        #expect(plan.nextDue == failed.due)
        #expect(plan.queuesToRead(at: Self.dawn.advanced(by: .milliseconds(4_999)), now).isEmpty)
        #expect(Self.numbers(plan.queuesToRead(at: failed.due, now)) == [0])
        // One that was delivered has others behind it.
        plan.add(
            [start.webhook.outbox: [failed]], asked: [start.webhook.outbox: 16], at: failed.due)
        let again = try Self.begin(in: &plan, at: now)
        _ = plan.end(again, isAccepted: true, at: now, wallClock: Self.dawn)
        var delivered = again.delivery
        delivered.state = .delivered
        plan.settle([delivered])
        #expect(Self.numbers(plan.queuesToRead(at: failed.due, now)) == [0])
    }

    @Test func `an endpoint fares as the attempt that ended last`() throws {
        let now = ContinuousClock.now
        let webhooks = Self.webhooks(0..<2, areFailing: false)
        let id = webhooks[0].id
        var plan = Self.plan(webhooks, conversation: nil)
        let starts = [try Self.begin(in: &plan, at: now), try Self.begin(in: &plan, at: now)]
        let start = try #require(starts.first { $0.webhook.id == id })
        #expect(plan.health(of: id) == .recovered)
        #expect(
            plan.end(start, isAccepted: false, at: now, wallClock: Self.dawn)
                == .failing(since: Self.dawn))
        #expect(plan.health(of: id) == .failing(since: Self.dawn))
        plan.settle([start.delivery])
        let asked = plan.queuesToRead(at: Self.dawn, now)
        plan.add([webhooks[0].outbox: [start.delivery]], asked: asked, at: Self.dawn)
        let again = try Self.begin(in: &plan, at: now)
        #expect(again.webhook.id == id)
        #expect(plan.end(again, isAccepted: true, at: now, wallClock: Self.dawn) == .recovered)
        #expect(plan.health(of: id) == .recovered)
        plan.update([webhooks[1]])
        #expect(plan.health(of: id) == nil)
    }

    @Test func `what is noted behind an earlier event of its conversation has nothing read`() throws
    {
        let now = ContinuousClock.now
        let (own, other) = (
            ConversationID(UniqueID(high: 0xC, low: 1)), ConversationID(UniqueID(high: 0xC, low: 2))
        )
        let webhooks = Self.webhooks(0..<1, areFailing: false)
        let outbox = webhooks[0].outbox
        var plan = Self.plan(webhooks, conversation: own)
        func note(_ position: Int64, _ conversation: ConversationID?) -> Bool {
            plan.noteAdded([Self.delivery(position, of: outbox, in: conversation)])
        }
        // It waits for its place, is attempted, and failed.
        #expect(!note(2, own))
        let start = try Self.begin(in: &plan, at: now)
        #expect(!note(3, own))
        _ = plan.end(start, isAccepted: false, at: now, wallClock: Self.dawn)
        var failed = start.delivery
        failed.due = Self.dawn.advanced(by: .seconds(5))
        plan.settle([failed])
        #expect(!note(4, own))
        #expect(!plan.hasWork)
        // Another conversation, and one that is not ordered, wait for nothing.
        #expect(note(5, other))
        #expect(note(6, nil))
        for position in [Position(5), Position(6)] {
            let start = try Self.begin(in: &plan, at: now)
            #expect(start.delivery.position == position)
            _ = plan.end(start, isAccepted: true, at: now, wallClock: Self.dawn)
            var delivered = start.delivery
            delivered.state = .delivered
            plan.settle([delivered])
        }
        #expect(!plan.hasWork)
        #expect(!note(7, own))
        #expect(Self.numbers(plan.queuesToRead(at: failed.due, now)) == [0])
        plan.add([outbox: [failed]], asked: [outbox: 16], at: failed.due)
        let again = try Self.begin(in: &plan, at: now)
        _ = plan.end(again, isAccepted: true, at: now, wallClock: Self.dawn)
        var delivered = again.delivery
        delivered.state = .delivered
        plan.settle([delivered])
        // Those behind it, and what comes now, may be the first.
        #expect(note(8, own))
        #expect(Self.numbers(plan.queuesToRead(at: failed.due, now)) == [0])
    }

    @Test func `what is settled while its queue is read keeps nothing behind it waiting`() throws {
        let now = ContinuousClock.now
        let own = ConversationID(UniqueID(high: 0xC, low: 1))
        let webhooks = Self.webhooks(0..<1, areFailing: false)
        let outbox = webhooks[0].outbox
        var plan = Self.plan(webhooks, conversation: own)
        func note(_ position: Int64, _ conversation: ConversationID?) -> Bool {
            plan.noteAdded([Self.delivery(position, of: outbox, in: conversation)])
        }
        let start = try Self.begin(in: &plan, at: now)
        plan.noteAdded(to: [webhooks[0].id])
        let asked = plan.queuesToRead(at: Self.dawn, now)
        #expect(Self.numbers(asked) == [0])
        _ = plan.end(start, isAccepted: true, at: now, wallClock: Self.dawn)
        var delivered = start.delivery
        delivered.state = .delivered
        plan.settle([delivered])
        // The rows are of a moment before.
        plan.add([outbox: [start.delivery]], asked: asked, at: Self.dawn)
        #expect(plan.next(at: now) == nil)
        #expect(note(3, own))
    }

    @Test func `an endpoint that was enabled again between two readings has not failed before`()
        throws
    {
        var plan = DeliveryPlan { _ in Self.dawn }
        var webhook = Self.webhooks(0..<1, areFailing: true)[0]
        plan.update([webhook])
        webhook.description = "another"
        webhook.failingSince = nil
        plan.update([webhook])
        #expect(plan.failing(webhook.id)?.since == Self.dawn)
        webhook.beginning = Position(9)
        plan.update([webhook])
        #expect(plan.failing(webhook.id) == nil)
    }

    @Test func `an endpoint that was enabled again goes on when an attempt from before ends`()
        throws
    {
        var plan = DeliveryPlan { _ in Self.dawn }
        let webhooks = Self.webhooks(0..<1, areFailing: false)
        func read() {
            let asked = plan.queuesToRead(at: Self.dawn, .now)
            let rows = [Int64(1), 2].map {
                Delivery(
                    outbox: webhooks[0].outbox, position: Position($0), conversation: nil,
                    due: Self.dawn)
            }
            plan.add([webhooks[0].outbox: rows], asked: asked, at: Self.dawn)
        }
        plan.update(webhooks)
        read()
        let begun = plan.next(at: .now)
        let former = try #require(begun)
        plan.update([])
        plan.update(webhooks)
        read()
        #expect(plan.next(at: .now) == nil)
        _ = plan.end(former, isAccepted: true, at: .now, wallClock: Self.dawn)
        plan.settle([former.delivery])
        let next = plan.next(at: .now)
        #expect(next?.delivery.position == Position(2))
    }
}

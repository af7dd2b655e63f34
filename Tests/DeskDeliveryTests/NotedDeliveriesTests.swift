import DeskModel
import DeskStore
import Testing

@testable import DeskDelivery

/// Deliveries that are attempted without being read from the store.
@Suite struct NotedDeliveriesTests {
    private typealias Plans = DeliveryPlanTests
    private static let dawn = DeliveryPlanTests.dawn
    private static let now = ContinuousClock.now
    private static let own = ConversationID(UniqueID(high: 0xC, low: 1))
    private static let other = ConversationID(UniqueID(high: 0xC, low: 2))

    /// A plan of one endpoint, whose queue was read and is empty.
    private struct Desk {
        var plan = DeliveryPlan { _ in dawn.advanced(by: .seconds(60)) }
        let webhook = Plans.webhooks(0..<1, areFailing: false)[0]

        init() {
            plan.update([webhook])
            read([])
        }

        mutating func read(_ found: [Delivery]) {
            let asked = plan.queuesToRead(at: dawn, now)
            plan.add([webhook.outbox: found], asked: asked, at: dawn)
        }

        func delivery(_ position: Int64, _ conversation: ConversationID?) -> Delivery {
            Plans.delivery(position, of: webhook.outbox, in: conversation)
        }

        mutating func note(_ positions: ClosedRange<Int64>, _ conversation: ConversationID?) {
            _ = plan.noteAdded(positions.map { delivery($0, conversation) })
        }

        /// Attempts everything that may be attempted, with success; the positions in their order.
        mutating func deliverAll() -> [Int64] {
            var positions: [Int64] = []
            while let start = plan.next(at: now) {
                positions.append(start.delivery.position.value)
                _ = plan.end(start, isAccepted: true, at: now, wallClock: dawn)
                var delivered = start.delivery
                delivered.state = .delivered
                plan.settle([delivered])
            }
            return positions
        }

        mutating func isRead() -> Bool { !plan.queuesToRead(at: dawn, now).isEmpty }
    }

    @Test func `an endpoint that keeps up has its deliveries from who noted them`() {
        var desk = Desk()
        for position in Int64(1)...5 {
            desk.note(position...position, position.isMultiple(of: 2) ? Self.own : nil)
            let delivered = desk.deliverAll()
            #expect(delivered == [position])
        }
        #expect(desk.isRead() == false)
    }

    @Test func `deliveries behind one of their conversation follow it in order`() throws {
        var desk = Desk()
        // Until one was accepted the endpoint has one attempt at a time.
        desk.note(1...1, nil)
        #expect(desk.deliverAll() == [1])
        desk.note(2...4, Self.own)
        desk.note(5...5, Self.other)
        let begun = [desk.plan.next(at: Self.now), desk.plan.next(at: Self.now)]
        #expect(begun.map { $0?.delivery.position } == [Position(2), Position(5)])
        #expect(desk.deliverAll() == [])
        let first = try #require(begun[0])
        _ = desk.plan.end(first, isAccepted: true, at: Self.now, wallClock: Self.dawn)
        var delivered = first.delivery
        delivered.state = .delivered
        desk.plan.settle([delivered])
        #expect(desk.deliverAll() == [3, 4])
        #expect(desk.isRead() == false)
    }

    @Test func `what is too much to keep in memory is read when that is delivered`() {
        var desk = Desk()
        let most = Int64(PlannedEndpoint.mostBehind)
        desk.note(1...most + 9, Self.own)
        #expect(desk.deliverAll() == Array(1...most + 1))
        #expect(desk.isRead() == true)
        var unordered = Desk()
        let waiting = Int64(DeliveryPlan.readAtOnce)
        unordered.note(1...waiting + 9, nil)
        #expect(unordered.deliverAll() == Array(1...waiting))
        #expect(unordered.isRead() == true)
    }

    @Test func `what is noted twice is read and not attempted twice`() {
        var desk = Desk()
        desk.note(1...1, Self.own)
        #expect(desk.deliverAll() == [1])
        desk.note(1...1, Self.own)
        #expect(desk.deliverAll() == [])
        #expect(desk.isRead() == true)
    }

    @Test func `what failed keeps those behind it waiting, and is read with them when it is due`() {
        var desk = Desk()
        desk.note(1...2, Self.own)
        guard let start = desk.plan.next(at: Self.now) else {
            Issue.record("nothing is attempted")
            return
        }
        _ = desk.plan.end(start, isAccepted: false, at: Self.now, wallClock: Self.dawn)
        var failed = start.delivery
        failed.attempts = 1
        failed.due = Self.dawn.advanced(by: .seconds(5))
        desk.plan.settle([failed])
        desk.note(3...3, Self.own)
        #expect(desk.deliverAll() == [])
        #expect(desk.isRead() == false)
        let asked = desk.plan.queuesToRead(at: failed.due, Self.now)
        #expect(Plans.numbers(asked) == [0])
        desk.plan.add([desk.webhook.outbox: [failed]], asked: asked, at: failed.due)
        // The store names the next one when this one is delivered.
        #expect(desk.deliverAll() == [1])
        #expect(desk.isRead() == true)
    }

    @Test func `after a replay the queue is read before what was noted behind`() {
        var desk = Desk()
        desk.note(1...3, Self.own)
        desk.plan.noteAdded(to: [desk.webhook.id])
        #expect(desk.deliverAll() == [1])
        #expect(desk.isRead() == true)
    }

    @Test func `what is settled while the queue is read leaves what is behind it to the reading`() {
        var desk = Desk()
        desk.note(1...2, Self.own)
        guard let start = desk.plan.next(at: Self.now) else {
            Issue.record("nothing is attempted")
            return
        }
        desk.plan.noteAdded(to: [desk.webhook.id])
        let asked = desk.plan.queuesToRead(at: Self.dawn, Self.now)
        #expect(Plans.numbers(asked) == [0])
        _ = desk.plan.end(start, isAccepted: true, at: Self.now, wallClock: Self.dawn)
        var delivered = start.delivery
        delivered.state = .delivered
        desk.plan.settle([delivered])
        // The rows are of a moment before.
        desk.plan.add([desk.webhook.outbox: [start.delivery]], asked: asked, at: Self.dawn)
        #expect(desk.deliverAll() == [])
        desk.read([desk.delivery(2, Self.own)])
        #expect(desk.deliverAll() == [2])
    }
}

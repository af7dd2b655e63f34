import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskDelivery

/// Which message to a browser is sent next.
struct PushQueueTests {
    private let start = ContinuousClock.now

    private func job(
        _ number: Int, at host: String = "a.example", _ payload: UInt8 = 0,
        about subject: String = "c1"
    ) throws -> PushQueue.Job {
        let endpoint = "https://\(host)/\(number)"
        let subscription = PushSubscription(
            id: .sha256(Array(endpoint.utf8)),
            owner: .customer(ConversationID(UniqueID(high: 1, low: UInt64(number))), of: shop),
            endpoint: endpoint, point: [], secret: [], createdAt: dawn)
        return PushQueue.Job(
            message: PushMessage(
                subscription: subscription, subject: subject, payload: [payload]),
            address: try #require(PushAddress(endpoint)), batch: PushBatch([]), due: start)
    }

    @Test func `of a browser's messages the newest is sent, one at a time`() throws {
        var queue = PushQueue()
        #expect(queue.add(try job(1, 1)).replaced == nil)
        #expect(queue.add(try job(1, 2)).replaced?.message.payload == [1])
        #expect(queue.take(at: start).map(\.message.payload) == [[2]])
        let added = queue.add(try job(1, 3))
        #expect(added.replaced == nil && added.waits)
        #expect(queue.take(at: start).isEmpty)
        queue.end(try job(1).message.key)
        #expect(queue.take(at: start).map(\.message.payload) == [[3]])
        #expect(queue.count == 1)
    }

    @Test func `messages about two conversations keep each other back in no browser`() throws {
        var queue = PushQueue()
        _ = queue.add(try job(1, 1))
        #expect(queue.add(try job(1, 2, about: "c2")).replaced == nil)
        #expect(queue.take(at: start).map(\.message.payload) == [[1], [2]])
    }

    @Test func `a host has half of all attempts, and what another has goes on beside it`() throws {
        var queue = PushQueue()
        for number in 0..<20 { _ = queue.add(try job(number)) }
        for number in 20..<40 { _ = queue.add(try job(number, at: "b.example")) }
        let taken = queue.take(at: start)
        #expect(taken.count == PushBounds.mostAtOnce)
        #expect(taken.count { $0.address.host == "a.example" } == PushBounds.mostOfHost)
        #expect(queue.take(at: start).isEmpty)
        queue.end(taken[0].message.key)
        #expect(queue.take(at: start).map(\.address.host) == ["a.example"])
    }

    @Test func `what is to be sent again waits for its time, with the newest message`() throws {
        var queue = PushQueue()
        var later = try job(1, 1)
        (later.due, later.attempts) = (start.advanced(by: .seconds(10)), 1)
        queue.putBack(later)
        _ = queue.add(try job(1, 2))
        #expect(queue.take(at: start).isEmpty)
        #expect(queue.nextDue(after: start) == later.due)
        let taken = try #require(queue.take(at: later.due).first)
        #expect(taken.message.payload == [2] && taken.attempts == 1)
        queue.putBack(later)
        #expect(queue.count == 2)
    }

    /// A message of the same browser's, but of an agent.
    private func agents(_ number: Int, about subject: String) throws -> PushQueue.Job {
        let known = try job(number, about: subject)
        let subscription = PushSubscription(
            id: known.message.subscription.id,
            owner: .agent(
                AgentID(UniqueID(high: 9, low: UInt64(number))), device: .sha256([1]), zone: "UTC"),
            endpoint: known.message.subscription.endpoint, point: [], secret: [], createdAt: dawn)
        return PushQueue.Job(
            message: PushMessage(subscription: subscription, subject: subject, payload: [0]),
            address: known.address, batch: PushBatch([]), due: start)
    }

    @Test func `customers come before agents, of whom a browser has two attempts`() throws {
        var queue = PushQueue()
        for number in 0..<5 { _ = queue.add(try agents(100, about: "c\(number)")) }
        for number in 0..<2 { _ = queue.add(try job(number)) }
        let began = queue.take(at: start).map(\.message.key)
        #expect(began.count == 4)
        #expect(began.prefix(2) == [try job(0).message.key, try job(1).message.key])
        queue.end(began[2])
        #expect(queue.take(at: start).map(\.message.subject) == ["c2"])
    }

    @Test func `of too many an agent's is given up before a customer's`() throws {
        var queue = PushQueue()
        _ = queue.add(try job(0))
        _ = queue.add(try agents(1, about: "c1"))
        for number in 2..<PushBounds.mostWaiting { _ = queue.add(try job(number)) }
        #expect(queue.add(try job(PushBounds.mostWaiting)).dropped?.message.subject == "c1")
        let next = queue.add(try job(PushBounds.mostWaiting + 1)).dropped
        #expect(next?.message.key == (try job(0).message.key))
    }

    @Test func `of too many that wait the oldest is given up`() throws {
        var queue = PushQueue()
        for number in 0..<PushBounds.mostWaiting {
            #expect(queue.add(try job(number)).dropped == nil)
        }
        let dropped = queue.add(try job(PushBounds.mostWaiting)).dropped
        #expect(dropped?.message.subscription.endpoint == "https://a.example/0")
        #expect(queue.count == PushBounds.mostWaiting)
    }
}

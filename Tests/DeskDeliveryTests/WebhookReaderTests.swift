import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import TestSupport
import Testing

@testable import DeskDelivery

/// How the log is read for all endpoints.
@Suite struct WebhookReaderTests {
    @Test func `while it cannot be found out how far the log was read, no event is passed over`()
        async throws
    {
        let posting = try await Posting(over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(posting.store as? DoubtfulStore)
        let webhook = try await posting.add(1)
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        let begun = EventID(epoch: posting.store.epoch, position: posting.store.newest)
        try await posting.store.advance(
            WebhookReader.name, from: nil, to: begun, storing: .nothing, under: lease)
        try await posting.write("a")
        let reader = WebhookReader(
            broker: posting.broker, webhooks: posting.runner.webhooks,
            texts: posting.runner.texts, now: { dawn }, added: { _ in }, well: { _ in [] })
        doubtful.fail(1)
        let error = await #expect(throws: StoreError.self) { try await reader.follow(under: lease) }
        #expect(error?.code == .unavailable)
        #expect(try await posting.store.findCursor(of: WebhookReader.name) == begun)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.follow(under: lease) }
            try await Wait.until("the event is noted") {
                try await posting.store.countDeliveries(of: webhook.outbox) == [.pending: 1]
            }
            group.cancelAll()
        }
    }

    @Test func `events that are not noted for endpoints are a metric, and others' are not`()
        async throws
    {
        let metrics = Metrics()
        let posting = try await Posting(metrics: metrics, over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(posting.store as? DoubtfulStore)
        let webhook = try await posting.add(1)
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        let begun = EventID(epoch: posting.store.epoch, position: posting.store.newest)
        try await posting.store.advance(
            WebhookReader.name, from: nil, to: begun, storing: .nothing, under: lease)
        try await posting.store.releaseLease(lease)
        func shows(_ lag: Int64) -> Bool {
            metrics.text().contains("frontdesk_reader_lag_events{reader=\"webhooks\"} \(lag)\n")
        }
        try await posting.write("a")
        #expect(shows(0))
        doubtful.fail(9_999)
        try await posting.run {
            try await Wait.until("it stands still behind the event") {
                shows(posting.store.newest.value - begun.position.value)
            }
            try await posting.write("b")
            #expect(shows(posting.store.newest.value - begun.position.value))
            doubtful.fail(0)
            try await posting.pass(.zero, until: "it is level again") { shows(0) }
            try await posting.wait(for: 2, .delivered, of: webhook)
            try await posting.write("c", in: 2, of: otherShop)
            try await Wait.until("nothing of it is awaited") { shows(0) }
        }
        #expect(shows(0))
    }

    @Test(arguments: [1, 50, 100])
    func `the log is read once for all endpoints`(count: Int) async throws {
        var known: SQLiteStore?
        let posting = try await Posting(over: {
            known = $0
            return $0
        })
        let store = DoubtfulStore(over: try #require(known), isDeaf: true)
        var endpoints: [Webhook] = []
        for number in 0..<count { endpoints.append(try await posting.add(number)) }
        for number in 0..<40 { try await posting.write("m\(number)") }
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        // This broker has none of the events in memory.
        let reader = WebhookReader(
            broker: Broker(store: store, now: { dawn }), webhooks: LoadedWebhooks(store: store),
            texts: posting.runner.texts,
            now: { dawn }, added: { _ in }, well: { _ in [] })
        let before = store.eventsRead
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.follow(under: lease) }
            let newest = EventID(epoch: store.epoch, position: store.newest)
            try await Wait.until("all are noted") {
                try await posting.store.findCursor(of: WebhookReader.name) == newest
            }
            group.cancelAll()
        }
        for endpoint in endpoints {
            #expect(try await posting.store.countDeliveries(of: endpoint.outbox) == [.pending: 40])
        }
        let written = try await posting.store.events(
            after: .start, in: .businesses([shop]), limit: 300
        )
        .events.count
        #expect(store.eventsRead - before == written)
    }
}

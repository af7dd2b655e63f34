import DeskModel
import DeskStore
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
}

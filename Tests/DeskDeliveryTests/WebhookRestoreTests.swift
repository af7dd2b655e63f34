import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskDelivery

/// Where the posting goes on in a store that began anew.
@Suite struct WebhookRestoreTests {
    @Test(arguments: [
        (0, ["b", "c", "later"]), (1, ["c", "later"]), (2, ["later"]), (9, ["later"]),
    ])
    func
        `in a restored store it goes on where it was; a place that the log does not have is its end`(
            behind: Int, posted: [String]
        ) async throws
    {
        let posting = try await Posting()
        let webhook = try await posting.add(1)
        try await posting.write("a")
        let noted = posting.store.newest
        var ids: [String: String] = [:]
        for name in ["b", "c"] { ids[name] = try await posting.write(name) }
        // The cursor is of another life of the store.
        let lease = try #require(
            try await posting.store.acquireLease("reader webhooks", life: .seconds(60)))
        try await posting.store.advance(
            WebhookReader.name, from: nil,
            to: EventID(epoch: Epoch(0xF), position: Position(noted.value + Int64(behind))),
            storing: .nothing, under: lease)
        let reader = WebhookReader(
            broker: posting.broker, webhooks: posting.runner.webhooks,
            texts: posting.runner.texts, now: { dawn }, added: { _ in }, well: { $0 })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reader.follow(under: lease) }
            try await Wait.until("the cursor is of this life") {
                try await posting.store.findCursor(of: WebhookReader.name)?.epoch
                    == posting.store.epoch
            }
            ids["later"] = try await posting.write("later")
            try await Wait.until("all are noted") {
                try await posting.store.countDeliveries(of: webhook.outbox)[.pending]
                    == posted.count
            }
            group.cancelAll()
        }
        try await posting.store.releaseLease(lease)
        try await posting.run { try await posting.receiver.wait(for: posted.count) }
        #expect(
            posting.receiver.ids(at: webhook.url)
                == ["b", "c", "later"].filter { posted.contains($0) }.compactMap { ids[$0] })
    }
}

import DeskLog
import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

@testable import DeskDelivery

/// What is posted to endpoints whose secrets cannot be read.
@Suite struct WebhookSecretTests {
    @Test func `an endpoint whose secret cannot be read waits for another, and no other with it`()
        async throws
    {
        let posting = try await Posting(waits: [.seconds(5), .seconds(5)])
        let spoiled = try await posting.add(1)
        let well = try await posting.add(2)
        try await spoiled.spoilSecrets(in: posting.store)
        try await posting.run {
            let id = try await posting.write("a")
            try await posting.wait(for: 1, .delivered, of: well)
            try await Wait.until("the attempt is stored that could not be made") {
                try await posting.store.findWebhook(spoiled.id)?.failingSince != nil
            }
            #expect(posting.receiver.ids(at: spoiled.url).isEmpty)
            #expect(posting.runner.counts.unreadable.value == 1)
            let known = try #require(try await posting.store.findWebhook(spoiled.id))
            var rotated = known
            rotated.secret = Array(repeating: 8, count: 32)
            #expect(try await posting.store.save(rotated, over: known, author: .server))
            try await posting.pass(.seconds(5), until: "it is posted") {
                posting.receiver.ids(at: spoiled.url) == [id]
            }
            try await posting.wait(for: 1, .delivered, of: spoiled)
            #expect(posting.runner.counts.unreadable.value == 0)
        }
    }
}

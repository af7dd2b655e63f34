import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

/// How much waits for an endpoint.
struct WebhookWaitingTests {
    @Test func `the list says of each endpoint how many deliveries wait, and of many only that`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/webhooks"
        var ids: [WebhookID] = []
        for name in ["quiet", "few", "many"] {
            let made = try await server.post(
                path, #"{"url":"https://\#(name).example/hook"}"#, by: owner)
            ids.append(try #require(made["id"]?.string.flatMap { WebhookID($0) }))
        }
        let conversation = try await server.makeConversation()
        for (place, count) in [(1, 3), (2, 1_001)] {
            let webhook = try #require(try await server.store.findWebhook(ids[place]))
            let queued = (1...count).map {
                Delivery(
                    outbox: webhook.outbox, position: Position(Int64($0)),
                    conversation: conversation.id, due: server.time.now)
            }
            _ = try await server.store.replay(queued, of: webhook.outbox, author: .server)
        }
        let list = try await server.get(path, by: owner)
        let counts = list["data"]?.elements.map { $0["pendingDeliveries"]?.int }
        #expect(counts == [0, 3, 1_000], "\(list.text)")
        let one = try await server.get("\(path)/\(ids[2])", by: owner)
        #expect(one["pendingDeliveries"]?.int == 1_000)
        #expect(one["deliveries"]?["pending"]?.int == 1_001)
    }
}

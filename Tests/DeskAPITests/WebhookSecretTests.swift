import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import StoreSupport
import Testing

@testable import DeskAPI

/// What becomes of a webhook endpoint whose secret cannot be read.
struct WebhookSecretTests {
    @Test func `an endpoint whose secret cannot be read is listed, and works with a new one`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/webhooks"
        var webhooks: [Webhook] = []
        for number: UInt64 in 1...2 {
            var webhook = Webhook(
                id: WebhookID(UniqueID(high: 8, low: number)), business: server.business.id,
                url: "https://shop.example/\(number)", secret: Array(repeating: 7, count: 32),
                createdAt: Timestamp(seconds: 1))
            webhook.headers = [WebhookHeader(name: "Authorization", value: "tea")]
            #expect(try await server.store.add(webhook, author: .server))
            webhooks.append(webhook)
        }
        try await webhooks[0].spoilSecrets(in: server.store)
        let list = try await server.get(path, by: owner)
        #expect(list.status == 200 && list["data"]?.count == 2)
        let readable = (0..<2).map { list["data"]?[$0]?["isSecretReadable"]?.bool }
        #expect(readable == [false, true])
        let one = "\(path)/\(webhooks[0].id.text)"
        #expect(try await server.get(one, by: owner)["isSecretReadable"]?.bool == false)
        let changed = try await server.send(
            .patch, one, #"{"url":"https://other.example","headers":[]}"#, by: owner)
        #expect(changed.status == 422 && changed.text.contains("\(one)/secret"))
        let disabled = try await server.send(.patch, one, #"{"state":"disabled"}"#, by: owner)
        #expect(disabled.status == 200 && disabled["state"]?.string == "disabled")
        #expect(try await server.post(one + "/enable", "", by: owner).status == 200)
        let renewed = try await server.post(one + "/secret", "{}", by: owner)
        #expect(renewed["secret"]?.string?.hasPrefix("whsec_") == true)
        #expect(renewed["isSecretReadable"]?.bool == true)
        // There is no former one that could be used beside it.
        #expect(renewed["formerSecretUntil"]?.isNull == true)
        #expect(renewed["headers"]?.count == 0)
        let kept = try #require(try await server.store.findWebhook(webhooks[0].id))
        #expect(!kept.isSecretUnreadable && kept.url == webhooks[0].url)
        #expect(try await server.store.findWebhook(webhooks[1].id) == webhooks[1])
    }
}

import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Where the stored headers of a webhook endpoint may go.
struct WebhookAddressTests {
    /// A change of an endpoint at `https://shop.example/hook` with one header, and what follows.
    struct Change: Sendable {
        let body: String
        let status: Int
        var headers = ["tea"]
    }

    @Test(arguments: [
        Change(body: #"{"url":"https://shop.example/other?a=b"}"#, status: 200),
        Change(body: #"{"url":"https://SHOP.example:443/hook"}"#, status: 200),
        Change(body: #"{"description":"The shop's"}"#, status: 200),
        Change(body: #"{"url":"https://other.example/hook"}"#, status: 422),
        Change(body: #"{"url":"https://shop.example.other.example/hook"}"#, status: 422),
        Change(body: #"{"url":"https://shop.example:8443/hook"}"#, status: 422),
        Change(body: #"{"url":"http://shop.example/hook"}"#, status: 422),
        Change(body: #"{"url":"http://shop.example:443/hook"}"#, status: 422),
        Change(body: #"{"url":"https://other.example","headers":null}"#, status: 422),
        Change(body: #"{"url":"https://other.example","headers":[]}"#, status: 200, headers: []),
        Change(
            body: #"{"url":"https://other.example","headers":[{"name":"B","value":"milk"}]}"#,
            status: 200, headers: ["milk"]),
    ])
    func `stored headers stay at their origin; for another one they are stated or dropped`(
        _ change: Change
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        var webhook = Webhook(
            id: WebhookID(UniqueID(high: 8, low: 1)), business: server.business.id,
            url: "https://shop.example/hook", secret: Array(repeating: 7, count: 32),
            createdAt: Timestamp(seconds: 1))
        webhook.headers = [WebhookHeader(name: "Authorization", value: "tea")]
        #expect(try await server.store.add(webhook, author: .server))
        let answer = try await server.send(
            .patch, "/api/businesses/\(server.business.id)/webhooks/\(webhook.id.text)",
            change.body, by: owner)
        #expect(answer.status == change.status)
        #expect(!answer.text.contains("tea"))
        let kept = try #require(try await server.store.findWebhook(webhook.id))
        #expect(kept.headers.map(\.value) == change.headers)
        guard change.status == 422 else { return }
        #expect(answer.text.contains("Send headers too"))
        #expect(kept == webhook)
    }
}

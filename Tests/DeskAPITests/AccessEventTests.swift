import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What is published of keys and webhook endpoints that people end, replace, disable and enable.
struct AccessEventTests {
    /// The data of the events of some types, as `TYPE BUSINESS DATA`.
    private func events(_ server: TestServer, _ types: EventType...) async throws -> [String] {
        try await server.store.events(after: .start, in: .everything, limit: 300).events
            .compactMap { event in
                guard types.contains(event.type), case .json(let data) = event.body else {
                    return nil
                }
                let text = String(decoding: data, as: UTF8.self)
                return "\(event.type.rawValue) \(event.business.text) \(text)"
            }
    }

    @Test func `a key that is revoked or replaced is an event of each of its businesses`()
        async throws
    {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let made = try await server.post("/api/businesses", #"{"name":"Kiosk"}"#, by: ada)
        let (first, second) = (server.other.id.text, try #require(made["id"]?.string))
        let body = #"{"name":"till","businesses":["\#(first)","\#(second)"]}"#
        let key = try #require(
            try await server.post("/api/keys", body, by: ada)["key"]?["id"]?.string)
        let by = #""by":{"type":"agent","id":"\#(try await server.agentID(of: ada))"}"#
        let replaced = try await server.post(
            "/api/keys/\(key)/replacement", #"{"overlapSeconds":60}"#, by: ada)
        let next = try #require(replaced["key"]?["id"]?.string)
        let until = server.time.now.advanced(by: .seconds(60)).text
        let data = #"{"key":"\#(key)","successor":"\#(next)","until":"\#(until)",\#(by)}"#
        #expect(
            try await events(server, .keyReplaced).sorted()
                == [first, second].map { "key.replaced \($0) \(data)" }.sorted())
        // For one business, then for what is left; what is revoked already publishes nothing.
        let path = "/api/businesses/\(second)/keys/\(next)"
        #expect(try await server.send(.delete, path, by: ada).status == 204)
        #expect(try await server.send(.delete, path, by: ada).status == 404)
        for id in [next, key] {
            #expect(try await server.send(.delete, "/api/keys/\(id)", by: ada).status == 204)
        }
        _ = try await server.send(.delete, "/api/keys/\(key)", by: ada)
        let ends = [(second, next), (first, next), (first, key), (second, key)]
        #expect(
            try await events(server, .keyRevoked).sorted()
                == ends.map { #"key.revoked \#($0.0) {"key":"\#($0.1)",\#(by)}"# }.sorted())
    }

    @Test func `an endpoint that people disable and enable is an event each time, with who did it`()
        async throws
    {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let webhook = Webhook(
            id: WebhookID(UniqueID(high: 8, low: 1)), business: server.business.id,
            url: "https://shop.example/hook", secret: Array(repeating: 7, count: 32),
            createdAt: Timestamp(seconds: 1))
        #expect(try await server.store.add(webhook, author: .server))
        let path = "/api/businesses/\(server.business.id)/webhooks/\(webhook.id.text)"
        for _ in 0..<2 {
            let disabled = try await server.send(
                .patch, path, #"{"state":"disabled"}"#, by: ada)
            #expect(disabled["reason"]?.string == "member")
        }
        for _ in 0..<2 {
            let enabled = try await server.post(path + "/enable", by: ada)
            #expect(enabled["state"]?.string == "enabled")
        }
        let head = #"{"webhook":"\#(webhook.id.text)","url":"https://shop.example""#
        let by = #""by":{"type":"agent","id":"\#(try await server.agentID(of: ada))"}}"#
        #expect(
            try await events(server, .webhookDisabled, .webhookEnabled) == [
                #"webhook.disabled \#(server.business.id) \#(head),"reason":"member",\#(by)"#,
                #"webhook.enabled \#(server.business.id) \#(head),\#(by)"#,
            ])
        #expect(try await server.send(.delete, path, by: ada).status == 204)
        #expect(try await events(server, .webhookDisabled).count == 1)
    }
}

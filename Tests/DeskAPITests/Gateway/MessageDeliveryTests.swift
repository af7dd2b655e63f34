import APITestSupport
import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb
import StoreSupport
import Testing

struct MessageDeliveryTests {
    @Test func `a message shows how far it came towards a provider, and nothing without a link`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let early = try await server.makeConversation()
        let none = try await server.get(
            "/api/conversations/\(early.id.text)/deliveries", by: owner)
        #expect(none["isLinked"]?.bool == false)
        #expect(none["data"]?.count == 0)
        let made = try await server.send(
            .put, "/api/businesses/\(server.business.id)/gateway/registration",
            GatewayRouteTests.endpoint, by: owner)
        #expect(made.status == 201)
        let link = try #require(server.services.links.find(.provider, of: server.business.id))
        // What was said before the link was made is not sent over it.
        let talk = try await server.makeConversation()
        let path = "/api/conversations/\(talk.id.text)/deliveries"
        let message = try #require(
            try await server.store.messages(in: talk.id, .newest, limit: 1).elements.first)
        let now = server.time.now
        var delivery = Delivery(
            outbox: link.outbox, position: message.position, conversation: talk.id, due: now)
        try await server.store.enqueue(
            [delivery], of: link.outbox, upTo: message.position,
            under: try await server.store.leaseOfTest())
        delivery.attempts = 1
        delivery.last = DeliveryAttempt(time: now, status: 503, detail: "later")
        try await server.store.attempt(delivery)
        let waits = try await server.get(path, by: owner)
        #expect(waits["data"]?.count == 1)
        #expect(waits["data"]?[0]?["message"]?.string == message.id.text)
        #expect(waits["data"]?[0]?["state"]?.string == "pending")
        #expect(waits["data"]?[0]?["status"]?.int == 503)
        delivery.state = .delivered
        delivery.last = DeliveryAttempt(time: now, status: 200, detail: "accepted")
        try await server.store.attempt(delivery)
        let taken = try await server.get(path + "?after=0", by: owner)
        #expect(taken["data"]?[0]?["state"]?.string == "delivered")
        #expect(taken["data"]?[0]?["due"]?.isNull == true)
        #expect(try await server.get(path).status == 401)
    }
}

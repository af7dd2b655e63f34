import APITestSupport
import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What a customer receives, and what not.
struct CustomerSecretTests {
    @Test func `a stream that goes on says that the customer left, and has only what came after`()
        async throws
    {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)"
        let first = try await server.post(
            path + "/messages", #"{"id":"\#(server.services.broker.makeID())","text":"secret"}"#)
        let token = try #require(first.cookie("fdc"))
        let phone = TestServer.Caller.customer(token)
        #expect(try await server.send(.delete, path + "/conversation", by: phone).status == 204)
        let second = try await server.post(
            path + "/messages", #"{"id":"\#(server.services.broker.makeID())","text":"back"}"#,
            by: phone)
        #expect(second.status == 201)
        let list = try await server.get(path + "/messages", by: phone)
        #expect(list["data"]?.count == 1)

        let id = try #require(first["message"]?["conversation"]?.string)
        let name = try #require(ConversationID(id))
        let conversation = try #require(
            try await server.store.findConversation(name))
        let session = try #require(Token(token)).digest
        let principal = CustomerPrincipal(
            business: server.business.id, conversation: conversation.id,
            customer: conversation.customer.id, device: "",
            session: session)
        let feed = Feed.customer(principal, deletedUpTo: conversation.deletedUpTo)
        let begin = EventID(epoch: server.store.epoch, position: .start)
        let reader = server.services.broker.events(after: begin, in: feed.scope)
        var received: [String] = []
        reading: while let item = try await reader.next() {
            switch item {
            case .event(let shared) where feed.includes(shared.event):
                received.append(shared.event.type.rawValue)
                let text = String(decoding: EventText.customer(shared.event), as: UTF8.self)
                #expect(!text.contains("secret"))
            case .live: break reading
            case .event, .signal, .reset, .cutOff: continue
            }
        }
        #expect(received == ["customer.left", "message.accepted"])
    }

    @Test func `a customer does not learn which agent or key writes`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await KeyMint(services: server.services).make(
            name: "back office", businesses: [server.business]
        ).key
        let signal = Signal(
            kind: .typing, business: server.business.id, conversation: conversation.id,
            who: .key(key.id), state: .start)
        let authorNames = server.services.authorNames
        try await authorNames.load([signal.who])
        func text(_ audience: Audience) -> String {
            String(
                decoding: EventText.signal(signal, for: audience, authorNames), as: UTF8.self)
        }
        #expect(text(.business).contains("back office"))
        #expect(!text(.customer).contains("back office"))
        #expect(!text(.customer).contains(key.id.text))
        #expect(text(.customer).contains(#""type":"key""#))
    }

    @Test func `a large payload's link leads a customer to a route of its own`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let page = try await server.store.messages(in: conversation.id, .newest, limit: 1)
        let message = try #require(page.elements.first).carrying(atMostBytes: 1)
        var customer = JSONWriter()
        customer.customerMessage(message)
        let shown = try JSONDocument(parsing: customer.bytes).root["payload"]?["url"]?.string
        #expect(shown == "/api/phone/\(server.business.id)/messages/\(message.id)")
        var business = JSONWriter()
        business.message(message, server.services.authorNames)
        let other = try JSONDocument(parsing: business.bytes).root["payload"]?["url"]?.string
        #expect(other == "/api/conversations/\(conversation.id)/messages/\(message.id)")
    }

    @Test func `a visit gives the phone its cookie again, with all its days`() async throws {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)"
        let first = try await server.post(
            path + "/messages", #"{"id":"\#(server.services.broker.makeID())","text":"Hi"}"#)
        let token = try #require(first.cookie("fdc"))
        server.time.advance(by: .seconds(20 * 3_600))
        let visit = try await server.get(path, by: .customer(token))
        #expect(visit.cookie("fdc") == token)
        #expect(visit.headers["set-cookie"]?.contains("Max-Age=2592000") == true)
        // Older than a day it is another token, with all its days too.
        server.time.advance(by: .seconds(20 * 86_400))
        let late = try await server.get(path, by: .customer(token))
        let next = try #require(late.cookie("fdc"))
        #expect(next != token && late.headers.values("set-cookie").count == 1)
        #expect(late.headers["set-cookie"]?.contains("Max-Age=2592000") == true)
        server.time.advance(by: .seconds(20 * 86_400))
        #expect(try await server.get(path + "/messages", by: .customer(next)).status == 200)
        #expect(try await server.get(path)["conversation"]?.isNull == true)
        #expect(try await server.get(path).cookie("fdc") == nil)
    }
}

import APITestSupport
import DeskBroker
import DeskEventJSON
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What a customer reads of a sign-in request: in streams as in lists, without the client's secret.
struct CustomerViewTests {
    @Test func `neither a list nor a stream shows a customer the client's secret`() async throws {
        let server = try await TestServer()
        let path = "/api/phone/\(server.business.id)/messages"
        let said = try await server.post(
            path, #"{"id":"\#(server.services.broker.makeID())","text":"Hi","locale":"en_US"}"#)
        let phone = TestServer.Caller.customer(try #require(said.cookie("fdc")))
        let conversation = try #require(
            (said["message"]?["conversation"]?.string).flatMap { ConversationID($0) })
        let payload = """
            {"v":1,"type":"interactive","interactiveData":{"bid":"b","data":{"version":"1.0",\
            "requestIdentifier":"r","authenticate":{"oauth2":{"responseType":"code",\
            "clientSecret":"hush-hush","scope":["a"],"state":"s"}}}}}
            """
        _ = try await server.services.broker.accept(
            Submission(
                conversation: conversation, id: server.services.broker.makeMessageID(),
                payload: Array(payload.utf8),
                facts: MessageFacts(
                    direction: .outbound, kind: .authentication, author: .provider("m"),
                    origin: .gateway)))
        let listed = try await server.get(path, by: phone)
        let shown = listed["data"]?[1]?["payload"]?["interactiveData"]?["data"]?["authenticate"]
        #expect(shown?.rawText.contains("state") == true)
        #expect(shown?.rawText.contains("hush") == false)

        let events = try await server.store.events(after: .start, in: .everything, limit: 300)
            .events
        let asked = try #require(events.last)
        let streamed = String(decoding: EventText.customer(asked), as: UTF8.self)
        #expect(streamed.contains("\"state\"") && !streamed.contains("hush"))
        // What is stored, and what the business reads, is as it was sent.
        let stored = try await server.store.messages(in: conversation, .newest, limit: 1)
        #expect(stored.elements.first?.payload.carriedBytes == Array(payload.utf8))
        let business = EventText.business(asked, server.services.authorNames)
        #expect(String(decoding: business, as: UTF8.self).contains("hush-hush"))
    }
}

import APITestSupport
import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskSandbox

struct InvitedPhoneTests {
    /// An invitation to a number, as a provider's post stores it.
    private func invite(_ server: TestServer, _ business: Business) async throws -> (String, String)
    {
        let id = server.services.broker.makeMessageID()
        let payload = """
            {"v":1,"id":"\(id.text)","type":"interactive","sourceId":"\(business.id.text)",\
            "destinationId":"tel:+14085550123","interactiveData":{"bid":"b","data":{\
            "version":"1.0","requestIdentifier":"r","notification":{"templateId":"t",\
            "referenceId":"order-42","locale":"en-us","parameters":{"brandName":"Shop"}}}}}
            """
        let place = ConversationID(server.services.broker.makeID())
        _ = try await server.services.broker.open(
            Opening(
                business: business.id,
                customer: Customer(id: try #require(CustomerID("urn:mbid:AQAAYw=="))),
                conversation: place,
                message: Submission(
                    conversation: place, id: id, payload: Array(payload.utf8),
                    facts: MessageFacts(
                        direction: .outbound, kind: .invitation, author: .provider("msp-1"),
                        origin: .gateway))))
        return ("/api/sandbox/invitations/\(place.text)", id.text)
    }

    private func body(_ message: String, _ answer: String) -> String {
        #"{"message":"\#(message)","answer":"\#(answer)"}"#
    }

    @Test func `an invitation is accepted once, as the customer's answer to it`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let (path, message) = try await invite(server, server.business)
        #expect(try await server.post(path, body(message, "accept"), by: owner).status == 204)
        for answer in ["accept", "decline"] {
            let again = try await server.post(path, body(message, answer), by: owner)
            #expect(again.code == "not_offered")
        }
        let place = try #require(path.split(separator: "/").last)
        let conversation = try #require(ConversationID(String(place)))
        let thread = try await server.store.messages(in: conversation, .newest, limit: 9).elements
        #expect(thread.count == 2)
        #expect(thread.last?.facts.direction == .inbound)
        #expect(thread.last?.facts.kind == .invitation)
        #expect(thread.last?.facts.inReplyTo?.text == message)
    }

    @Test func `a declined invitation leaves the conversation`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let (path, message) = try await invite(server, server.business)
        #expect(try await server.post(path, body(message, "decline"), by: owner).status == 204)
        let place = try #require(path.split(separator: "/").last)
        let conversation = try #require(ConversationID(String(place)))
        #expect(try await server.store.findConversation(conversation)?.hasLeft == true)
        let again = try await server.post(path, body(message, "accept"), by: owner)
        #expect(again.code == "not_offered")
    }

    @Test func `who does not belong, and what is no invitation, is refused`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let cleo = try await server.makeMember(
            "cleo@example.com", .owner, of: server.other, by: owner)
        let (path, message) = try await invite(server, server.business)
        #expect(try await server.post(path, body(message, "accept")).status == 401)
        #expect(try await server.post(path, body(message, "accept"), by: cleo).status == 404)
        #expect(
            try await server.post(path, body("nothing", "accept"), by: owner).code == "not_offered")
        #expect(try await server.post(path, body(message, "maybe"), by: owner).code == "invalid")
        let talk = try await server.makeConversation()
        let said = try #require(
            try await server.store.messages(in: talk.id, .newest, limit: 1).elements.first)
        let other = "/api/sandbox/invitations/\(talk.id.text)"
        #expect(
            try await server.post(other, body(said.id.text, "accept"), by: owner).code
                == "not_offered")
    }

    @Test func `a live business's customers cannot be played`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let (path, message) = try await invite(server, server.other)
        let answer = try await server.post(path, body(message, "accept"), by: owner)
        #expect(answer.code == "not_offered")
    }
}

import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskAPI

/// Erasing whole conversations and persons by their routes.
@Suite struct ErasureRouteTests {
    private struct Desk {
        let server: TestServer
        let owner: TestServer.Caller
        let conversation: ConversationID
        var path: String { "/api/conversations/\(conversation)" }
        var contact: String {
            "/api/businesses/\(server.business.id)/contacts/\(conversation)"
        }

        init(messages: Int = 3) async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            conversation = try await server.makeConversation().id
            // The customer has said something.
            for number in 2...messages {
                try await send("the words \(number)")
            }
        }

        func send(_ text: String) async throws {
            let sent = try await server.post(
                path + "/messages", #"{"type":"text","body":"\#(text)"}"#, by: owner)
            #expect(sent.status == 201, "\(sent.text)")
        }

        func post(_ path: String, by caller: TestServer.Caller? = nil) async throws -> Answer {
            try await server.send(.post, path, by: caller ?? owner)
        }

        func thread() async throws -> [Answer] {
            [
                try await server.get(path + "/messages", by: owner),
                try await server.get(path, by: owner),
            ]
        }
    }

    @Test func `a conversation is erased with its notes, and what is counted before is what goes`()
        async throws
    {
        let desk = try await Desk()
        let note = try await desk.server.post(
            desk.path + "/notes", #"{"text":"the words of a note"}"#, by: desk.owner)
        #expect(note.status == 201, "\(note.text)")
        let counts = try await desk.server.get(desk.path + "/erasure", by: desk.owner)
        #expect(counts.status == 200, "\(counts.text)")
        #expect(counts["messages"]?.int == 3 && counts["notes"]?.int == 1)
        #expect(counts["conversations"]?.int == 1 && counts["scheduled"]?.int == 0)
        let erased = try await desk.post(desk.path + "/erasure")
        #expect(erased.status == 200, "\(erased.text)")
        #expect(erased["complete"]?.bool == true && erased["next"]?.isNull == true)
        #expect(erased["messages"]?.int == 3 && erased["notes"]?.int == 1)
        for answer in try await desk.thread() {
            #expect(answer.status == 200 && !answer.text.contains("the words"))
        }
        let again = try await desk.post(desk.path + "/erasure")
        #expect(again["complete"]?.bool == true)
        #expect(again["messages"]?.int == 0 && again["notes"]?.int == 0)
        let left = try await desk.server.get(desk.path + "/erasure", by: desk.owner)
        #expect(left["messages"]?.int == 0 && left["notes"]?.int == 0)
        // What is said after it is not erased.
        try await desk.send("said later")
        let thread = try await desk.thread()
        #expect(thread.allSatisfy { $0.text.contains("said later") })
    }

    @Test func `an erasure goes on where its request stopped, and spares what came meanwhile`()
        async throws
    {
        let desk = try await Desk(messages: 5)
        var run = ErasureRun(
            desk.server.services, by: .server, for: .zero)
        #expect(try await run.erase(desk.conversation, from: nil) == nil)
        #expect(run.counts.messages == 5)
        // As after a request that stopped behind the second of seven messages.
        try await desk.send("six")
        try await desk.send("seven")
        let place = ErasurePlace(
            .conversation(desk.conversation, after: SequenceNumber(2), upTo: SequenceNumber(6)))
        let next = try await desk.post(desk.path + "/erasure?from=\(place.text)")
        #expect(next["messages"]?.int == 1 && next["complete"]?.bool == true, "\(next.text)")
        let thread = try await desk.thread()
        #expect(!thread[0].text.contains("six") && thread[0].text.contains("seven"))
    }

    @Test func `a place of another conversation, and what is none, is refused`() async throws {
        let desk = try await Desk()
        for place in [
            "1", "events.x", "\(desk.server.business.id).1.2", "\(desk.conversation).3.2",
        ] {
            let answer = try await desk.post(desk.path + "/erasure?from=\(place)")
            #expect(answer.status == 422, "\(place) \(answer.text)")
        }
        #expect(ErasurePlace("events.7")?.part == .events(after: Position(7)))
        #expect(ErasurePlace("events.7")?.text == "events.7")
    }

    @Test func `a person is erased with the conversation, and is shown as erased until they write`()
        async throws
    {
        let desk = try await Desk()
        let named = try await desk.server.send(
            .patch, desk.contact,
            #"{"name":"Mrs Sato","externalId":"C-7","notes":"the words about her"}"#,
            by: desk.owner)
        #expect(named.status == 200, "\(named.text)")
        let counts = try await desk.server.get(desk.contact + "/erasure", by: desk.owner)
        #expect(counts["conversations"]?.int == 1 && counts["messages"]?.int == 3)
        let erased = try await desk.post(desk.contact + "/erasure")
        #expect(erased["complete"]?.bool == true && erased["messages"]?.int == 3)
        let contact = try await desk.server.get(desk.contact, by: desk.owner)
        #expect(contact["name"]?.isNull == true && contact["externalId"]?.isNull == true)
        #expect(contact["notes"]?.string == "")
        #expect(!contact.text.contains("Mrs Sato") && !contact.text.contains("the words"))
        let shown = try await desk.server.get(desk.path, by: desk.owner)
        #expect(shown["customer"]?["erased"]?.bool == true, "\(shown.text)")
        let page = try await desk.server.store.events(after: .start, in: .everything, limit: 300)
        for event in page.events {
            guard case .json(let data) = event.body else { continue }
            let text = String(decoding: data, as: UTF8.self)
            #expect(!text.contains("Mrs Sato") && !text.contains("C-7"))
        }
        try await desk.send("said later")
        let later = try await desk.server.get(desk.path, by: desk.owner)
        #expect(later["customer"]?["erased"] == nil)
    }

    @Test func `agents, keys without the scope and people of other businesses erase nothing`()
        async throws
    {
        let desk = try await Desk()
        let agent = try await desk.server.makeMember(
            "ben@example.com", .agent, of: desk.server.business, by: desk.owner)
        let key = try await desk.server.makeKey([desk.server.business], scopes: .send)
        for caller in [agent, key] {
            for path in [desk.path, desk.contact] {
                #expect(try await desk.post(path + "/erasure", by: caller).status == 403)
                #expect(
                    try await desk.server.get(path + "/erasure", by: caller).status == 403)
            }
        }
        let other = try await desk.server.store.businesses().first {
            $0.id != desk.server.business.id
        }
        if let other {
            let path = "/api/businesses/\(other.id)/contacts/\(desk.conversation)/erasure"
            #expect([403, 404].contains(try await desk.post(path).status))
        }
        #expect(try await desk.thread()[0].text.contains("the words"))
        let may = try await desk.server.makeKey([desk.server.business], scopes: .administration)
        #expect(try await desk.post(desk.path + "/erasure", by: may).status == 200)
    }
}

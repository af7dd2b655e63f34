import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct AutomaticAnswerTests {
    /// A server, its owner, three templates, and a scheduler that is asked by hand.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let scheduler: Scheduler

        init(_ answers: String) async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            scheduler = Scheduler(services: server.services)
            for (name, text) in [
                ("welcome", "Welcome to {{business.name}}"), ("closed", "We are closed"),
                ("sorry", "It takes longer"),
            ] { try await publish(name, text) }
            let set = try await server.send(.put, path, answers, by: owner)
            #expect(set.status == 200)
        }

        var path: String { "/api/businesses/\(server.business.id)/automatic-answers" }

        func publish(_ name: String, _ text: String, parameters: String = "") async throws {
            let made = try await server.post(
                "/api/templates",
                #"{"business":"\#(server.business.id)","name":"\#(name)","title":"T","#
                    + #""payload":{"type":"text","body":"\#(text)"}\#(parameters)}"#, by: owner)
            #expect(made.status == 201)
        }

        func set(hours: String) async throws {
            let set = try await server.send(
                .put, "/api/businesses/\(server.business.id)/hours", hours, by: owner)
            #expect(set.status == 200)
        }

        func pass(_ duration: Duration) async throws {
            server.time.advance(by: duration)
            _ = try await scheduler.doRound()
        }

        /// What the server said by itself in a conversation.
        func said(in conversation: Conversation) async throws -> [StoredMessage] {
            try await server.store.messages(in: conversation.id, .newest, limit: 99).elements
                .filter { $0.facts.author == .server }
        }

        func names(in conversation: Conversation) async throws -> [String] {
            try await said(in: conversation).compactMap { $0.facts.template?.name.text }
        }

        /// The customer writes once more.
        func write(_ number: UInt64, in conversation: Conversation) async throws {
            let facts = MessageFacts(
                direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .phone,
                summary: "More")
            _ = try await server.services.broker.accept(
                Submission(
                    conversation: conversation.id,
                    id: try #require(MessageID(UniqueID(high: 0x77, low: number).text)),
                    payload: Array(#"{"type":"text"}"#.utf8), facts: facts))
        }

        func answer(in conversation: Conversation) async throws {
            let sent = try await server.post(
                "/api/conversations/\(conversation.id)/messages",
                #"{"type":"text","body":"Here I am"}"#, by: owner)
            #expect(sent.status == 201)
        }
    }

    private static let never = #"{"timeZone":"Europe/Berlin","week":{}}"#

    @Test func `a first message is greeted once, and the customer still waits`() async throws {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.pass(.milliseconds(1))
        let said = try await setting.said(in: conversation)
        #expect(said.count == 1)
        #expect(said.first?.facts.isAutomatic == true)
        #expect(said.first?.facts.origin == .server)
        let after = try #require(
            try await setting.server.store.findConversation(conversation.id))
        #expect(after.waitingSince == conversation.waitingSince)
        #expect(after.unread == 1)
        #expect(after.assignee == nil)
        #expect(after.newest == SequenceNumber(2))
        let path = "/api/conversations/\(conversation.id)"
        let thread = try await setting.server.get(path + "/messages", by: setting.owner)
        #expect(thread["data"]?[1]?["automatic"]?.bool == true)
        #expect(thread["data"]?[0]?["automatic"] == nil)
        // More of the customer's is not greeted again, nor is what is looked at twice.
        try await setting.write(1, in: conversation)
        try await setting.pass(.seconds(1))
        #expect(try await setting.names(in: conversation) == ["welcome"])
        // It is no colleague whom an agent would answer over.
        let sent = try await setting.server.post(
            path + "/messages?ifLastSequence=1", #"{"type":"text","body":"Hello"}"#,
            by: setting.owner)
        #expect(sent.status == 201)
        // A closed conversation that the customer writes into begins anew.
        _ = try await setting.server.services.broker.change(conversation.id, .close, by: .server)
        try await setting.write(2, in: conversation)
        try await setting.pass(.seconds(1))
        #expect(try await setting.names(in: conversation) == ["welcome", "welcome"])
    }

    @Test func `an automatic answer calls the customer as the contact is called`() async throws {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        try await setting.publish(
            "welcome", "Hello {{customer.name}}",
            parameters:
                #","parameters":[{"name":"customer.name","type":"text","default":"there"}]"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.pass(.milliseconds(1))
        let named = try await setting.server.send(
            .patch,
            "/api/businesses/\(setting.server.business.id)/contacts/\(conversation.contact)",
            #"{"name":"Mika"}"#, by: setting.owner)
        #expect(named.status == 200, "\(named.text)")
        _ = try await setting.server.services.broker.change(conversation.id, .close, by: .server)
        try await setting.write(1, in: conversation)
        try await setting.pass(.seconds(1))
        let said = try await setting.said(in: conversation).compactMap(\.payload.carriedBytes)
        let texts = try said.map { try JSONDocument(parsing: $0).root["body"]?.string }
        #expect(texts == ["Hello there", "Hello Mika"])
    }

    @Test func `lists and searches have what the customer said before an automatic answer`()
        async throws
    {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        let (server, owner) = (setting.server, setting.owner)
        let plain = try await server.makeConversation()
        try await setting.answer(in: plain)
        let conversation = try await server.makeConversation()
        try await setting.pass(.milliseconds(1))
        let path = "/api/conversations/\(conversation.id)"
        let list = "/api/conversations?business=\(server.business.id)"
        let search = "/api/search?in=customers&business=\(server.business.id)&q="
        let name = conversation.customer.id.text.filter { $0.isLetter || $0.isNumber }.suffix(4)
        for one in [
            try await server.get(path, by: owner).document?.root,
            try await server.get(list, by: owner)["data"]?[0],
            try await server.get(list + "&filter[waiting]=true", by: owner)["data"]?[0],
            try await server.get(search + name, by: owner)["conversations"]?[0],
        ] {
            #expect(one?["lastMessage"]?["author"]?["type"]?.string == "server")
            let said = try #require(one?["lastNonAutomatic"])
            #expect(said["summary"]?.string == "Hello")
            #expect(said["author"]?["type"]?.string == "customer")
            #expect(said["sequence"]?.int == 1)
        }
        // Where the newest message is no automatic one there is no such member.
        let other = try await server.get("/api/conversations/\(plain.id)", by: owner)
        #expect(other["lastMessage"] != nil && other["lastNonAutomatic"] == nil)
        // An answer that is remembered for a repeat does not have it.
        let changed = try await server.send(.patch, path, #"{"priority":"high"}"#, by: owner)
        #expect(changed.status == 200 && changed["lastNonAutomatic"] == nil)
        try await setting.answer(in: conversation)
        #expect(try await server.get(path, by: owner)["lastNonAutomatic"] == nil)
    }

    @Test func `of an erased question lists say when it was erased`() async throws {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.pass(.milliseconds(1))
        let path = "/api/conversations/\(conversation.id)"
        let first = try await setting.server.get(path, by: setting.owner)
        let id = try #require(first["lastNonAutomatic"]?["id"]?.string)
        let erased = try await setting.server.send(
            .delete, path + "/messages/\(id)", by: setting.owner)
        #expect(erased.status < 300)
        let after = try await setting.server.get(path, by: setting.owner)
        #expect(after["lastNonAutomatic"]?["summary"]?.string == "")
        #expect(after["lastNonAutomatic"]?["erasedAt"] != nil)
    }

    @Test func `out of hours is said once until it opens, instead of the greeting`()
        async throws
    {
        let setting = try await Setting(
            #"{"greeting":{"template":"welcome"},"outOfHours":{"template":"closed"}}"#)
        try await setting.set(hours: Self.never)
        let conversation = try await setting.server.makeConversation()
        try await setting.pass(.milliseconds(1))
        try await setting.write(1, in: conversation)
        try await setting.pass(.seconds(60))
        try await setting.publish("closed", "We are still closed")
        try await setting.write(2, in: conversation)
        try await setting.pass(.seconds(60))
        #expect(try await setting.names(in: conversation) == ["closed"])
        _ = try await setting.server.send(
            .delete, "/api/businesses/\(setting.server.business.id)/hours", by: setting.owner)
        try await setting.write(3, in: conversation)
        let other = try await setting.server.post(
            "/api/phone/\(setting.server.business.id)/messages",
            #"{"id":"\#(setting.server.services.broker.makeID())","text":"Hi","locale":"en_US"}"#)
        try await setting.pass(.seconds(1))
        #expect(try await setting.names(in: conversation) == ["closed"])
        let text = try #require(other["message"]?["conversation"]?.string)
        let id = try #require(ConversationID(text))
        let second = try #require(try await setting.server.store.findConversation(id))
        #expect(try await setting.names(in: second) == ["welcome"])
    }

    @Test func `who waits for some minutes gets one message, unless an agent answers`() async throws
    {
        let setting = try await Setting(
            #"{"unanswered":{"template":"sorry","afterMinutes":10}}"#)
        let waiting = try await setting.server.makeConversation()
        let answered = try await setting.server.makeConversation()
        try await setting.pass(.seconds(300))
        try await setting.answer(in: answered)
        try await setting.write(1, in: waiting)
        try await setting.pass(.milliseconds(299_999))
        #expect(try await setting.names(in: waiting) == [])
        try await setting.pass(.milliseconds(1))
        #expect(try await setting.names(in: waiting) == ["sorry"])
        try await setting.pass(.seconds(1_200))
        #expect(try await setting.names(in: waiting) == ["sorry"])
        #expect(try await setting.names(in: answered) == [])
        // A new waiting begins with the next message after an answer.
        try await setting.answer(in: waiting)
        try await setting.write(2, in: waiting)
        try await setting.pass(.seconds(600))
        #expect(try await setting.names(in: waiting) == ["sorry", "sorry"])
    }

    @Test func `minutes of waiting are those within hours`() async throws {
        let setting = try await Setting(
            #"{"unanswered":{"template":"sorry","afterMinutes":10}}"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.set(hours: Self.never)
        try await setting.pass(.seconds(600))
        #expect(try await setting.names(in: conversation) == [])
        // The work of a business that never opens is done.
        #expect(
            try await setting.server.store.dueWork(.answer, in: conversation.id).isEmpty)
    }

    @Test func `an automatic message, a closed conversation and one who left get no answer`()
        async throws
    {
        let setting = try await Setting(
            #"{"greeting":{"template":"welcome"},"unanswered":"#
                + #"{"template":"sorry","afterMinutes":1}}"#)
        let broker = setting.server.services.broker
        let closed = try await setting.server.makeConversation()
        _ = try await broker.change(closed.id, .close, by: .server)
        let left = try await setting.server.makeConversation()
        _ = try await broker.change(left.id, .leave, by: .customer(device: ""))
        try await setting.pass(.seconds(60))
        #expect(try await setting.names(in: closed) == [])
        #expect(try await setting.names(in: left) == [])
        let name = "auto-1"
        let id = try #require(MessageID(name))
        let facts = MessageFacts(
            direction: .inbound, kind: .text, author: .customer(device: "d"), origin: .upstream,
            headers: [MessageFacts.automatic], summary: "I am away")
        _ = try await broker.accept(
            Submission(
                conversation: closed.id, id: id, payload: Array("{}".utf8), facts: facts))
        try await setting.pass(.seconds(60))
        #expect(try await setting.names(in: closed) == [])
    }

    @Test func `a server that did not run for long greets no customer late`() async throws {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.pass(.seconds(601))
        #expect(try await setting.names(in: conversation) == [])
    }

    @Test(arguments: [
        (#"{"greeting":{"template":"nothing"}}"#, ["/greeting/template"]),
        (#"{"greeting":{}}"#, ["/greeting"]),
        (#"{"greeting":"welcome"}"#, ["/greeting"]),
        (#"{"outOfHours":{"template":"named"}}"#, ["/outOfHours/template"]),
        (#"{"unanswered":{"template":"sorry"}}"#, ["/unanswered"]),
        (
            #"{"unanswered":{"template":"sorry","afterMinutes":0}}"#,
            ["/unanswered/afterMinutes"]
        ),
        (
            #"{"unanswered":{"template":"sorry","afterMinutes":1441}}"#,
            ["/unanswered/afterMinutes"]
        ),
        (#"{"greeting":{"template":"welcome","afterMinutes":1}}"#, ["/greeting/afterMinutes"]),
    ])
    func `what cannot be sent unattended is refused where it is chosen`(
        body: String, places: [String]
    ) async throws {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        try await setting.publish("named", "Hello {{order}}", parameters: Self.order)
        let refused = try await setting.server.send(.put, setting.path, body, by: setting.owner)
        #expect(refused.status == 422)
        #expect(refused["errors"]?.elements.map { $0["pointer"]?.string } == places)
        let kept = try await setting.server.get(setting.path, by: setting.owner)
        #expect(kept["greeting"]?["template"]?.string == "welcome")
    }

    @Test func `owners choose what is answered, with an event`() async throws {
        let setting = try await Setting(
            #"{"unanswered":{"template":"sorry","afterMinutes":1440}}"#)
        let agent = try await setting.server.makeMember(
            "ben@example.com", .agent, of: setting.server.business, by: setting.owner)
        let read = try await setting.server.get(setting.path, by: agent)
        #expect(read["unanswered"]?["afterMinutes"]?.int == 1_440)
        #expect(read["greeting"]?.isNull == true)
        #expect(
            try await setting.server.send(.put, setting.path, "{}", by: agent).code == "forbidden")
        let newest = setting.server.store.newest
        let off = try await setting.server.send(.put, setting.path, "{}", by: setting.owner)
        #expect(off["unanswered"]?.isNull == true)
        _ = try await setting.server.send(.put, setting.path, "{}", by: setting.owner)
        let events = try await setting.server.store.events(
            after: newest, in: .everything, limit: 9
        ).events
        #expect(events.map(\.type) == [.automaticAnswersSaved])
        let conversation = try await setting.server.makeConversation()
        #expect(try await setting.server.store.dueWork(.answer, in: conversation.id).isEmpty)
    }

    /// A parameter that an agent has to give.
    private static let order = #","parameters":[{"name":"order","type":"text","required":true}]"#

    @Test func `a template that cannot be sent any more is said in the log, and stops nothing`()
        async throws
    {
        let setting = try await Setting(#"{"greeting":{"template":"welcome"}}"#)
        let conversation = try await setting.server.makeConversation()
        try await setting.publish("welcome", "Hello {{order}}", parameters: Self.order)
        try await setting.pass(.seconds(1))
        #expect(try await setting.names(in: conversation) == [])
        let left = try await setting.server.store.dueWork(.answer, in: conversation.id)
        #expect(left.map(\.failure?.code) == ["invalid"])
    }
}

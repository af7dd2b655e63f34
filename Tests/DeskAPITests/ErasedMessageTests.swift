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

/// A message id whose content was erased, sent again over HTTP.
struct ErasedMessageTests {
    /// The routes that accept a message's id.
    enum Route: CaseIterable, Sendable {
        case business, template, phone, choice
    }

    /// One route of a server, with what it needs.
    private struct Sending {
        let server: TestServer
        let conversation: ConversationID
        let path: String
        let caller: TestServer.Caller
        let id: String
        /// The body of a request with some words.
        let body: @Sendable (String) -> String

        init(_ route: Route) async throws {
            let server = try await TestServer()
            self.server = server
            let hello = try await server.post(
                "/api/phone/\(server.business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
            let phone = TestServer.Caller.customer(try #require(hello.cookie("fdc")))
            let name = try #require(hello["message"]?["conversation"]?.string)
            conversation = try #require(ConversationID(name))
            let key = try await server.makeKey([server.business])
            let id = server.services.broker.makeID().text
            self.id = id
            switch route {
            case .business:
                path = "/api/conversations/\(name)/messages"
                caller = key
                body = { #"{"type":"text","id":"\#(id)","body":"\#($0)"}"# }
            case .template:
                let made = try await server.post(
                    "/api/templates",
                    """
                    {"business":"\(server.business.id)","name":"greeting","title":"Greeting",\
                    "description":"","payload":{"type":"text","body":"Hi {{who}}"},\
                    "parameters":[{"name":"who","type":"text","label":"Who","required":true}]}
                    """, by: key)
                #expect(made.status == 201, "\(made.text)")
                path = "/api/conversations/\(name)/template-messages"
                caller = key
                body = {
                    #"{"template":"greeting","id":"\#(id)","values":{"who":"\#($0)"}}"#
                }
            case .phone:
                path = "/api/phone/\(server.business.id)/messages"
                caller = phone
                body = { #"{"id":"\#(id)","text":"\#($0)"}"# }
            case .choice:
                let card = try await server.post(
                    "/api/conversations/\(name)/messages", Self.quickReply, by: key)
                let request = try #require(card["id"]?.string)
                path = "/api/phone/\(server.business.id)/choices"
                caller = phone
                let items = ["first": "a"]
                body = { words in
                    let item = items[words] ?? "b"
                    return """
                        {"id":"\(id)","inReplyTo":"\(request)",\
                        "quickReply":{"identifier":"\(item)"}}
                        """
                }
            }
        }

        private static let quickReply = """
            {"type":"interactive","interactiveData":{"bid":\
            "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:\
            com.apple.icloud.apps.messages.business.extension","data":{"version":"1.0",\
            "requestIdentifier":"r","quick-reply":{"summaryText":"Which?","items":[\
            {"identifier":"a","title":"A"},{"identifier":"b","title":"B"}]}}}}
            """

        func send(_ words: String, key: String? = nil) async throws -> Answer {
            try await server.post(
                path, body(words), by: caller,
                headers: key.map { ["Idempotency-Key": "\"\($0)\""] } ?? [:])
        }

        func erase() async throws {
            try await ErasedMessageTests.erase(id, in: conversation, of: server)
        }
    }

    private static func erase(
        _ id: String, in conversation: ConversationID, of server: TestServer
    ) async throws {
        let order = Erasing(
            [try #require(MessageID(id))], in: conversation, by: .server, at: server.time.now)
        #expect(try await server.store.append(order).get().count == 1)
    }

    @Test(arguments: Route.allCases)
    func `an erased id is gone whatever is sent under it, and nothing is stored`(
        _ route: Route
    ) async throws {
        let sending = try await Sending(route)
        let first = try await sending.send("first")
        #expect(first.status == 201, "\(first.text)")
        try await sending.erase()
        let newest = sending.server.store.newest
        for words in ["first", "other"] {
            let again = try await sending.send(words)
            #expect(again.status == 410, "\(again.text)")
            #expect(again.code == "message_erased")
        }
        #expect(sending.server.store.newest == newest)
    }

    @Test(arguments: [Route.business, .template])
    func `a repeat under the idempotency key of an erased message is gone too`(
        _ route: Route
    ) async throws {
        let sending = try await Sending(route)
        #expect(try await sending.send("first", key: "k").status == 201)
        try await sending.erase()
        let newest = sending.server.store.newest
        for words in ["first", "other"] {
            #expect(try await sending.send(words, key: "k").code == "message_erased")
        }
        #expect(sending.server.store.newest == newest)
    }

    @Test func `a repeat of a batch under its key does not show what was erased since`()
        async throws
    {
        let sending = try await Sending(.business)
        let sent = """
            {"messages":[{"conversation":"\(sending.conversation)","payload":\(sending.body("x"))}]}
            """
        let headers: HeaderFields = ["Idempotency-Key": "k"]
        func send() async throws -> Answer {
            try await sending.server.post(
                "/api/messages/batch", sent, by: sending.caller, headers: headers)
        }
        #expect(try await send().status == 200)
        try await sending.erase()
        let again = try await send()
        #expect(again.status == 410 && again.code == "message_erased", "\(again.text)")
    }

    @Test func `a repeat of a change under its key does not show a last message that was erased`()
        async throws
    {
        let sending = try await Sending(.business)
        #expect(try await sending.send("the words").status == 201)
        func change() async throws -> Answer {
            try await sending.server.send(
                .patch, "/api/conversations/\(sending.conversation)", #"{"state":"closed"}"#,
                by: sending.caller, headers: ["Idempotency-Key": "k"])
        }
        let first = try await change()
        #expect(first.status == 200 && first.text.contains("the words"), "\(first.text)")
        try await sending.erase()
        let again = try await change()
        #expect(again.status == 410 && again.code == "message_erased", "\(again.text)")
    }

    @Test(arguments: ["control", "suggestions"])
    func `a repeat under its key does not show what may quote a message that was erased`(
        _ route: String
    ) async throws {
        let sending = try await Sending(.business)
        let server = sending.server
        #expect(try await sending.send("the words").status == 201)
        let owner = try await server.makeOwner()
        let key = try #require(try await server.store.keys().first).id.text
        let bot = try await server.post(
            "/api/businesses/\(server.business.id)/bots", #"{"name":"Ada","key":"\#(key)"}"#,
            by: owner)
        #expect(bot.status == 201, "\(bot.text)")
        let (body, caller) =
            route == "control"
            ? (#"{"action":"release","metadata":{"said":"the words"}}"#, owner)
            : (#"{"payload":{"type":"text","body":"Did you say the words?"}}"#, sending.caller)
        func ask() async throws -> Answer {
            try await server.post(
                "/api/conversations/\(sending.conversation)/\(route)", body, by: caller,
                headers: ["Idempotency-Key": "k"])
        }
        let first = try await ask()
        #expect(first.status < 300 && first.text.contains("the words"), "\(first.text)")
        #expect(try await ask().text == first.text)
        try await sending.erase()
        let again = try await ask()
        #expect(again.status == 410 && again.code == "message_erased", "\(again.text)")
    }

    @Test func `of a batch only the entry with the erased id is gone`() async throws {
        let sending = try await Sending(.business)
        #expect(try await sending.send("first").status == 201)
        try await sending.erase()
        let other = #"{"type":"text","body":"new"}"#
        let answer = try await sending.server.post(
            "/api/messages/batch",
            """
            {"messages":[{"conversation":"\(sending.conversation)","payload":\(sending.body("x"))},\
            {"conversation":"\(sending.conversation)","payload":\(other)}]}
            """, by: sending.caller)
        let results = Array(try #require(answer["results"]).elements)
        #expect(results.map { $0["status"]?.int } == [410, 201])
        #expect(results[0]["problem"]?["code"]?.string == "message_erased")
    }

    @Test func `first words that come again with their secret are gone when they were erased`()
        async throws
    {
        let server = try await TestServer()
        let id = server.services.broker.makeID().text
        let secret = String(repeating: "A", count: 43)
        let path = "/api/phone/\(server.business.id)/messages"
        let body = #"{"id":"\#(id)","text":"Hello","secret":"\#(secret)"}"#
        let first = try await server.post(path, body)
        #expect(first.status == 201, "\(first.text)")
        let name = try #require(first["message"]?["conversation"]?.string)
        try await Self.erase(id, in: try #require(ConversationID(name)), of: server)
        let newest = server.store.newest
        #expect(try await server.post(path, body).code == "message_erased")
        #expect(server.store.newest == newest)
    }

    @Test func `a conversation says that its last message was erased, until another one comes`()
        async throws
    {
        let sending = try await Sending(.business)
        let path = "/api/conversations/\(sending.conversation)"
        func last() async throws -> JSONValue {
            let found = try await sending.server.get(path, by: sending.caller)
            return try #require(found["lastMessage"])
        }
        #expect(try await sending.send("first").status == 201)
        #expect(try await last()["erasedAt"] == nil)
        try await sending.erase()
        let erased = try await last()
        #expect(erased["erasedAt"]?.string == sending.server.time.now.text)
        #expect(erased["summary"]?.string == "" && erased["id"]?.string == sending.id)
        let next = try await sending.server.post(
            path + "/messages", #"{"type":"text","body":" "}"#, by: sending.caller)
        #expect(next.status == 201, "\(next.text)")
        #expect(try await last()["erasedAt"] == nil)
    }

    @Test func `the customer hears which message was erased, and not by whom`() async throws {
        let sending = try await Sending(.business)
        #expect(try await sending.send("first").status == 201)
        try await sending.erase()
        let page = try await sending.server.store.events(
            after: .start, in: .customer(sending.conversation), limit: 300)
        let event = try #require(page.events.last)
        #expect(event.type == .messageErased)
        let text = try JSONDocument(parsing: EventText.customer(event)).root
        #expect(text["data"]?.rawText == #"{"message":"\#(sending.id)","sequence":2}"#)
        #expect(text["revision"] == nil)
    }

    @Test func `readers are given the tombstone with the time of its erasure`() async throws {
        let sending = try await Sending(.business)
        #expect(try await sending.send("first").status == 201)
        try await sending.erase()
        let path = "/api/conversations/\(sending.conversation)/messages/\(sending.id)"
        let found = try await sending.server.get(path, by: sending.caller)
        #expect(found.status == 200)
        #expect(found["payload"]?.rawText == "{}")
        #expect(found["summary"]?.string == "")
        #expect(found["kind"]?.string == "text" && found["sequence"]?.int == 2)
        #expect(found["erasedAt"]?.string != nil)
    }
}

import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct BotRouteTests {
    /// A server with its owner, a bot that is first, and a conversation that it controls.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let key: TestServer.Caller
        let bot: String
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.business])
            let made = try await server.post(
                "/api/businesses/\(server.business.id)/bots",
                #"{"name":"Ada","key":"\#(try await Self.keyID(server))","first":true}"#, by: owner)
            #expect(made.status == 201, "\(made.text)")
            bot = try #require(made["id"]?.string)
            conversation = try await server.makeConversation()
        }

        static func keyID(_ server: TestServer) async throws -> String {
            try #require(try await server.store.keys().first).id.text
        }

        var bots: String { "/api/businesses/\(server.business.id)/bots" }
        var path: String { "/api/conversations/\(conversation.id)" }

        func control(_ body: String, by caller: TestServer.Caller) async throws -> Answer {
            try await server.post(path + "/control", body, by: caller)
        }

        func send(_ text: String, by caller: TestServer.Caller) async throws -> Answer {
            try await server.post(
                path + "/messages", #"{"type":"text","body":"\#(text)"}"#, by: caller)
        }
    }

    @Test func `a bot is registered, listed and changed; what cannot be is named`() async throws {
        let setting = try await Setting()
        let server = setting.server
        let listed = try await server.get(setting.bots, by: setting.key)
        let one = try #require(listed["data"]?[0])
        #expect(one["name"]?.string == "Ada" && one["answerSeconds"]?.int == 30)
        #expect(one["first"]?.bool == true && one["webhook"]?.isNull == true)
        let changed = try await server.send(
            .patch, setting.bots + "/" + setting.bot,
            #"{"answerSeconds":5,"intents":["order","order","返品"],"first":false,"webhook":null}"#,
            by: setting.owner)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(changed["intents"]?.count == 2 && changed["answerSeconds"]?.int == 5)
        let unknown = try await server.send(
            .patch, setting.bots + "/" + setting.conversation.id.text, "{}", by: setting.owner)
        #expect(unknown.code == "not_found")
        let other = "6f2d1c5e-0000-4000-8000-000000000001"
        let refused = try await server.post(
            setting.bots,
            #"""
            {"name":" ","key":"\#(other)","webhook":"\#(other)","answerSeconds":0,"intents":["a\tb"]}
            """#, by: setting.owner)
        #expect(refused.status == 422)
        #expect(
            Set(refused["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? [])
                == ["/name", "/key", "/webhook", "/answerSeconds", "/intents/0"])
        let key = try await Setting.keyID(server)
        let twice = try await server.post(
            setting.bots, #"{"name":"Bo","key":"\#(key)"}"#, by: setting.owner)
        #expect(twice.code == "name_taken")
    }

    @Test func `a bot's list says when its program was heard last`() async throws {
        let setting = try await Setting()
        func last() async throws -> JSONValue? {
            try await setting.server.get(setting.bots, by: setting.owner)["data"]?[0]?[
                "lastRequestAt"]
        }
        #expect(try await last()?.isNull == true)
        let name = try await Setting.keyID(setting.server)
        let (time, key) = (setting.server.time.now, try #require(KeyID(name)))
        try await setting.server.store.note([
            key: [
                KeyRequest(
                    time: time, operation: "sendMessage", status: 201, code: "", milliseconds: 3,
                    address: "127.0.0.1", request: "r")
            ]
        ])
        #expect(try await last()?.string == time.text)
    }

    @Test func `a bot answers, passes on with a summary, and is refused until it is returned`()
        async throws
    {
        let setting = try await Setting()
        let before = try await setting.server.get(setting.path + "/control", by: setting.key)
        #expect(before["controller"]?["id"]?.string == setting.bot)
        #expect(before["controller"]?["name"]?.string == "Ada")
        #expect(before["answerBy"]?.isNull == false)
        let sent = try await setting.send("Hello", by: setting.key)
        #expect(sent.status == 201)
        let thread = try await setting.server.get(setting.path + "/messages", by: setting.owner)
        #expect(thread["data"]?.elements.map { $0["automatic"]?.bool } == [nil, true])
        let passed = try await setting.control(
            #"{"action":"pass","summary":"Wants a person.","metadata":{"order":"A-17"}}"#,
            by: setting.key)
        #expect(passed.status == 200, "\(passed.text)")
        #expect(passed["controller"]?.isNull == true)
        #expect(passed["metadata"]?["order"]?.string == "A-17")
        let refused = try await setting.send("Still here", by: setting.key)
        #expect(refused.status == 409 && refused.code == "not_in_control")
        #expect(refused["current"]?["controller"]?.isNull == true)
        let notes = try await setting.server.store.notes(
            in: setting.conversation.id, from: .start, to: SequenceNumber(9))
        #expect(notes.map(\.text) == ["Wants a person."])
        let taken = try await setting.control(#"{"action":"take"}"#, by: setting.owner)
        #expect(taken["controller"]?["name"]?.string == "Ada")
        #expect(taken["controller"]?["type"]?.string == "agent")
        let conversation = try await setting.server.get(setting.path, by: setting.owner)
        #expect(conversation["assignee"]?["name"]?.string == "Ada")
        let late = try await setting.control(#"{"action":"release"}"#, by: setting.key)
        #expect(late.code == "not_in_control")
        #expect(late["current"]?["controller"]?["type"]?.string == "agent")
        let returned = try await setting.control(
            #"{"action":"pass","to":{"type":"bot","id":"\#(setting.bot)"}}"#, by: setting.owner)
        #expect(returned["controller"]?["type"]?.string == "bot")
        #expect(try await setting.send("Back", by: setting.key).status == 201)
        #expect(
            try await setting.server.get(setting.path, by: setting.owner)["assignee"]?.isNull
                == true)
    }

    @Test func `a bot without control has nothing sent later, and a repeat is answered alike`()
        async throws
    {
        let setting = try await Setting()
        func later(_ id: String) async throws -> Answer {
            let time = setting.server.time.now.advanced(by: .seconds(3_600)).text
            return try await setting.server.post(
                setting.path + "/messages?sendAt=\(time)",
                #"{"id":"\#(id)","type":"text","body":"Well?"}"#, by: setting.key)
        }
        let first = "6f2d1c5e-0000-4000-8000-000000000001"
        #expect(try await later(first).status == 202)
        let passed = try await setting.control(#"{"action":"pass"}"#, by: setting.key)
        #expect(passed.status == 200, "\(passed.text)")
        let refused = try await later("6f2d1c5e-0000-4000-8000-000000000002")
        #expect(refused.status == 409 && refused.code == "not_in_control", "\(refused.text)")
        #expect(refused["current"]?["controller"]?.isNull == true)
        #expect(try await later(first).status == 202)
        let waiting = try await setting.server.get(setting.path + "/scheduled", by: setting.owner)
        #expect(waiting["data"]?.elements.map { $0["id"]?.string } == [first])
    }

    @Test(arguments: [
        ("/typing", #"{"state":"start"}"#, 204), ("/messages", #"{"type":"typing_start"}"#, 202),
    ])
    func `a bot without control signals no typing, as it sends nothing`(
        _ place: String, _ body: String, _ status: Int
    ) async throws {
        let setting = try await Setting()
        func signal(by caller: TestServer.Caller) async throws -> Answer {
            try await setting.server.post(setting.path + place, body, by: caller)
        }
        let allowed = try await signal(by: setting.key)
        #expect(allowed.status == status, "\(allowed.text)")
        #expect(try await setting.control(#"{"action":"pass"}"#, by: setting.key).status == 200)
        let refused = try await signal(by: setting.key)
        #expect(refused.status == 409 && refused.code == "not_in_control", "\(refused.text)")
        #expect(refused["current"]?["controller"]?.isNull == true)
        #expect(try await signal(by: setting.owner).status == status)
    }

    @Test
    func `what a bot has is among those who wait only for who asks for bots, also in a saved view`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let id = setting.conversation.id.text
        func ids(_ query: String) async throws -> [String] {
            let answer = try await server.get("/api/conversations?\(query)", by: setting.owner)
            return answer["data"]?.elements.compactMap { $0["id"]?.string } ?? ["\(answer.text)"]
        }
        #expect(try await ids("filter[waiting]=true") == [])
        #expect(try await ids("filter[waiting]=true&filter[assignee]=bot") == [id])
        let made = try await server.post(
            "/api/views/saved", #"{"name":"Bots","filter":{"assignee":"bot","waiting":true}}"#,
            by: setting.owner)
        #expect(made.status == 201 && made["count"]?.int == 1, "\(made.text)")
        let view = try #require(made["id"]?.string)
        #expect(try await ids("view=\(view)") == [id])
        _ = try await setting.control(#"{"action":"release"}"#, by: setting.key)
        #expect(try await ids("filter[waiting]=true") == [id])
        #expect(try await ids("view=\(view)") == [])
    }

    @Test(arguments: [
        "{}", #"{"action":"give"}"#, #"{"action":"pass","to":"people"}"#,
        #"{"action":"pass","to":{"type":"bot","id":"x"}}"#,
        #"{"action":"pass","to":{"type":"bot","id":"6f2d1c5e-0000-4000-8000-000000000001"}}"#,
        #"{"action":"offer"}"#, #"{"action":"pass","metadata":[]}"#,
        #"{"action":"pass","reason":"timeout"}"#,
    ])
    func `a request that cannot be carried out is refused`(body: String) async throws {
        let setting = try await Setting()
        let answer = try await setting.control(body, by: setting.owner)
        #expect(answer.status == 422, "\(answer.text)")
    }

    @Test func `of two timers one hands over what is late`() async throws {
        let setting = try await Setting()
        let services = setting.server.services
        setting.server.time.advance(by: .seconds(29))
        #expect(try await BotTimer(services: services).doRound() == 0)
        setting.server.time.advance(by: .seconds(2))
        async let one = BotTimer(services: services).doRound()
        async let other = BotTimer(services: services).doRound()
        #expect(try await one + other >= 1)
        #expect(try await BotTimer(services: services).doRound() == 0)
        let events = try await setting.server.store.events(
            after: .start, in: .conversation(setting.conversation.id), limit: 99
        ).events.filter { $0.type == .conversationControlChanged }
        #expect(events.count == 2)
        let late = try await setting.send("Too late", by: setting.key)
        #expect(late.code == "not_in_control")
        let thread = try await setting.server.get(setting.path + "/messages", by: setting.owner)
        #expect(thread.text.contains(#""reason":"timeout""#))
    }

    @Test
    func
        `a bot stays one while its key is replaced, before and after an owner chooses the new one`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let replaced = try await server.post(
            "/api/keys/\(try await Setting.keyID(server))/replacement", "{}", by: setting.owner)
        #expect(replaced.status == 201, "\(replaced.text)")
        let next = TestServer.Caller.key(try #require(replaced["secret"]?.string))
        func check(_ key: TestServer.Caller) async throws {
            let returned = try await setting.control(
                #"{"action":"pass","to":{"type":"bot","id":"\#(setting.bot)"}}"#,
                by: setting.owner)
            #expect(returned.status == 200, "\(returned.text)")
            #expect(try await setting.send("By the bot", by: key).status == 201)
            let thread = try await server.get(setting.path + "/messages", by: setting.owner)
            #expect(thread["data"]?.elements.map { $0["automatic"]?.bool }.last == true)
            let control = try await server.get(setting.path + "/control", by: setting.owner)
            #expect(control["answerBy"]?.isNull == true)
            _ = try await setting.control(#"{"action":"take"}"#, by: setting.owner)
            let refused = try await setting.send("Beside people", by: key)
            #expect(refused.status == 409 && refused.code == "not_in_control")
        }
        for key in [next, setting.key] { try await check(key) }
        let chosen = try await server.send(
            .patch, setting.bots + "/" + setting.bot,
            #"{"key":"\#(try #require(replaced["key"]?["id"]?.string))"}"#, by: setting.owner)
        #expect(chosen.status == 200, "\(chosen.text)")
        for key in [next, setting.key] { try await check(key) }
    }
}

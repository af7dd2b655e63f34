import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ServiceLevelTests {
    private static func path(_ server: TestServer) -> String {
        "/api/businesses/\(server.business.id)/service-levels"
    }

    private static func set(
        _ body: String, in server: TestServer, by caller: TestServer.Caller
    ) async throws {
        let answer = try await server.send(.put, path(server), body, by: caller)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Does what is due until nothing is due any more.
    private static func settle(_ server: TestServer) async throws {
        let scheduler = Scheduler(services: server.services)
        for _ in 0..<4 { _ = try await scheduler.doRound() }
    }

    private static func conversation(
        _ id: ConversationID, in server: TestServer, by caller: TestServer.Caller
    ) async throws -> Answer {
        try await server.get("/api/conversations/\(id)", by: caller)
    }

    @Test func `owners choose service levels, agents read them, and nothing is the beginning`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let begun = try await server.get(Self.path(server), by: agent)
        #expect(begun["warningMinutes"]?.int == 15)
        #expect(begun["firstAnswer"]?.count == 0)
        let body = #"{"firstAnswer":{"urgent":5},"nextAnswer":{"none":60},"clock":"always"}"#
        #expect(try await server.send(.put, Self.path(server), body, by: agent).code == "forbidden")
        try await Self.set(body, in: server, by: owner)
        let head = server.services.broker.head
        try await Self.set(body, in: server, by: owner)
        #expect(server.services.broker.head == head)
        let found = try await server.get(Self.path(server), by: agent)
        #expect(found["firstAnswer"]?["urgent"]?.int == 5)
        #expect(found["clock"]?.string == "always")
    }

    @Test(arguments: [
        (#"{"nextAnswer":{}}"#, ""), (#"{"firstAnswer":[],"nextAnswer":{}}"#, "/firstAnswer"),
        (#"{"firstAnswer":{"none":0},"nextAnswer":{}}"#, "/firstAnswer/none"),
        (#"{"firstAnswer":{},"nextAnswer":{"soon":5}}"#, "/nextAnswer/soon"),
        (#"{"firstAnswer":{},"nextAnswer":{"low":43201}}"#, "/nextAnswer/low"),
        (#"{"firstAnswer":{},"nextAnswer":{},"clock":"moon"}"#, "/clock"),
        (#"{"firstAnswer":{},"nextAnswer":{},"warningMinutes":1441}"#, "/warningMinutes"),
        (#"{"firstAnswer":{},"nextAnswer":{},"colour":1}"#, "/colour"),
    ])
    func `levels that cannot be are refused with their place`(
        _ body: String, _ pointer: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.send(.put, Self.path(server), body, by: owner)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.text)")
    }

    @Test func `an answer is due, about to break, overdue and given`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        try await Self.set(
            """
            {"firstAnswer":{"none":30,"urgent":5},"nextAnswer":{"none":60},"clock":"always",\
            "warningMinutes":10}
            """, in: server, by: owner)
        let one = try await server.makeConversation()
        let began = try #require(one.waitingSince)
        try await Self.settle(server)
        var shown = try await Self.conversation(one.id, in: server, by: owner)
        #expect(shown["answerDue"]?["kind"]?.string == "first")
        #expect(
            shown["answerDue"]?["at"]?.string == began.advanced(by: .seconds(1_800)).text)
        let list = "/api/conversations?due=true"
        #expect(try await server.get(list, by: owner)["data"]?.count == 0)
        // Urgent, it is due sooner, and about to break.
        _ = try await server.send(
            .patch, "/api/conversations/\(one.id)", #"{"priority":"urgent"}"#, by: owner)
        try await Self.settle(server)
        shown = try await Self.conversation(one.id, in: server, by: owner)
        #expect(shown["answerDue"]?["at"]?.string == began.advanced(by: .seconds(300)).text)
        #expect(try await server.get(list, by: owner)["data"]?.count == 1)
        #expect(try await server.get("/api/views", by: owner)["counts"]?["due"]?.int == 1)
        for _ in 0..<2 {
            server.time.advance(by: .seconds(300))
            try await Self.settle(server)
        }
        let thread = try await server.get("/api/conversations/\(one.id)/messages", by: owner)
        let types = thread["events"]?.elements.compactMap { $0["type"]?.string } ?? []
        #expect(types.filter { $0 == "conversation.answer_overdue" }.count == 1)
        let breach = thread["events"]?.elements.first {
            $0["type"]?.string == "conversation.answer_overdue"
        }
        let said = breach?["data"]?["change"]?["overdue"]
        #expect(said?["answer"]?.string == "first", "\(thread.text)")
        #expect(said?["dueAt"]?.string == began.advanced(by: .seconds(300)).text)
        #expect(!types.contains("conversation.answer_due_changed"))
        _ = try await server.post(
            "/api/conversations/\(one.id)/messages", #"{"type":"text","body":"Here"}"#, by: owner)
        shown = try await Self.conversation(one.id, in: server, by: owner)
        #expect(shown["answerDue"]?.isNull == true)
        #expect(try await server.get(list, by: owner)["data"]?.count == 0)
        for wrong in [
            "due=true&state=open", "due=true&waiting=true", "due=yes", "dueWithin=5&due=true",
            "dueWithin=-1", "dueWithin=43201", "dueWithin=5&sort=oldest",
        ] {
            #expect(
                try await server.get("/api/conversations?\(wrong)", by: owner).code == "invalid")
        }
    }

    @Test func `other levels and hours move what is due already, in the background`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        func levels(_ minutes: Int, _ clock: String) async throws {
            try await Self.set(
                #"{"firstAnswer":{"none":\#(minutes)},"nextAnswer":{},"clock":"\#(clock)"}"#,
                in: server, by: owner)
        }
        try await levels(600, "always")
        var all: [Conversation] = []
        for _ in 0..<3 { all.append(try await server.makeConversation()) }
        try await Self.settle(server)
        func due() async throws -> [Duration?] {
            var found: [Duration?] = []
            for one in all {
                let now = try await server.store.findConversation(one.id)
                found.append(
                    now?.answerDue?.at.flatMap { at in now?.waitingSince.map { at.since($0) } })
            }
            return found
        }
        #expect(try await due() == Array(repeating: .seconds(36_000), count: 3))
        try await levels(8, "hours")
        // The request itself moves nothing.
        #expect(try await due() == Array(repeating: .seconds(36_000), count: 3))
        try await Self.settle(server)
        #expect(try await due() == Array(repeating: .seconds(480), count: 3))
        let closed = try await server.send(
            .put, "/api/businesses/\(server.business.id)/hours",
            #"{"timeZone":"UTC","week":{}}"#, by: owner)
        #expect(closed.status == 200, "\(closed.text)")
        try await Self.settle(server)
        #expect(try await due() == [nil, nil, nil])
        let opened = try await server.send(
            .delete, "/api/businesses/\(server.business.id)/hours", "", by: owner)
        #expect(opened.status == 200, "\(opened.text)")
        try await Self.settle(server)
        #expect(try await due() == Array(repeating: .seconds(480), count: 3))
        // What was said to be overdue is not said again for another promise that is broken too.
        server.time.advance(by: .seconds(600))
        try await Self.settle(server)
        try await levels(5, "always")
        try await Self.settle(server)
        #expect(try await due() == Array(repeating: .seconds(300), count: 3))
        for one in all {
            let thread = try await server.get("/api/conversations/\(one.id)/messages", by: owner)
            let types = thread["events"]?.elements.compactMap { $0["type"]?.string } ?? []
            #expect(types.filter { $0 == "conversation.answer_overdue" }.count == 1)
        }
    }

    @Test func `a saved view of what is due lists and counts it as the time passes`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        try await Self.set(
            #"{"firstAnswer":{"none":20},"nextAnswer":{},"clock":"always"}"#, in: server, by: owner)
        let one = try await server.makeConversation()
        try await Self.settle(server)
        func make(_ filter: String, _ name: String = "V") async throws -> Answer {
            try await server.post(
                "/api/views/saved", #"{"name":"\#(name)","filter":\#(filter)}"#, by: owner)
        }
        let soon = try await make(#"{"dueWithin":10}"#, "A")
        let overdue = try await make(#"{"dueWithin":0,"priorities":["none"]}"#, "B")
        #expect(soon.status == 201, "\(soon.text)")
        func counts() async throws -> [Int?] {
            let views = try await server.get("/api/views/saved", by: owner)["data"]
            return views?.elements.map { $0["count"]?.int } ?? []
        }
        #expect(try await counts() == [0, 0])
        server.time.advance(by: .seconds(660))
        #expect(try await counts() == [1, 0])
        let list = "/api/conversations?view=\(soon["id"]?.string ?? "")"
        #expect(
            try await server.get(list, by: owner)["data"]?[0]?["id"]?.string == one.id.text)
        let within = "/api/conversations?dueWithin="
        #expect(try await server.get(within + "0", by: owner)["data"]?.count == 0)
        server.time.advance(by: .seconds(600))
        #expect(try await counts() == [1, 1])
        #expect(try await server.get(within + "0", by: owner)["data"]?.count == 1)
        #expect(overdue["filter"]?["dueWithin"]?.int == 0)
        for (filter, place) in [
            (#"{"dueWithin":5,"state":"closed"}"#, "/state"), (#"{"dueWithin":-1}"#, "/dueWithin"),
            (#"{"dueWithin":5,"waiting":true}"#, "/waiting"),
            (#"{"dueWithin":5,"sort":"oldest"}"#, "/sort"),
        ] {
            let refused = try await make(filter)
            #expect(refused.status == 422)
            #expect(refused["errors"]?[0]?["pointer"]?.string == "/filter" + place)
        }
    }

    @Test func `the time runs within the hours of the business`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let now = server.services.time.now()
        // Open the whole day of tomorrow alone, in universal time.
        let date = CivilDate(daysSince1970: Int(now.milliseconds / 86_400_000) + 1)
        let written = [date.year, date.month, date.day].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: "-")
        let text = try await server.send(
            .put, "/api/businesses/\(server.business.id)/hours",
            """
            {"timeZone":"UTC","week":{},"holidays":[{"date":"\(written)","name":"Open",\
            "open":[{"from":"00:00","to":"24:00"}]}]}
            """, by: owner)
        #expect(text.status == 200, "\(text.text)")
        try await Self.set(
            #"{"firstAnswer":{"none":30},"nextAnswer":{}}"#, in: server, by: owner)
        let one = try await server.makeConversation()
        try await Self.settle(server)
        let shown = try await Self.conversation(one.id, in: server, by: owner)
        let opening = Timestamp(seconds: Int64(date.daysSince1970) * 86_400)
        #expect(
            shown["answerDue"]?["at"]?.string == opening.advanced(by: .seconds(1_800)).text)
    }
}

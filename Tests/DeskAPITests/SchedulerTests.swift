import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct SchedulerTests {
    /// A server, its owner, and one conversation.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let conversation: Conversation
        let scheduler: Scheduler

        init(limits change: (inout APILimits) -> Void = { _ in }) async throws {
            server = try await TestServer(limits: change)
            owner = try await server.makeOwner()
            conversation = try await server.makeConversation()
            scheduler = Scheduler(services: server.services)
        }

        var path: String { "/api/conversations/\(conversation.id)" }

        func send(_ query: String, _ id: UInt64 = 1, _ text: String = "Hi") async throws -> Answer {
            try await server.post(
                path + "/messages?" + query,
                #"{"type":"text","id":"\#(Self.id(id))","body":"\#(text)"}"#, by: owner)
        }

        static func id(_ number: UInt64) -> String { UniqueID(high: 0x4000, low: number).text }

        func pass(_ duration: Duration) async throws {
            server.time.advance(by: duration)
            _ = try await scheduler.doRound()
        }

        func messages() async throws -> Int { try await server.messageCount(conversation) }

        func waiting() async throws -> [JSONValue] {
            try await server.get(path + "/scheduled", by: owner)["data"]?.elements.map { $0 } ?? []
        }
    }

    @Test func `a delayed message has no number until it is sent, and is sent once`() async throws {
        let setting = try await Setting()
        let made = try await setting.send("delay=10")
        #expect(made.status == 202)
        let scheduled = made["scheduled"]
        #expect(scheduled?["id"]?.string == Setting.id(1))
        #expect(scheduled?["author"]?["name"]?.string == "Ada")
        #expect(scheduled?["summary"]?.string == "Hi")
        #expect(scheduled?["payload"]?["body"]?.string == "Hi")
        #expect(scheduled?["failure"]?.isNull == true)
        #expect(scheduled?["dueAt"]?.string != scheduled?["madeAt"]?.string)
        #expect(try await setting.messages() == 1)
        #expect(try await setting.waiting().count == 1)
        // The same request again is the same message.
        #expect(try await setting.send("delay=10").status == 202)
        #expect(try await setting.send("delay=10", 1, "Other").code == "idempotency_conflict")
        #expect(try await setting.waiting().count == 1)
        try await setting.pass(.milliseconds(9_999))
        #expect(try await setting.messages() == 1)
        try await setting.pass(.milliseconds(1))
        #expect(try await setting.messages() == 2)
        #expect(try await setting.waiting().isEmpty)
        try await setting.pass(.seconds(60))
        #expect(try await setting.messages() == 2)
        // What was sent is answered as it was sent.
        let again = try await setting.send("delay=10")
        #expect(again.status == 201)
        #expect(again["sequence"]?.int == 2)
        #expect(again["author"]?["name"]?.string == "Ada")
        let events = try await setting.server.store.events(
            after: .start, in: .everything, limit: 99
        ).events.map(\.type)
        // Its author has the conversation then, as after an answer at once.
        #expect(
            events.suffix(3) == [.messageScheduled, .conversationAssigned, .messageAccepted])
    }

    @Test func `who withdraws a message in time sends nothing, and later finds it sent`()
        async throws
    {
        let setting = try await Setting()
        let path = setting.path + "/scheduled/" + Setting.id(1)
        _ = try await setting.send("delay=5")
        let member = try await setting.server.makeMember(
            "ben@example.com", .agent, of: setting.server.business, by: setting.owner)
        #expect(try await setting.server.send(.delete, path, by: member).code == "forbidden")
        let taken = try await setting.server.send(.delete, path, by: setting.owner)
        #expect(taken.status == 200)
        #expect(taken["payload"]?["body"]?.string == "Hi")
        try await setting.pass(.seconds(5))
        #expect(try await setting.messages() == 1)
        #expect(
            try await setting.server.send(.delete, path, by: setting.owner).code == "not_found")
        _ = try await setting.send("delay=5", 2)
        try await setting.pass(.seconds(5))
        #expect(try await setting.messages() == 2)
        let late = setting.path + "/scheduled/" + Setting.id(2)
        #expect(
            try await setting.server.send(.delete, late, by: setting.owner).code == "not_found")
        let events = try await setting.server.store.events(
            after: .start, in: .everything, limit: 99
        ).events
        let undone = try #require(events.first { $0.type == .messageUnscheduled })
        guard case .json(let data) = undone.body else {
            Issue.record("the event has no object")
            return
        }
        #expect(!String(decoding: data, as: UTF8.self).contains("Hi"))
    }

    @Test func `what cannot be sent when it is due is left to its author, and said`() async throws {
        let setting = try await Setting()
        _ = try await setting.send("delay=5&ifLastSequence=1")
        let member = try await setting.server.makeMember(
            "ben@example.com", .agent, of: setting.server.business, by: setting.owner)
        _ = try await setting.server.post(
            setting.path + "/messages", #"{"type":"text","body":"Mine"}"#, by: member)
        try await setting.pass(.seconds(5))
        #expect(try await setting.messages() == 2)
        #expect(
            try await setting.waiting().map { $0["failure"]?["code"]?.string }
                == ["answered_meanwhile"])
        try await setting.pass(.seconds(5))
        #expect(try await setting.waiting().count == 1)
        let last = try await setting.server.store.events(
            after: .start, in: .everything, limit: 99
        ).events.last
        #expect(last?.type == .messageUnsent)
        // An answer over a colleague is refused at once now.
        #expect(
            try await setting.send("delay=5&ifLastSequence=1", 2).code == "answered_meanwhile")
        let path = setting.path + "/scheduled/" + Setting.id(1)
        #expect(try await setting.server.send(.delete, path, by: setting.owner).status == 200)
        #expect(try await setting.waiting().isEmpty)
    }

    @Test func `a customer who left meanwhile and an author who left send nothing`() async throws {
        let setting = try await Setting()
        let member = try await setting.server.makeMember(
            "ben@example.com", .agent, of: setting.server.business, by: setting.owner)
        let agent = try await setting.server.agentID(of: member)
        _ = try await setting.server.post(
            setting.path + "/messages?delay=5", #"{"type":"text","body":"Mine"}"#, by: member)
        _ = try await setting.server.services.broker.changeMember(
            agent, of: setting.server.business.id, to: nil, by: .server, permitted: [],
            handling: setting.server.services.handlingRoles)
        try await setting.pass(.seconds(5))
        #expect(
            try await setting.waiting().map { $0["failure"]?["code"]?.string } == ["forbidden"])
        _ = try await setting.send("delay=5")
        _ = try await setting.server.services.broker.change(
            setting.conversation.id, .leave, by: .customer(device: ""))
        try await setting.pass(.seconds(5))
        #expect(
            try await setting.waiting().map { $0["failure"]?["code"]?.string }
                == ["forbidden", "customer_left"])
        #expect(try await setting.send("delay=5", 3).code == "customer_left")
        #expect(try await setting.messages() == 1)
    }

    @Test func `a server that did not run for long sends nothing late`() async throws {
        let setting = try await Setting()
        _ = try await setting.send("delay=1")
        _ = try await setting.send("delay=2", 2)
        try await setting.pass(.milliseconds(601_001))
        #expect(try await setting.messages() == 2)
        #expect(
            try await setting.waiting().map { $0["failure"]?["code"]?.string } == ["unavailable"])
    }

    @Test func `a conversation has so many waiting messages and not one more`() async throws {
        let setting = try await Setting { $0.delayedPerConversation = 2 }
        #expect(try await setting.send("delay=5", 1).status == 202)
        #expect(try await setting.send("delay=5", 2).status == 202)
        #expect(try await setting.send("delay=5", 3).code == "invalid")
        #expect(try await setting.send("delay=5", 2).status == 202)
    }

    @Test func `a delay is of up to thirty seconds`() async throws {
        let setting = try await Setting()
        #expect(try await setting.send("delay=31").code == "invalid")
        #expect(try await setting.send("delay=x").code == "invalid")
        #expect(try await setting.send("delay=0").status == 201)
        #expect(
            try await setting.server.post(
                setting.path + "/messages?delay=5", #"{"type":"text","body":"a"}"#,
                by: setting.owner, headers: ["Idempotency-Key": "one"]
            ).code == "bad_request")
        let session = try await setting.server.get("/api/session", by: setting.owner)
        #expect(session["preferences"]?["sendDelay"]?.int == 0)
        func choose(_ body: String) async throws -> Answer {
            try await setting.server.send(
                .patch, "/api/session/preferences", body, by: setting.owner)
        }
        #expect(try await choose(#"{"sendDelay":30}"#)["sendDelay"]?.int == 30)
        #expect(try await choose(#"{"sendDelay":31}"#).code == "invalid")
        #expect(try await choose("{}")["sendDelay"]?.int == 30)
    }

    @Test func `a snoozed conversation wakes at its moment, and not after it was closed`()
        async throws
    {
        let setting = try await Setting()
        let id = setting.conversation.id
        let broker = setting.server.services.broker
        func snooze(_ seconds: Int) async throws {
            _ = try await broker.change(
                id, .snooze(until: setting.server.time.now.advanced(by: .seconds(seconds))),
                by: .server)
        }
        func state() async throws -> ConversationState? {
            try await setting.server.store.findConversation(id)?.state
        }
        try await snooze(60)
        try await setting.pass(.milliseconds(59_999))
        #expect(try await state() == .snoozed)
        try await setting.pass(.milliseconds(1))
        #expect(try await state() == .open)
        try await snooze(60)
        _ = try await broker.change(id, .close, by: .server)
        try await setting.pass(.seconds(61))
        #expect(try await state() == .closed)
    }

    @Test func `the next look is when the next work is due, at most a second on`() async throws {
        let setting = try await Setting()
        #expect(try await setting.scheduler.doRound() == Scheduler.pause)
        _ = try await setting.send("delay=5")
        #expect(try await setting.scheduler.doRound() == Scheduler.pause)
        setting.server.time.advance(by: .milliseconds(4_600))
        #expect(try await setting.scheduler.doRound() == .milliseconds(400))
    }
}

import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskStoreSQLite
import DeskWeb
import StoreSupport
import Testing

@testable import DeskAPI

/// Messages that a program or a person has sent at a time.
struct ScheduledSendTests {
    private struct Setting {
        let server: TestServer
        let owner, key: TestServer.Caller
        let conversation: Conversation
        let scheduler: Scheduler

        init(over wrap: (SQLiteStore) -> any Store = { $0 }) async throws {
            server = try await TestServer(over: wrap)
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.business], scopes: [.read, .send])
            conversation = try await server.makeConversation()
            scheduler = Scheduler(services: server.services)
        }

        var path: String { "/api/conversations/\(conversation.id)" }

        func time(_ seconds: Int) -> String { server.time.now.advanced(by: .seconds(seconds)).text }

        func send(_ query: String, by caller: TestServer.Caller) async throws -> Answer {
            try await server.post(
                path + "/messages?" + query, #"{"type":"text","body":"Your table is ready."}"#,
                by: caller)
        }

        func pass(_ seconds: Int) async throws {
            server.time.advance(by: .seconds(seconds))
            _ = try await scheduler.doRound()
        }

        func failures() async throws -> [String?] {
            let found = try await server.get(path + "/scheduled", by: key)
            return found["data"]?.elements.map { $0["failure"]?["code"]?.string } ?? []
        }

        func messages() async throws -> Int { try await server.messageCount(conversation) }
    }

    @Test func `a key's message is sent at its time, and not before`() async throws {
        let setting = try await Setting()
        let made = try await setting.send("sendAt=\(setting.time(86_400))", by: setting.key)
        #expect(made.status == 202)
        #expect(made["scheduled"]?["author"]?["type"]?.string == "key")
        #expect(made["scheduled"]?["dueAt"]?.string == setting.time(86_400))
        try await setting.pass(86_399)
        #expect(try await setting.messages() == 1)
        try await setting.pass(1)
        #expect(try await setting.messages() == 2)
        #expect(try await setting.failures().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a message is not sent under the id of one that another author has waiting`(
        isInBatch: Bool
    ) async throws {
        let setting = try await Setting()
        let payload =
            #"{"id":"6f2d1c5e-0000-4000-8000-000000000001","type":"text","body":"Your table is ready."}"#
        let waiting = try await setting.server.post(
            setting.path + "/messages?sendAt=\(setting.time(60))", payload, by: setting.owner)
        #expect(waiting.status == 202, "\(waiting.text)")
        func send(by caller: TestServer.Caller) async throws -> String? {
            guard isInBatch else {
                let answer = try await setting.server.post(
                    setting.path + "/messages", payload, by: caller)
                return answer.status == 201 ? nil : answer.code
            }
            let answer = try await setting.server.post(
                "/api/messages/batch",
                #"{"messages":[{"conversation":"\#(setting.conversation.id)","payload":\#(payload)}]}"#,
                by: caller)
            #expect(answer.status == 200, "\(answer.text)")
            return answer["results"]?[0]?["problem"]?["code"]?.string
        }
        #expect(try await send(by: setting.key) == "idempotency_conflict")
        #expect(try await setting.messages() == 1)
        // Its own author sends it sooner, and when it is due it is there already.
        #expect(try await send(by: setting.owner) == nil)
        try await setting.pass(60)
        #expect(try await setting.messages() == 2)
        #expect(try await setting.failures().isEmpty)
    }

    @Test func `a message whose file was erased meanwhile is left to its author with the reason`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let uploaded = try await server.send(
            .post, "/api/attachments?name=a.pdf&conversation=\(setting.conversation.id)",
            bytes: [7, 8], by: setting.owner)
        let file = try #require(uploaded["attachment"]).rawText
        let payload = #"{"type":"text","body":"\uFFFC","attachments":[\#(file)]}"#
        let sent = try await server.post(setting.path + "/messages", payload, by: setting.owner)
        #expect(sent.status == 201, "\(sent.text)")
        let made = try await server.post(
            setting.path + "/messages?sendAt=\(setting.time(86_400))", payload, by: setting.owner)
        #expect(made.status == 202, "\(made.text)")
        let id = try #require(sent["id"]?.string.flatMap { MessageID($0) })
        let order = Erasing([id], in: setting.conversation.id, by: .server, at: server.time.now)
        #expect(try await server.store.append(order).get().count == 1)
        try await setting.pass(86_400)
        #expect(try await setting.failures() == ["attachment_gone"])
        let waiting = try await server.get(setting.path + "/scheduled", by: setting.key)
        let detail = waiting["data"]?[0]?["failure"]?["detail"]?.string
        #expect(
            detail
                == "A file that the message names is not here any more: it was erased or removed.",
            "\(waiting.text)")
    }

    @Test func `a file stays until the message that names it is due, days after it was uploaded`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let uploaded = try await server.send(
            .post, "/api/attachments?name=a.pdf&conversation=\(setting.conversation.id)",
            bytes: [7, 8], by: setting.owner)
        let file = try #require(uploaded["attachment"]).rawBytes
        let made = try await server.post(
            setting.path + "/messages?sendAt=\(setting.time(3 * 86_400))",
            """
            {"type":"text","body":"\u{FFFC}",\
            "attachments":[\(String(decoding: file, as: UTF8.self))]}
            """, by: setting.owner)
        #expect(made.status == 202, "\(made.text)")
        server.time.advance(by: .seconds(2 * 86_400))
        try await UnnamedFiles(store: server.store, blobs: server.files.blobs)
            .forget(before: server.time.now)
        try await setting.pass(86_400)
        #expect(try await setting.failures().isEmpty)
        #expect(try await setting.messages() == 2)
    }

    @Test func `a repeat is answered as scheduled once that is confirmed, and not before`()
        async throws
    {
        let setting = try await Setting(over: { DoubtfulStore(over: $0) })
        let doubtful = try #require(setting.server.services.store as? DoubtfulStore)
        func send() async throws -> Answer {
            try await setting.server.post(
                setting.path + "/messages?sendAt=\(setting.time(60))",
                #"{"id":"6f2d1c5e-0000-4000-8000-0000000000aa","type":"text","body":"Ready."}"#,
                by: setting.key)
        }
        let first = try await send()
        #expect(first.status == 202, "\(first.text)")
        #expect(doubtful.confirmations == 0)
        doubtful.fail(1)
        #expect(try await send().status == 503)
        #expect(try await send().status == 202)
        #expect(doubtful.confirmations == 2)
    }

    @Test
    func `what a key scheduled is withdrawn by itself and by any person, and never twice`()
        async throws
    {
        let setting = try await Setting()
        for (caller, status) in [
            (setting.key, 200), (setting.owner, 200),
            (try await setting.server.makeKey([setting.server.business]), 403),
        ] {
            let made = try await setting.send("sendAt=\(setting.time(60))", by: setting.key)
            let path = setting.path + "/scheduled/\(try #require(made["scheduled"]?["id"]?.string))"
            #expect(try await setting.server.send(.delete, path, by: caller).status == status)
            if status == 200 {
                #expect(try await setting.server.send(.delete, path, by: caller).status == 404)
            }
        }
        let own = try await setting.send("sendAt=\(setting.time(60))", by: setting.owner)
        let path = setting.path + "/scheduled/\(try #require(own["scheduled"]?["id"]?.string))"
        #expect(try await setting.server.send(.delete, path, by: setting.key).status == 403)
        try await setting.pass(60)
        #expect(try await setting.messages() == 3)
    }

    @Test func `what a member scheduled who was removed is withdrawn by any person, and by no key`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: setting.owner)
        let id = try await server.agentID(of: agent)
        let made = try await setting.send("sendAt=\(setting.time(60))", by: agent)
        let path = setting.path + "/scheduled/\(try #require(made["scheduled"]?["id"]?.string))"
        #expect(try await server.send(.delete, path, by: setting.owner).status == 403)
        let removed = try await server.send(
            .delete, "/api/businesses/\(server.business.id)/members/\(id)", by: setting.owner)
        #expect(removed.status == 204)
        #expect(try await server.send(.delete, path, by: setting.key).status == 403)
        #expect(try await server.send(.delete, path, by: setting.owner).status == 200)
        let list = try await server.get(setting.path + "/scheduled", by: setting.owner)
        #expect(list["data"]?.count == 0)
    }

    @Test func `a key that was revoked, has expired or lost its business sends nothing`()
        async throws
    {
        let setting = try await Setting()
        let ids = try await setting.server.get("/api/keys", by: setting.owner)
        let mint = KeyMint(services: setting.server.services)
        let limits = KeyLimits(
            scopes: ["send"], expiresAt: setting.server.time.now.advanced(by: .seconds(30)))
        let short = try await mint.make(
            name: "short", businesses: [setting.server.business], limits: limits)
        #expect(ids["data"]?.count == 1)
        let first = try #require(ids["data"]?[0]?["id"]?.string)
        #expect(try await setting.send("sendAt=\(setting.time(60))", by: setting.key).status == 202)
        #expect(
            try await setting.send("sendAt=\(setting.time(60))", by: .key(short.text)).status == 202
        )
        #expect(
            try await setting.server.send(.delete, "/api/keys/\(first)", by: setting.owner).status
                == 204)
        try await setting.pass(60)
        #expect(try await setting.messages() == 1)
        let list = try await setting.server.get(setting.path + "/scheduled", by: setting.owner)
        #expect(
            list["data"]?.elements.map { $0["failure"]?["code"]?.string } == [
                "forbidden", "forbidden",
            ])
    }

    @Test(arguments: ["yesterday", "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z", ""])
    func `a time that cannot be is a finding that names one that can`(time: String) async throws {
        let setting = try await Setting()
        let answer = try await setting.send("sendAt=\(time)", by: setting.key)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["allowed"]?.string?.contains("366 days") == true)
    }

    @Test func `a delay and a time do not go together`() async throws {
        let setting = try await Setting()
        let query = "delay=5&sendAt=\(setting.time(60))"
        #expect(try await setting.send(query, by: setting.key).code == "invalid")
        #expect(try await setting.send("delay=5", by: setting.key).status == 202)
    }
}

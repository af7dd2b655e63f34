import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

struct StreamTests {
    static let upgrade: HeaderFields = [
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// Opens the WebSocket and lets `use` converse; ends it afterwards.
    static func converse(
        _ server: TestServer, by caller: TestServer.Caller, query: String = "",
        _ use: (TestSocket) async throws -> Void
    ) async throws {
        let before = server.services.streams.count
        let answer = try await server.get("/api/live" + query, by: caller, headers: upgrade)
        guard case .socketSteps(let stream) = answer.response.body else {
            Issue.record("\(answer.status) \(answer.text)")
            return
        }
        let reader = TestReader()
        let turns = StepDriver(time: server.time.source) { reader.take($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { reader.close(await turns.run(stream)) }
            try await use(TestSocket(reader: reader, turns: turns))
            turns.end()
            try await group.next()
        }
        #expect(server.services.streams.count == before)
    }

    @Test func `a page gets what it missed, the mark, then what happens, each once`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let head = try #require(try await server.get(path, by: key)["head"]?.string)
        for body in ["a", "b"] {
            _ = try await server.post(path, #"{"type":"text","body":"\#(body)"}"#, by: key)
        }
        _ = try await server.makeConversation(server.other)
        try await Self.converse(server, by: key) { socket in
            socket.say(#"{"type":"hello","after":"\#(head)"}"#)
            _ = await socket.heard(3)
            _ = try await server.post(path, #"{"type":"text","body":"c"}"#, by: key)
            let heard = await socket.heard(4)
            let types = heard.map { $0["type"]?.string ?? "" }
            #expect(types == ["message.accepted", "message.accepted", "live", "message.accepted"])
            let bodies = heard.compactMap {
                $0["data"]?["message"]?["payload"]?["body"]?.string
            }
            #expect(bodies == ["a", "b", "c"])
            #expect(heard[3]["data"]?["conversationState"]?["sequence"]?.int == 4)
        }
    }

    @Test(arguments: ["7-999", "8-1", "nonsense"])
    func `a cursor that means nothing gets a reset first`(cursor: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        _ = try await server.makeConversation()
        try await Self.converse(server, by: key) { socket in
            socket.say(#"{"type":"hello","after":"\#(cursor)"}"#)
            let heard = await socket.heard(2)
            #expect(heard.map { $0["type"]?.string } == ["reset", "live"])
            #expect(heard[0]["head"]?.string == server.services.broker.head.text)
        }
    }

    @Test(arguments: ["hello", "{}", #"{"type":"typing"}"#])
    func `a first frame that is no hello ends the session`(frame: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        try await Self.converse(server, by: key) { socket in
            socket.say(frame)
            #expect(await socket.closed() == 1008)
        }
    }

    @Test func `agents see each other look and write, and never themselves`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        try await Self.converse(server, by: key) { listener in
            listener.say(#"{"type":"hello","after":null}"#)
            _ = await listener.heard(1)
            try await Self.converse(server, by: owner) { socket in
                socket.say(#"{"type":"hello","after":null}"#)
                _ = await socket.heard(1)
                socket.say(
                    #"{"type":"presence","conversation":"\#(conversation.id)","state":"looking"}"#)
                let heard = await listener.heard(3)
                #expect(heard[1]["kind"]?.string == "availability")
                #expect(heard[1]["state"]?.string == "online")
                #expect(heard[2]["type"]?.string == "ephemeral")
                #expect(heard[2]["state"]?.string == "looking")
                #expect(heard[2]["who"]?["name"]?.string == "Ada")
                #expect(await socket.heard(1).count == 1)
            }
            // Who went looks no longer, and is not there.
            let heard = await listener.heard(5)
            #expect(heard[3...].compactMap { $0["state"]?.string } == ["idle", "offline"])
        }
    }

    @Test func `who opens the console later sees who is there, until their stream ends`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        try await Self.converse(server, by: owner) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            socket.say(
                #"{"type":"presence","conversation":"\#(conversation.id)","state":"writing"}"#)
            try await Self.converse(server, by: key) { late in
                late.say(#"{"type":"hello","after":null}"#)
                let heard = await late.heard(3)
                #expect(
                    heard.map { $0["type"]?.string } == ["live", "ephemeral", "ephemeral"])
                #expect(heard[1]["state"]?.string == "online")
                #expect(heard[2]["state"]?.string == "writing")
                #expect(heard[2]["who"]?["name"]?.string == "Ada")
            }
        }
        try await Self.converse(server, by: key) { last in
            last.say(#"{"type":"hello","after":null}"#)
            _ = await last.heard(1)
            _ = try await server.services.broker.change(conversation.id, .close, by: .server)
            #expect(await last.heard(2)[1]["type"]?.string == "conversation.closed")
        }
    }

    @Test func `a frame about a foreign conversation ends the session`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let foreign = try await server.makeConversation(server.other)
        try await Self.converse(server, by: key) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            socket.say(#"{"type":"typing","conversation":"\#(foreign.id)","state":"start"}"#)
            #expect(await socket.closed() == 1008)
        }
    }

    @Test func `streams end with what ended their credential, and no time passes`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        try await Self.converse(server, by: key) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            // As an admin command does it, which knows nothing of streams.
            let id = try #require(try await server.store.keys().first?.id)
            let time = server.time.now
            let wasInUse = try await server.store.revokeKey(id, at: time, author: .command)
            #expect(wasInUse)
            #expect(await socket.closed() == 1008)
        }
        let ada = try await server.makeOwner()
        try await Self.converse(server, by: ada) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            let out = try await server.send(.delete, "/api/session", by: ada)
            #expect(out.status == 204)
            #expect(await socket.closed() == 1008)
        }
    }

    @Test func `a removed member's stream ends with the answer that removed them`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: ben)
        try await Self.converse(server, by: ben) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            let removed = try await server.send(
                .delete, "/api/businesses/\(server.business.id)/members/\(id)", by: owner)
            #expect(removed.status == 204)
            // No time passes: what ends it is the removal, and not the look of each minute.
            #expect(await socket.closed() == 1008)
        }
    }

    @Test func `a key's stream ends with its grant, and its other businesses stay`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post("/api/businesses", #"{"name":"K"}"#, by: owner)
        let other = try #require(made["id"]?.string)
        let key = try await server.post(
            "/api/keys", #"{"name":"k","businesses":["\#(server.other.id)","\#(other)"]}"#,
            by: owner
        )
        let caller = TestServer.Caller.key(try #require(key["secret"]?.string))
        let id = try #require(key["key"]?["id"]?.string)
        try await Self.converse(server, by: caller) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            let ended = try await server.send(
                .delete, "/api/businesses/\(other)/keys/\(id)", by: owner)
            #expect(ended.status == 204)
            #expect(await socket.closed() == 1008)
        }
        #expect(try await server.get("/api/businesses", by: caller)["data"]?.count == 1)
    }

    @Test func `what ended between a request and its stream ends the stream at once`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: ben)
        let answer = try await server.get("/api/live", by: ben, headers: Self.upgrade)
        guard case .socketSteps(let stream) = answer.response.body else {
            Issue.record("no stream")
            return
        }
        _ = try await server.send(
            .delete, "/api/businesses/\(server.business.id)/members/\(id)", by: owner)
        let turns = StepDriver(time: server.time.source) { _ in }
        turns.say(#"{"type":"hello","after":null}"#)
        #expect(await turns.run(stream) == 1008)
    }

    // A node of a later version writes into the same log while this one still serves readers.
    @Test func `an event of a type that this program does not know is passed on as it is`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let head = try #require(try await server.get(path, by: key)["head"]?.string)
        let type = try #require(EventType(rawValue: "conversation.flagged"))
        _ = try await server.store.append(
            AppendEvent(
                type, of: server.business.id, in: conversation.id,
                data: Array(#"{"why":"é","depth":{"n":1.50}}"#.utf8), at: server.time.now)
        ).get()
        func check(_ event: JSONValue?) {
            #expect(event?["type"]?.string == "conversation.flagged")
            #expect(event?["conversation"]?.string == conversation.id.text)
            #expect(event?["data"]?.rawText == #"{"why":"é","depth":{"n":1.50}}"#)
        }
        try await Self.converse(server, by: key) { socket in
            socket.say(#"{"type":"hello","after":"\#(head)"}"#)
            let heard = await socket.heard(2)
            check(heard.first)
            #expect(heard.last?["type"]?.string == "live")
        }
        let answer = try await server.get("/api/events", by: key, headers: ["Last-Event-ID": head])
        guard case .steps(let stream) = answer.response.body else {
            Issue.record("no stream")
            return
        }
        let reader = TestReader()
        let turns = StepDriver(time: server.time.source) { reader.take($0) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await turns.run(stream) }
            await reader.wait(for: "event: live")
            turns.end()
        }
        let blocks = reader.text.split(separator: "\n\n").map(String.init)
        let lines = blocks[1].split(separator: "\n")
        #expect(lines[1] == "event: conversation.flagged")
        check(try JSONDocument(parsing: String(lines[2].dropFirst(6))).root)
        // The customer's side is never given what it may not know.
        let shown = try await server.store.events(
            after: .start, in: .customer(conversation.id), limit: 9)
        #expect(!shown.events.contains { $0.type == type })
    }

    @Test func `an event stream resumes after the last id, one line an event`() async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let head = try #require(try await server.get(path, by: key)["head"]?.string)
        _ = try await server.post(path, "{\"type\":\"text\",\r\n\"body\":\"a\\nb\"}", by: key)
        let answer = try await server.get("/api/events", by: key, headers: ["Last-Event-ID": head])
        #expect(answer.headers["content-type"] == "text/event-stream")
        guard case .steps(let stream) = answer.response.body else {
            Issue.record("no stream")
            return
        }
        let reader = TestReader()
        let turns = StepDriver(time: server.time.source) { reader.take($0) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await turns.run(stream) }
            await reader.wait(for: "event: live")
            turns.end()
        }
        let blocks = reader.text.split(separator: "\n\n").map(String.init)
        #expect(blocks[0].hasPrefix("retry: "))
        let lines = blocks[1].split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "event: message.accepted")
        let event = try JSONDocument(parsing: String(lines[2].dropFirst(6))).root
        #expect(lines[0] == "id: \(event["id"]?.string ?? "")")
        #expect(event["data"]?["message"]?["payload"]?["body"]?.string == "a\nb")
    }

    @Test func `one stream too many is refused, and a lease comes back`() async throws {
        let server = try await TestServer { $0.web.streamsPerPrincipal = 2 }
        let key = try await server.makeKey([server.business])
        var held: [Answer] = []
        for _ in 0..<2 { held.append(try await server.get("/api/events", by: key)) }
        #expect(held.map(\.status) == [200, 200])
        let refused = try await server.get("/api/events", by: key)
        #expect(refused.code == "rate_limited" && refused.headers["retry-after"] == "5")
        held.removeLast()
        #expect(try await server.get("/api/events", by: key).status == 200)
    }

    @Test func `a WebSocket with a cookie needs our own origin`() async throws {
        let server = try await TestServer()
        guard case .agent(let token) = try await server.makeOwner() else { return }
        var fields = Self.upgrade
        fields.append("Cookie", "fd=\(token)")
        fields.append("Origin", "http://evil.example")
        #expect(try await server.get("/api/live", headers: fields).code == "forbidden")
        #expect(
            try await server.get("/api/live", by: .agent(token), headers: [:]).code == "bad_request"
        )
    }
}

import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct MacroRouteTests {
    private static func path(_ server: TestServer) -> String {
        "/api/businesses/\(server.business.id)/macros"
    }

    private static func make(
        _ body: String, in server: TestServer, by caller: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(path(server), body, by: caller)
        #expect(made.status == 201, "\(made.text)")
        return try #require(made["id"]?.string)
    }

    private static func makeLabel(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels",
            ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
        return try #require(made["id"]?.string)
    }

    private static func publish(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws {
        let made = try await server.post(
            "/api/templates",
            """
            {"business":"\(server.business.id)","name":"\(name)","title":"T",\
            "payload":{"v":1,"type":"text","body":"Order {{order}} is on its way"},\
            "parameters":[{"name":"order","type":"text"}]}
            """, by: owner)
        #expect(made.status == 201)
    }

    @Test func `a macro does all of its actions in one commit, with its parameters`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let label = try await Self.makeLabel("Sent", in: server, by: owner)
        try await Self.publish("sent", in: server, by: owner)
        let macro = try await Self.make(
            """
            {"name":"Sent","shared":true,"parameters":[{"name":"order","type":"text"}],"actions":[\
            {"assign":"me"},{"labels":{"add":["\(label)"]}},{"priority":"low"},\
            {"template":{"name":"sent","values":{"order":"{{order}}"}}},\
            {"note":"Order {{order}} for {{agent.name}}"},{"state":"snoozed","snoozeMinutes":60}]}
            """, in: server, by: owner)
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)/macros/\(macro)"
        let before = server.store.newest
        let done = try await server.post(path, #"{"values":{"order":"7 \"a\""}}"#, by: owner)
        #expect(done.status == 200, "\(done.text)")
        let results = done["done"]?.elements.compactMap { $0["result"]?.string }
        #expect(results == Array(repeating: "done", count: 6))
        let after = try #require(done["conversation"])
        #expect(after["state"]?.string == "snoozed")
        #expect(after["priority"]?.string == "low")
        #expect(after["labels"]?[0]?.string == label)
        #expect(after["assignee"]?["name"]?.string == "Ada")
        let thread = try await server.get("/api/conversations/\(one.id)/messages", by: owner)
        let message = done["done"]?[3]?["message"]?.string
        #expect(thread["data"]?[1]?["id"]?.string == message)
        #expect(thread["data"]?[1]?["summary"]?.string == "Order 7 \"a\" is on its way")
        #expect(thread["notes"]?[0]?["text"]?.string == "Order 7 \"a\" for Ada")
        let page = try await server.store.events(after: before, in: .everything, limit: 99)
        #expect(
            page.events.map(\.type) == [
                .conversationAssigned, .conversationLabelsChanged, .conversationPriorityChanged,
                .messageAccepted, .noteAdded, .conversationSnoozed,
            ])
        // Once more: what is so already is answered as unchanged, and has no event.
        let again = try await server.post(path, #"{"values":{"order":"8"}}"#, by: owner)
        #expect(
            again["done"]?.elements.compactMap { $0["result"]?.string } == [
                "unchanged", "unchanged", "unchanged", "done", "done", "unchanged",
            ])
    }

    @Test func `a macro that closes and notes is undone but for its note, one that sends is not`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        try await Self.publish("sent", in: server, by: owner)
        let one = try await server.makeConversation()
        func run(_ actions: String) async throws -> Answer {
            let macro = try await Self.make(
                #"{"name":"M","shared":true,"actions":[\#(actions)]}"#, in: server, by: owner)
            return try await server.post(
                "/api/conversations/\(one.id)/macros/\(macro)", "{}", by: owner)
        }
        let done = try await run(#"{"state":"closed"},{"note":"Called back"},{"priority":"low"}"#)
        #expect(done.status == 200, "\(done.text)")
        let undo = try #require(done["undo"]?.rawText)
        let undone = try await server.send(
            .patch, "/api/conversations/\(one.id)", undo, by: owner)
        #expect(undone.status == 200, "\(undo) \(undone.text)")
        #expect(undone["state"]?.string == "open")
        #expect(undone["priority"]?.string == "none")
        let thread = try await server.get("/api/conversations/\(one.id)/messages", by: owner)
        #expect(thread["notes"]?[0]?["text"]?.string == "Called back")
        #expect(try await run(#"{"note":"Only that"}"#)["undo"]?.isNull == true)
        let sent = try await run(
            #"{"template":{"name":"sent","values":{"order":"7"}}},{"priority":"high"}"#)
        #expect(sent["undo"]?.isNull == true, "\(sent.text)")
    }

    @Test func `undoing a macro leaves what a colleague changed since`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let macro = try await Self.make(
            #"{"name":"M","shared":true,"actions":[{"state":"closed"},{"priority":"low"}]}"#,
            in: server, by: owner)
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)"
        let done = try await server.post("\(path)/macros/\(macro)", "{}", by: owner)
        let undo = try #require(done["undo"]?.rawText)
        _ = try await server.send(.patch, path, #"{"priority":"urgent"}"#, by: agent)
        let refused = try await server.send(.patch, path, undo, by: owner)
        #expect(refused.code == "precondition_failed", "\(refused.text)")
        #expect(refused["current"]?["priority"]?.string == "urgent")
        #expect(try await server.get(path, by: owner)["state"]?.string == "closed")
    }

    @Test func `a macro of which one action is refused does nothing`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let label = try await Self.makeLabel("Old", in: server, by: owner)
        let macro = try await Self.make(
            #"{"name":"M","shared":true,"actions":[{"priority":"high"},{"labels":{"add":["\#(label)"]}},{"note":"n"}]}"#,
            in: server, by: owner)
        _ = try await server.send(
            .patch, "/api/businesses/\(server.business.id)/labels/\(label)", #"{"retired":true}"#,
            by: owner)
        let one = try await server.makeConversation()
        let before = server.store.newest
        let refused = try await server.post(
            "/api/conversations/\(one.id)/macros/\(macro)", "{}", by: owner)
        #expect(refused.status == 422)
        #expect(server.store.newest == before)
        #expect(try await server.store.findConversation(one.id)?.priority == Priority.none)
    }

    @Test func `one's own macros are seen by no other agent, shared ones are the owners'`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let key = try await server.makeKey([server.business])
        let shared = try await Self.make(
            #"{"name":"B","shared":true,"actions":[{"state":"closed"}]}"#, in: server, by: owner)
        let own = try await Self.make(
            #"{"name":"A","actions":[{"note":"mine"}]}"#, in: server, by: agent)
        func names(_ caller: TestServer.Caller) async throws -> [String] {
            let list = try await server.get(Self.path(server), by: caller)
            return list["data"]?.elements.compactMap { $0["name"]?.string } ?? []
        }
        #expect(try await names(agent) == ["A", "B"])
        #expect(try await names(owner) == ["B"])
        #expect(try await names(key) == ["B"])
        let one = try await server.makeConversation()
        let runs = "/api/conversations/\(one.id)/macros/"
        #expect(try await server.post(runs + own, "{}", by: owner).status == 404)
        #expect(try await server.post(runs + own, "{}", by: agent).status == 200)
        #expect(try await server.post(runs + shared, "{}", by: key).status == 200)
        let body = #"{"name":"C","shared":true,"actions":[{"state":"closed"}]}"#
        #expect(try await server.post(Self.path(server), body, by: agent).code == "forbidden")
        #expect(
            try await server.send(
                .patch, "\(Self.path(server))/\(shared)", #"{"name":"x"}"#, by: agent
            ).code == "forbidden")
        #expect(
            try await server.send(
                .patch, "\(Self.path(server))/\(own)", #"{"name":"x"}"#, by: owner
            ).status == 404)
        let retired = try await server.send(
            .patch, "\(Self.path(server))/\(shared)", #"{"retired":true,"name":"Z"}"#, by: owner)
        #expect(retired["retired"]?.bool == true)
        #expect(retired["name"]?.string == "Z")
        #expect(try await server.post(runs + shared, "{}", by: agent).status == 422)
    }

    /// Actions that are none, with the pointer of the refusal.
    private static let refused = [
        ("[]", "/actions"), (#"[{"x":1}]"#, "/actions/0"),
        (#"[{"note":"a"},{"priority":"huge"}]"#, "/actions/1/priority"),
        (#"[{"note":""}]"#, "/actions/0/note"), (#"[{"assign":7}]"#, "/actions/0/assign"),
        (#"[{"assign":"00000000-0000-4000-8000-000000000001"}]"#, "/actions/0/assign"),
        (
            #"[{"labels":{"add":["00000000-0000-4000-8000-000000000001"]}}]"#,
            "/actions/0/labels/add"
        ),
        (#"[{"labels":{}}]"#, "/actions/0/labels"),
        (#"[{"labels":{"add":["x"]}}]"#, "/actions/0/labels/add"),
        (#"[{"state":"closed","snoozeMinutes":1}]"#, "/actions/0"),
        (#"[{"state":"snoozed","snoozeMinutes":0}]"#, "/actions/0/snoozeMinutes"),
        (#"[{"state":"gone"}]"#, "/actions/0/state"),
        (#"[{"template":{"name":"none"}}]"#, "/actions/0/template/name"),
        (#"[{"template":"none"}]"#, "/actions/0/template"),
        (#"[{"note":"{{who}}"}]"#, "/actions/0/note"),
        (#"[{"note":"a","priority":"low"}]"#, "/actions/0"),
        (#"[{"template":{"name":"a"}},{"template":{"name":"a"}}]"#, "/actions"),
    ]

    @Test(arguments: refused)
    func `what is no action of the business is refused where it is written`(
        actions: String, pointer: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(
            Self.path(server), #"{"name":"M","actions":\#(actions)}"#, by: owner)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.text)")
        #expect(try await server.get(Self.path(server), by: owner)["data"]?.count == 0)
    }

    @Test func `a macro's values are asked for, and no others are accepted`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let macro = try await Self.make(
            #"{"name":"M","parameters":[{"name":"a","type":"text"}],"actions":[{"note":"{{a}}"}]}"#,
            in: server, by: owner)
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)/macros/\(macro)"
        let missing = try await server.post(path, "{}", by: owner)
        #expect(missing.status == 422)
        #expect(missing["errors"]?[0]?["pointer"]?.string == "/values/a")
        #expect(
            try await server.post(path, #"{"values":{"a":"x","b":"y"}}"#, by: owner).status == 422)
        #expect(try await server.post(path, #"{"values":{"a":"x"}}"#, by: owner).status == 200)
    }

    @Test func `a business shares 100 macros and no more`() async throws {
        let server = try await TestServer { $0.web.agentMessagesBurst = 10_000 }
        let owner = try await server.makeOwner()
        let body = #"{"name":"M","shared":true,"actions":[{"state":"closed"}]}"#
        for _ in 0..<Macro.most { _ = try await Self.make(body, in: server, by: owner) }
        #expect(try await server.post(Self.path(server), body, by: owner).status == 422)
        let own = #"{"name":"M","actions":[{"state":"closed"}]}"#
        #expect(try await server.post(Self.path(server), own, by: owner).status == 201)
    }
}

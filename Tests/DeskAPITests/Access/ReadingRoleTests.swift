import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// An auditor reads, is given nothing to do, and shows others nothing.
struct ReadingRoleTests {
    /// A server with an owner, an agent and an auditor of the sandbox's business, and a conversation.
    private struct Setting {
        let server: TestServer
        let owner, agent, auditor: TestServer.Caller
        let auditorID: AgentID
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            agent = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
            auditor = try await server.makeMember(
                "eve@example.com", .auditor, of: server.business, by: owner)
            auditorID = try await server.agentID(of: auditor)
            conversation = try await server.makeConversation()
        }

        func path(_ rest: String) -> String { "/api/businesses/\(server.business.id)/\(rest)" }
    }

    @Test func `no request gives an auditor work, and each says whom it may name`() async throws {
        let setting = try await Setting()
        let (server, id) = (setting.server, setting.auditorID)
        let talk = "/api/conversations/\(setting.conversation.id)"
        let requests: [(DeskHTTP.Method, String, String)] = [
            (.patch, talk, #"{"assignee":"\#(id)"}"#),
            (.post, talk + "/notes", #"{"text":"@Eve","mentions":["\#(id)"]}"#),
            (.put, talk + "/participants/\(id)", ""),
            (.post, setting.path("teams"), teamBody(of: id)),
            (
                .put, setting.path("assignment"),
                #"{"strategy":"round_robin","capacities":{"\#(id)":2}}"#
            ),
            (
                .post, setting.path("macros"),
                #"{"name":"M","shared":true,"actions":[{"assign":"\#(id)"}]}"#
            ),
        ]
        let head = server.store.newest
        for (method, path, body) in requests {
            let answer = try await server.send(method, path, body, by: setting.owner)
            #expect(answer.status == 422, "\(path): \(answer.text)")
        }
        let many = try await server.post(
            "/api/conversations/bulk",
            """
            {"changes":[{"conversation":"\(setting.conversation.id)",\
            "change":{"assignee":"\(id)"}}]}
            """, by: setting.owner)
        #expect(many["data"]?[0]?["status"]?.int == 422, "\(many.text)")
        #expect(server.store.newest == head)
        let members = try await server.get(setting.path("members"), by: setting.owner)
        let assignable = members["data"]?.elements.map {
            ($0["role"]?.string ?? "", $0["assignable"]?.bool)
        }
        #expect(
            assignable?.sorted { $0.0 < $1.0 }.map(\.1) == [true, false, true])
    }

    private func teamBody(of agent: AgentID) -> String {
        ##"{"name":"Night","colour":"#336699","members":["\##(agent)"]}"##
    }

    @Test
    func `an auditor's page shows colleagues and customers nothing, and they are on no roster`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        try await StreamTests.converse(server, by: setting.owner) { colleague in
            colleague.say(#"{"type":"hello","after":null}"#)
            _ = await colleague.heard(1)
            try await StreamTests.converse(server, by: setting.auditor) { page in
                page.say(#"{"type":"hello","after":null}"#)
                _ = await page.heard(1)
                for frame in [
                    #"{"type":"presence","conversation":"%","state":"looking"}"#,
                    #"{"type":"typing","conversation":"%","state":"start"}"#,
                    #"{"type":"availability","state":"away"}"#,
                ] {
                    page.say(frame.replacing("%", with: setting.conversation.id.text))
                }
                let chosen = try await server.send(
                    .put, "/api/session/availability", #"{"state":"busy"}"#, by: setting.auditor)
                #expect(chosen.status == 200)
                // What an agent does next is the first that the colleague hears.
                try await StreamTests.converse(server, by: setting.agent) { other in
                    other.say(#"{"type":"hello","after":null}"#)
                    _ = await other.heard(1)
                    let heard = await colleague.heard(2)
                    #expect(heard[1]["who"]?["name"]?.string == "Ben")
                }
            }
        }
        let roster = try await server.get(setting.path("presence"), by: setting.auditor)
        #expect(roster["data"]?.elements.compactMap { $0["agent"]?["name"]?.string }.count == 2)
        #expect(
            server.services.broker.availability(in: server.business.id)[setting.auditorID] == nil)
    }

    @Test func `an auditor reads without marking anything as read`() async throws {
        let setting = try await Setting()
        let talk = "/api/conversations/\(setting.conversation.id)"
        for path in [
            talk, talk + "/messages", talk + "/transcript", setting.path("audit"),
            setting.path("reports?by=team"), setting.path("members"), setting.path("links"),
            setting.path("gateway"), setting.path("library"), "/api/templates",
        ] {
            let answer = try await setting.server.get(path, by: setting.auditor)
            #expect(answer.status == 200, "\(path): \(answer.text)")
        }
        let refused = try await setting.server.post(
            talk + "/read", #"{"sequence":1}"#, by: setting.auditor)
        #expect(refused.status == 403)
        let seen = try await setting.server.get(talk, by: setting.owner)
        #expect(seen["unread"]?.int == 1)
    }

    @Test func `an agent who becomes an auditor gives back every conversation, however many`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let ben = try await server.agentID(of: setting.agent)
        var ids: [ConversationID] = []
        for number in 0..<MemberChange.conversationsAtOnce + 3 {
            let customer = Customer(id: try #require(CustomerID("urn:mbid:BBB\(number)=")))
            let one = try await server.services.broker.openConversation(
                of: customer, with: server.business.id)
            _ = try await server.services.broker.change(one.id, .assign(ben), by: .server)
            ids.append(one.id)
        }
        let member = setting.path("members/\(ben)")
        let led = try await server.send(
            .patch, member, #"{"role":"supervisor"}"#, by: setting.owner)
        #expect(led["assignable"]?.bool == true)
        #expect(try await server.store.findConversation(ids[0])?.assignee == ben)
        let changed = try await server.send(
            .patch, member, #"{"role":"auditor"}"#, by: setting.owner)
        #expect(changed["role"]?.string == "auditor" && changed["assignable"]?.bool == false)
        for id in ids { #expect(try await server.store.findConversation(id)?.assignee == nil) }
    }
    @Test func `drafts and mentions of an agent who becomes an auditor are not shown any more`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        let ben = try await server.agentID(of: setting.agent)
        let talk = "/api/conversations/\(setting.conversation.id)"
        let saved = try await server.send(
            .put, talk + "/draft", #"{"version":0,"kind":"text","text":"Dear"}"#,
            by: setting.agent)
        #expect(saved.status == 200, "\(saved.text)")
        let noted = try await server.post(
            talk + "/notes", #"{"text":"@Ben","mentions":["\#(ben)"]}"#, by: setting.owner)
        #expect(noted.status == 201)
        let before = try await server.get(talk, by: setting.agent)
        #expect(before["draft"]?.isNull == false && before["mentioned"]?.bool == true)
        _ = try await server.send(
            .patch, setting.path("members/\(ben)"), #"{"role":"auditor"}"#, by: setting.owner)
        let after = try await server.get(talk, by: setting.agent)
        #expect(after["draft"]?.isNull == true && after["mentioned"]?.bool == false)
        let list = try await server.get("/api/conversations", by: setting.agent)
        #expect(list["data"]?[0]?["draft"]?.isNull == true)
        #expect(list["data"]?[0]?["mentioned"]?.bool == false)
    }
}

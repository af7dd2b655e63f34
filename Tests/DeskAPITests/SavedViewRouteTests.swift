import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct SavedViewRouteTests {
    private static let path = "/api/views/saved"

    private static func makeLabel(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels",
            ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
        return try #require(made["id"]?.string)
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer["data"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    @Test func `a view shows and counts what its filter says, for each who asks`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let label = try await Self.makeLabel("VIP", in: server, by: owner)
        var all: [String] = []
        for number in 0..<4 {
            let id = try await server.makeConversation().id.text
            all.append(id)
            _ = try await server.send(
                .patch, "/api/conversations/\(id)",
                #"{"labels":{"add":["\#(label)"]},"assignee":\#(number < 3 ? "\"me\"" : "null")}"#,
                by: owner)
        }
        let made = try await server.post(
            Self.path,
            """
            {"name":"Mine, VIP","shared":true,"business":"\(server.business.id)","order":3,\
            "filter":{"state":"open","assignee":"me","labels":["\(label)"],"sort":"oldest"}}
            """, by: owner)
        #expect(made.status == 201, "\(made.text)")
        #expect(made["count"]?.int == 3)
        #expect(made["isMore"]?.bool == false)
        let view = try #require(made["id"]?.string)
        let listed = try await server.get("/api/conversations?view=\(view)&page[size]=2", by: owner)
        #expect(Self.ids(listed) == Array(all.prefix(2)))
        let next = try #require(listed["next"]?.string)
        let rest = try await server.get(
            "/api/conversations?view=\(view)&page[size]=2&page[after]=\(next)", by: owner)
        #expect(Self.ids(rest) == [all[2]])
        // `me` is the agent who asks.
        let others = try await server.get(Self.path, by: agent)
        #expect(others["data"]?[0]?["count"]?.int == 0)
        #expect(others["head"]?.string == server.services.broker.head.text)
        #expect(
            try await server.get("/api/conversations?view=\(view)", by: agent)["data"]?.count == 0)
        let key = try await server.makeKey([server.business])
        #expect(try await server.get(Self.path, by: key)["data"]?.count == 1)
        #expect(
            try await server.get("/api/conversations?view=\(view)", by: key).code == "invalid")
        #expect(
            try await server.get("/api/conversations?view=\(view)&state=open", by: owner).code
                == "invalid")
        #expect(
            try await server.get("/api/conversations?view=\(all[0])", by: owner).code == "invalid")
    }

    @Test func `a list with words counts as a search, and so does the count of a view with words`()
        async throws
    {
        let server = try await TestServer { $0.web.searchesBurst = 2 }
        let key = try await server.makeKey([server.business])
        let list = "/api/conversations?text=parcel"
        for _ in 0..<2 { #expect(try await server.get(list, by: key).status == 200) }
        let refused = try await server.get(list, by: key)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] == "1")
        #expect(try await server.get("/api/conversations", by: key).status == 200)
        let owner = try await server.makeOwner()
        let made = try await server.post(
            Self.path, #"{"name":"Parcels","filter":{"text":"parcel"}}"#, by: owner)
        #expect(made.status == 201, "\(made.text)")
        #expect(try await server.get(Self.path, by: owner).status == 200)
        #expect(try await server.get(Self.path, by: owner).code == "rate_limited")
    }

    @Test func `owners share views, agents have their own, and no agent sees another's`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let shared = #"{"name":"S","shared":true,"business":"\#(server.business.id)","filter":{}}"#
        #expect(try await server.post(Self.path, shared, by: agent).code == "forbidden")
        let own = try await server.post(Self.path, #"{"name":"Own","filter":{}}"#, by: agent)
        #expect(own["shared"]?.bool == false)
        #expect(own["business"]?.isNull == true)
        let id = try #require(own["id"]?.string)
        let all = try #require(
            try await server.post(Self.path, shared, by: owner)["id"]?.string)
        #expect(Self.ids(try await server.get(Self.path, by: owner)) == [all])
        #expect(Set(Self.ids(try await server.get(Self.path, by: agent))) == [id, all])
        let body = #"{"name":"Taken","filter":{}}"#
        #expect(
            try await server.send(.put, "\(Self.path)/\(id)", body, by: owner).code == "not_found")
        #expect(
            try await server.send(.put, "\(Self.path)/\(all)", body, by: agent).code
                == "forbidden")
        #expect(
            try await server.send(.delete, "\(Self.path)/\(all)", by: agent).code == "forbidden")
        let renamed = try await server.send(
            .put, "\(Self.path)/\(id)", #"{"name":"Later","order":7,"filter":{"waiting":true}}"#,
            by: agent)
        #expect(renamed["name"]?.string == "Later")
        #expect(renamed["filter"]?["waiting"]?.bool == true)
        #expect(try await server.send(.delete, "\(Self.path)/\(id)", by: agent).status == 204)
        #expect(try await server.send(.delete, "\(Self.path)/\(id)", by: agent).status == 404)
        #expect(try await server.send(.delete, "\(Self.path)/\(all)", by: owner).status == 204)
        let key = try await server.makeKey([server.business])
        #expect(try await server.post(Self.path, body, by: key).code == "forbidden")
    }

    @Test
    func `a view on what is not there is refused at its place, and one that loses it says so`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let business = "\"business\":\"\(server.business.id)\""
        let label = try await Self.makeLabel("VIP", in: server, by: owner)
        let nothing = server.services.broker.makeID().text
        for (filter, pointer) in [
            (#""labels":["\#(label)","\#(nothing)"]"#, "/filter/labels/1"),
            (#""team":"\#(nothing)""#, "/filter/team"),
            (#""assignee":"\#(nothing)""#, "/filter/assignee"),
            (#""attributes":{"tier":"gold"}"#, "/filter/attributes/tier"),
        ] {
            let refused = try await server.post(
                Self.path, "{\"name\":\"V\",\(business),\"filter\":{\(filter)}}", by: owner)
            #expect(refused.status == 422)
            #expect(refused["errors"]?[0]?["pointer"]?.string == pointer, "\(refused.text)")
        }
        let made = try await server.post(
            Self.path, "{\"name\":\"V\",\(business),\"filter\":{\"labels\":[\"\(label)\"]}}",
            by: owner)
        #expect(made.status == 201)
        _ = try await server.makeConversation()
        _ = try await server.send(
            .patch, "/api/businesses/\(server.business.id)/labels/\(label)", #"{"retired":true}"#,
            by: owner)
        let listed = try await server.get(Self.path, by: owner)
        #expect(listed["data"]?[0]?["missing"]?[0]?.string == "/filter/labels/0")
        let view = try #require(made["id"]?.string)
        #expect(
            try await server.get("/api/conversations?view=\(view)", by: owner)["data"]?.count == 0)
    }

    @Test(arguments: [
        (#"{"filter":{}}"#, ""), (#"{"name":" ","filter":{}}"#, "/name"),
        (#"{"name":"a"}"#, ""), (#"{"name":"a","filter":[]}"#, "/filter"),
        (#"{"name":"a","shared":true,"filter":{}}"#, "/shared"),
        (#"{"name":"a","filter":{"state":"gone"}}"#, "/filter/state"),
        (#"{"name":"a","filter":{"state":"closed","waiting":true}}"#, "/filter/state"),
        (#"{"name":"a","filter":{"waiting":true,"sort":"oldest"}}"#, "/filter/sort"),
        (#"{"name":"a","filter":{"mentions":true,"assignee":"me"}}"#, "/filter/assignee"),
        (#"{"name":"a","filter":{"assignee":"you"}}"#, "/filter/assignee"),
        (#"{"name":"a","filter":{"language":"Japanese!"}}"#, "/filter/language"),
        (#"{"name":"a","filter":{"text":"..."}}"#, "/filter/text"),
        (#"{"name":"a","filter":{"channel":"fax"}}"#, "/filter/channel"),
        (#"{"name":"a","filter":{"priorities":["soon"]}}"#, "/filter/priorities/0"),
        (#"{"name":"a","filter":{"attributes":{"tier":"gold"}}}"#, "/filter"),
        (#"{"name":"a","filter":{"attributes":{"tier":[]}}}"#, "/filter/attributes/tier"),
        (#"{"name":"a","filter":{"colour":"red"}}"#, "/filter/colour"),
    ])
    func `a filter that cannot be is refused with its place`(
        _ body: String, _ pointer: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(Self.path, body, by: owner)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.text)")
        #expect(try await server.get(Self.path, by: owner)["data"]?.count == 0)
    }

    @Test func `a list is narrowed by attributes, language and words`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        _ = try await server.post(
            "/api/businesses/\(server.business.id)/attributes",
            #"{"of":"conversation","key":"guests","name":"Guests","type":"number"}"#, by: owner)
        let one = try await server.makeConversation()
        _ = try await server.makeConversation()
        _ = try await server.send(
            .patch, "/api/conversations/\(one.id)", #"{"attributes":{"guests":5}}"#, by: owner)
        let list = "/api/conversations"
        func attributes(_ json: String) -> String {
            list + "?attributes="
                + json.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let five = try await server.get(attributes(#"{"guests":5}"#), by: owner)
        #expect(Self.ids(five) == [one.id.text])
        #expect(
            try await server.get(attributes(#"{"guests":"5"}"#), by: owner)["data"]?.count == 0)
        for wrong in ["5", #"{"guests":null}"#, #"{"a":1,"b":1,"c":1,"d":1}"#] {
            #expect(try await server.get(attributes(wrong), by: owner).code == "invalid")
        }
        #expect(try await server.get(list + "?channel=phone", by: owner)["data"]?.count == 2)
        #expect(try await server.get(list + "?channel=upstream", by: owner)["data"]?.count == 0)
        _ = try await server.send(
            .patch,
            "/api/businesses/\(server.business.id)/contacts/\(one.contact)",
            #"{"name":"Amélie Dupont"}"#, by: owner)
        #expect(Self.ids(try await server.get(list + "?text=dupont", by: owner)) == [one.id.text])
        #expect(
            try await server.get(list + "?text=dupont&state=closed", by: owner)["data"]?.count == 0)
        for wrong in [
            "channel=fax", "language=JA", "text=...", "sort=best", "waiting=true&sort=oldest",
        ] {
            #expect(
                try await server.get("\(list)?\(wrong)", by: owner).code == "invalid", "\(wrong)")
        }
    }

    @Test func `a view that a newer program saved is left out, and said in the log`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post(Self.path, #"{"name":"Known","filter":{}}"#, by: owner)
        #expect(made.status == 201)
        let agent = try await server.agentID(of: owner)
        let newer = SavedView(
            id: SavedViewID(server.services.broker.makeID()), business: nil, owner: agent,
            name: "Newer", filter: Array(#"{"assignee":"of a later time"}"#.utf8), order: 0)
        try await server.services.broker.save(newer, isNew: true, by: .agent(agent))
        let listed = try await server.get(Self.path, by: owner)
        #expect(listed.status == 200, "\(listed.text)")
        #expect(listed["data"]?.elements.map { $0["name"]?.string } == ["Known"])
        #expect(server.log.lines.contains { $0.contains("saved_view_unreadable") })
    }

    @Test func `the views say how many conversations mention the agent`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let one = try await server.makeConversation()
        let id = try await server.agentID(of: agent)
        _ = try await server.post(
            "/api/conversations/\(one.id)/notes", #"{"text":"@Ben","mentions":["\#(id)"]}"#,
            by: owner)
        #expect(try await server.get("/api/views", by: agent)["counts"]?["mentions"]?.int == 1)
        #expect(try await server.get("/api/views", by: owner)["counts"]?["mentions"]?.int == 0)
        let key = try await server.makeKey([server.business])
        #expect(try await server.get("/api/views", by: key)["counts"]?["mentions"] == nil)
    }
}

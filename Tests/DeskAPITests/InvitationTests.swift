import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// What an invitation gives, to whom, and what it shows.
struct InvitationTests {
    private static let squatter = "a password of the squatter"
    private static let own = "a password of the person"

    /// Ada owns one business, Eve the other; neither is in both.
    private static func makeTwo() async throws -> (
        server: TestServer, ada: TestServer.Caller, eve: TestServer.Caller
    ) {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let eve = try await server.makeMember("eve@example.com", .owner, of: server.other, by: ada)
        let path = "/api/businesses/\(server.other.id)/members"
        let id = try await server.agentID(of: ada)
        #expect(try await server.send(.delete, path + "/\(id)", by: eve).status == 204)
        return (server, ada, eve)
    }

    private static func accept(
        _ server: TestServer, _ token: String, _ more: String, password: String = own
    ) async throws -> Answer {
        try await server.post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","password":"\#(password)"\#(more)}"#)
    }

    private static func signIn(_ server: TestServer, _ password: String) async throws -> Answer {
        try await server.post(
            "/api/session", #"{"email":"vic@example.com","password":"\#(password)"}"#)
    }

    private static func businesses(_ answer: Answer) -> [String] {
        answer["businesses"]?.elements.compactMap { $0["name"]?.string } ?? []
    }

    @Test func `an account made in advance joins nothing by itself`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        // Eve invites the address and accepts the link herself.
        let taken = try await server.invite("vic@example.com", to: server.other, by: eve)
        let made = try await Self.accept(
            server, taken, #","name":"Vic""#, password: Self.squatter)
        #expect(made.status == 201)
        let outsider = TestServer.Caller.agent(try #require(made.cookie("fd")))
        // Ada invites it later: the account that is there is no member.
        let token = try await server.invite("vic@example.com", .owner, to: server.business, by: ada)
        let path = "/api/businesses/\(server.business.id)/members"
        #expect(try await server.get(path, by: outsider).status == 404)
        #expect(try await server.get(path, by: ada)["data"]?.count == 1)
        // The link says that there is an account, and does not go round it unasked.
        let shown = try await server.post("/api/invitations/open", #"{"token":"\#(token)"}"#)
        #expect(shown["hasAccount"]?.bool == true)
        #expect(shown["business"]?.string == "Sandbox" && shown["role"]?.string == "owner")
        #expect(try await Self.accept(server, token, #","name":"Vic""#).code == "name_taken")
        #expect(try await Self.accept(server, token, "").code == "unauthenticated")
        // Whom the account never belonged to makes another one.
        let own = try await Self.accept(server, token, #","name":"Vic","separate":true"#)
        #expect(own.status == 201)
        #expect(Self.businesses(own) == ["Sandbox"])
        // The password decides between the two, by one derivation: they have the same salt.
        let stored = try await server.store.agents(email: "vic@example.com").compactMap(\.password)
        let salts = Set(stored.map { $0.split(separator: "$")[4] })
        #expect(stored.count == 2 && salts.count == 1)
        let first = try await Self.signIn(server, Self.squatter)
        let second = try await Self.signIn(server, Self.own)
        #expect(Self.businesses(first) == ["Shop"])
        #expect(Self.businesses(second) == ["Sandbox"])
        #expect(try await Self.signIn(server, "neither of the two passwords").status == 401)
        #expect(try await server.get(path, by: outsider).status == 404)
        #expect(try await server.get(path, by: ada)["data"]?.count == 2)
    }

    @Test func `who has an account joins a second business with its password`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let first = try await server.invite("vic@example.com", to: server.other, by: eve)
        _ = try await Self.accept(server, first, #","name":"Vic""#)
        let token = try await server.invite("vic@example.com", to: server.business, by: ada)
        let joined = try await Self.accept(server, token, "")
        #expect(joined.status == 201)
        #expect(Self.businesses(joined) == ["Sandbox", "Shop"])
        #expect(joined["agent"]?["name"]?.string == "Vic")
        #expect(try await Self.accept(server, token, "").status == 401)
        #expect(try await server.store.agents(email: "vic@example.com").count == 1)
    }

    @Test func `a separate account with the password of the first is the first`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let first = try await server.invite("vic@example.com", to: server.other, by: eve)
        _ = try await Self.accept(server, first, #","name":"Vic""#)
        let token = try await server.invite("vic@example.com", to: server.business, by: ada)
        let joined = try await Self.accept(server, token, #","name":"V","separate":true"#)
        #expect(Self.businesses(joined) == ["Sandbox", "Shop"])
        #expect(try await server.store.agents(email: "vic@example.com").count == 1)
    }

    @Test func `links do not get around the budget of an account's tries`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let first = try await server.invite("vic@example.com", to: server.other, by: eve)
        _ = try await Self.accept(server, first, #","name":"Vic""#)
        let token = try await server.invite("vic@example.com", to: server.business, by: ada)
        for _ in 0..<5 {
            let wrong = try await Self.accept(server, token, "", password: "wrong")
            #expect(wrong.status == 401)
        }
        #expect(try await Self.accept(server, token, "").status == 429)
        let more = #","name":"V","separate":true"#
        #expect(try await Self.accept(server, token, more).status == 429)
    }

    @Test func `inviting says the same whether the address has an account or not`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        _ = try await server.makeMember("vic@example.com", .agent, of: server.other, by: eve)
        let path = "/api/businesses/\(server.business.id)/members"
        var bodies: [[String]] = []
        for email in ["vic@example.com", "new@example.com"] {
            let answer = try await server.post(path, #"{"email":"\#(email)"}"#, by: ada)
            #expect(answer.status == 201)
            let root = try #require(answer.document?.root)
            #expect(root["invitationUrl"]?.string != nil)
            bodies.append(
                root.members.map { "\($0.value.kind)" }
                    + (root["invitation"]?.members.map { "\($0.value.kind)" } ?? []))
            #expect(root["invitation"]?["email"]?.string == email)
            let again = try await server.post(path, #"{"email":"\#(email)"}"#, by: ada)
            #expect(again.status == 201)
        }
        #expect(bodies[0] == bodies[1])
        // Nothing was looked up that only one of them has.
        #expect(try await server.store.agents(email: "new@example.com").isEmpty)
    }

    @Test func `open invitations are listed, withdrawn, and replaced by the next`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let path = "/api/businesses/\(server.business.id)/invitations"
        let old = try await server.invite("vic@example.com", to: server.business, by: ada)
        let token = try await server.invite("vic@example.com", .owner, to: server.business, by: ada)
        #expect(try await Self.accept(server, old, #","name":"V""#).status == 401)
        let list = try await server.get(path, by: ada)
        #expect(list["data"]?.count == 1)
        #expect(list["data"]?[0]?["role"]?.string == "owner")
        #expect(!list.text.contains(token))
        let id = try #require(list["data"]?[0]?["id"]?.string)
        #expect(try await server.get(path, by: eve).status == 404)
        let foreign = "/api/businesses/\(server.other.id)/invitations/\(id)"
        #expect(try await server.send(.delete, foreign, by: eve).status == 404)
        #expect(try await server.send(.delete, path + "/\(id)", by: ada).status == 204)
        #expect(try await server.send(.delete, path + "/\(id)", by: ada).status == 404)
        #expect(try await Self.accept(server, token, #","name":"V""#).status == 401)
        let dead = try await server.post("/api/invitations/open", #"{"token":"\#(token)"}"#)
        #expect(dead.code == "unauthenticated")
    }

    @Test func `an owner who was removed has no way back by an invitation`() async throws {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .owner, of: server.business, by: ada)
        let token = try await server.invite(
            "ben2@example.com", .owner, to: server.business, by: ben)
        let id = try await server.agentID(of: ben)
        let path = "/api/businesses/\(server.business.id)/members/\(id)"
        #expect(try await server.send(.delete, path, by: ada).status == 204)
        #expect(try await Self.accept(server, token, #","name":"Ben""#).status == 401)
    }

    @Test func `adding and removing a member signs no other out`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let vic = try await server.makeMember(
            "vic@example.com", .agent, of: server.business, by: ada)
        let token = try await server.invite("vic@example.com", to: server.other, by: eve)
        let id = try await server.agentID(of: vic)
        let path = "/api/businesses/\(server.other.id)/members/\(id)"
        #expect(try await server.send(.delete, path, by: eve).status == 404)
        _ = try await Self.accept(server, token, "", password: TestServer.password)
        #expect(try await server.send(.delete, path, by: eve).status == 204)
        let session = try await server.get("/api/session", by: vic)
        #expect(session.status == 200)
        #expect(Self.businesses(session) == ["Sandbox"])
        // A link for a new password belongs to the operator, and not to this business.
        let link = try await server.makePasswordLink(for: id)
        _ = try await server.send(.delete, path, by: eve)
        let shown = try await server.post("/api/invitations/open", #"{"token":"\#(link)"}"#)
        #expect(shown["kind"]?.string == "password")
    }

    @Test func `a new password is not one of another account of the address`() async throws {
        let (server, ada, eve) = try await Self.makeTwo()
        let first = try await server.invite("vic@example.com", to: server.other, by: eve)
        _ = try await Self.accept(server, first, #","name":"Vic""#, password: Self.squatter)
        let second = try await server.invite("vic@example.com", to: server.business, by: ada)
        _ = try await Self.accept(server, second, #","name":"Vic","separate":true"#)
        let accounts = try await server.store.agents(email: "vic@example.com")
        let link = try await server.makePasswordLink(for: accounts[1].id)
        let refused = try await Self.accept(
            server, link, #","name":"Vic""#, password: Self.squatter)
        #expect(refused.code == "invalid")
        let changed = "yet another password of hers"
        #expect(
            try await Self.accept(server, link, #","name":"Vic""#, password: changed).status == 201)
        #expect(Self.businesses(try await Self.signIn(server, changed)) == ["Sandbox"])
        #expect(Self.businesses(try await Self.signIn(server, Self.squatter)) == ["Shop"])
    }

    @Test func `a member's new name is shown without a restart`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let thread = "/api/conversations/\(conversation.id)/messages"
        let sent = try await server.post(thread, #"{"type":"text","body":"x"}"#, by: owner)
        let id = try #require(sent["id"]?.string)
        func name() async throws -> String? {
            let key = try await server.makeKey([server.business])
            return try await server.get("\(thread)/\(id)", by: key)["author"]?["name"]?.string
        }
        #expect(try await name() == "Ada")
        let agent = try await server.agentID(of: owner)
        let token = try await server.makePasswordLink(for: agent)
        let changed = try await server.post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","name":"Ada King","password":"another horse battery"}"#)
        #expect(changed.status == 201)
        #expect(try await name() == "Ada King")
    }
}

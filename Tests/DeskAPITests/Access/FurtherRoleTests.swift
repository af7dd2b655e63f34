import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// A role of members that only a row of the table makes: it is invited, signs in, and does what its
/// row grants and nothing else, down to what the store asks again.
struct FurtherRoleTests {
    private static let granted: Set<Permission> = [
        .readBusinesses, .readMembers, .manageMembers, .manageKeys, .readConversations,
    ]

    /// A server with the role `lead`, an owner, a lead and an agent of the sandbox's business.
    private struct Scene {
        let server: TestServer
        let lead: Role
        let owner, leader, agent: TestServer.Caller

        init() async throws {
            lead = try #require(Role("lead"))
            var table = PermissionTable.product
            table.add(PermissionTable.Row(PrincipalRole(lead), FurtherRoleTests.granted))
            server = try await TestServer(permissions: table, isDescribed: false)
            owner = try await server.makeOwner()
            leader = try await server.makeMember(
                "lea@example.com", lead, of: server.business, by: owner)
            agent = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
        }

        func path(_ rest: String) -> String { "/api/businesses/\(server.business.id)/\(rest)" }

        func member(_ caller: TestServer.Caller) async throws -> String {
            path("members/\(try await server.agentID(of: caller))")
        }

        func invite(
            _ role: String, _ email: String = "new@example.com", by caller: TestServer.Caller
        ) async throws -> Answer {
            try await server.post(
                path("members"), #"{"email":"\#(email)","role":"\#(role)"}"#, by: caller)
        }

        func change(
            _ caller: TestServer.Caller, to role: String, by author: TestServer.Caller
        ) async throws -> Int {
            try await server.send(
                .patch, member(caller), #"{"role":"\#(role)"}"#, by: author
            ).status
        }
    }

    @Test func `the session says what a role may do in each business, whatever its name`()
        async throws
    {
        let scene = try await Scene()
        let session = try await scene.server.get("/api/session", by: scene.leader)
        let businesses = Array(try #require(session["businesses"]).elements)
        #expect(businesses.map { $0["role"]?.string } == ["lead"])
        let permissions = businesses[0]["permissions"]?.elements.map { $0.string }
        #expect(permissions == Self.granted.map(\.name).sorted())
        #expect(
            session["memberRoles"]?.elements.map { $0.string } == [
                "owner", "supervisor", "agent", "auditor", "lead",
            ])
        let key = try await scene.server.makeKey([scene.server.business])
        let listed = try await scene.server.get("/api/businesses", by: key)
        #expect(listed["data"]?[0]?["permissions"]?.isNull == true)
    }

    @Test func `a further role gets exactly the routes of its row`() async throws {
        let scene = try await Scene()
        let conversation = try await scene.server.makeConversation()
        var (admitted, refused) = (0, 0)
        for row in scene.server.api.table.rows {
            let isAdmitted: Bool =
                switch row.business {
                case .none: row.permission == .open || row.permission == .useOwnSession
                case .session: row.permission == .startConversation
                case .any, .query, .path, .conversation, .sandbox:
                    Self.granted.contains(row.permission)
                }
            guard
                let status = try await scene.server.probe(
                    row, conversation.id, by: scene.leader)
            else { continue }
            let refusal = row.business == .session ? 401 : 403
            #expect(status == (isAdmitted ? 400 : refusal), "\(row.operation)")
            if isAdmitted { admitted += 1 } else { refused += 1 }
        }
        #expect(admitted >= 10)
        #expect(refused >= 10)
    }

    @Test func `the session and the lists name a further role`() async throws {
        let scene = try await Scene()
        let session = try await scene.server.get("/api/session", by: scene.leader)
        #expect(session["agent"]?["role"]?.string == "lead")
        #expect(session["businesses"]?[0]?["role"]?.string == "lead")
        let members = try await scene.server.get(scene.path("members"), by: scene.leader)
        #expect(
            members["data"]?.elements.compactMap { $0["role"]?.string }.sorted() == [
                "agent", "lead", "owner",
            ])
    }

    @Test func `who may manage members invites, changes and removes all but owners`() async throws {
        let scene = try await Scene()
        #expect(try await scene.invite("agent", by: scene.leader).status == 201)
        #expect(try await scene.invite("lead", by: scene.leader).status == 201)
        let owner = try await scene.invite("owner", by: scene.leader)
        #expect(owner.status == 403)
        #expect(owner["detail"]?.string == "It is not permitted: only an owner invites an owner.")
        #expect(try await scene.invite("boss", by: scene.leader).status == 422)
        #expect(try await scene.invite("agent", by: scene.agent).status == 403)
        let open = try await scene.server.get(scene.path("invitations"), by: scene.leader)
        #expect(open["data"]?.count == 1 && open["data"]?[0]?["role"]?.string == "lead")

        #expect(try await scene.change(scene.agent, to: "owner", by: scene.leader) == 403)
        #expect(try await scene.change(scene.leader, to: "owner", by: scene.leader) == 403)
        #expect(try await scene.change(scene.owner, to: "agent", by: scene.leader) == 403)
        let removed = try await scene.server.send(
            .delete, scene.member(scene.owner), by: scene.leader)
        #expect(removed.status == 403)
        #expect(try await scene.change(scene.agent, to: "lead", by: scene.leader) == 200)
        #expect(try await scene.change(scene.agent, to: "agent", by: scene.leader) == 200)
        let member = try await scene.member(scene.agent)
        #expect(try await scene.server.send(.delete, member, by: scene.leader).status == 204)
    }

    @Test func `who may manage keys makes, confirms and ends them, and they end with the role`()
        async throws
    {
        let scene = try await Scene()
        let body = #"{"name":"till","businesses":["\#(scene.server.business.id)"]}"#
        func make(by caller: TestServer.Caller) async throws -> (Answer, TestServer.Caller) {
            let made = try await scene.server.post("/api/keys", body, by: caller)
            return (made, .key(made["secret"]?.string ?? ""))
        }
        #expect(try await make(by: scene.agent).0.status == 403)
        let (own, ownKey) = try await make(by: scene.leader)
        let (others, othersKey) = try await make(by: scene.owner)
        #expect(own.status == 201 && others.status == 201)
        let id = try #require(others["key"]?["id"]?.string)
        let confirmed = try await scene.server.send(
            .put, scene.path("keys/\(id)"), by: scene.leader)
        #expect(confirmed.status == 204)
        for key in [ownKey, othersKey] {
            #expect(try await scene.server.get("/api/businesses", by: key).status == 200)
        }
        #expect(try await scene.invite("agent", by: scene.leader).status == 201)
        #expect(try await scene.change(scene.leader, to: "agent", by: scene.owner) == 200)
        for key in [ownKey, othersKey] {
            #expect(try await scene.server.get("/api/businesses", by: key).status == 401)
        }
        let open = try await scene.server.get(scene.path("invitations"), by: scene.owner)
        #expect(open["data"]?.count == 0)
        #expect(try await make(by: scene.leader).0.status == 403)
    }

    @Test func `a permission that is lost before the commit refuses in the store`() async throws {
        let lead = try #require(Role("lead"))
        var table = PermissionTable.product
        table.add(PermissionTable.Row(PrincipalRole(lead), Self.granted))
        let time = TestTime()
        var random = SystemRandomNumberGenerator()
        let agent = Agent(
            id: AgentID(UniqueID(using: &random)), name: "Lea", email: "lea@example.com",
            password: "scrypt", createdAt: time.now)
        let other = Agent(
            id: AgentID(UniqueID(using: &random)), name: "Ben", email: "ben@example.com",
            password: "scrypt", createdAt: time.now)
        // The pipeline still sees the role; the store has another by now.
        let roles = Roles()
        let server = try await TestServer(
            permissions: table, isDescribed: false,
            agents: PersonAuthenticator(agent: agent) { roles.value })
        let business = server.business.id
        roles.set([business: PrincipalRole(lead)])
        for one in [agent, other] {
            try await server.store.save(one, author: .server)
            try await server.store.setRole(.agent, of: one.id, in: business, author: .server)
        }
        let origin: HeaderFields = ["Origin": TestServer.origin]
        let path = "/api/businesses/\(business)"
        let invited = try await server.post(
            path + "/members", #"{"email":"new@example.com"}"#, headers: origin)
        #expect(invited.status == 403)
        let changed = try await server.send(
            .patch, path + "/members/\(other.id)", #"{"role":"lead"}"#, headers: origin)
        #expect(changed.status == 403)
        #expect(
            changed["detail"]?.string == "Your role in the business does not permit this.")
        let removed = try await server.send(
            .delete, path + "/members/\(other.id)", headers: origin)
        #expect(removed.status == 403)
        let made = try await server.post(
            "/api/keys", #"{"name":"till","businesses":["\#(business)"]}"#, headers: origin)
        #expect(made.status == 403)
        #expect(try await server.store.keys().isEmpty)
        #expect(try await server.store.invitations(of: business).isEmpty)
        #expect(try await server.store.memberships(of: other.id).map(\.role) == [.agent])
    }

    @Test func `a member's role of the name of another principal has none of its permissions`() {
        for row in PermissionTable.product.rows where !row.role.isMembership {
            let namesake = Role(row.role.name).map { PrincipalRole($0) }
            #expect(namesake != nil && namesake != row.role)
        }
    }

    @Test(arguments: [
        ("owner", true), ("team_lead", true), ("a", true), ("", false), ("Owner", false),
        ("te am", false), ("lead1", false), ("é", false),
        (String(repeating: "a", count: 32), true), (String(repeating: "a", count: 33), false),
    ])
    func `a role's name is 1 to 32 letters a to z and underscores`(name: String, isOne: Bool) {
        #expect((Role(name) != nil) == isOne)
    }
}

import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Requests of a provider that cross: each decides by what it read before the other one's change.
struct SCIMRaceTests {
    /// Asks for nothing: the requests here were authorized.
    private struct Admitted: Authorizer {
        var head: EventID { preconditionFailure("no route here asks for it") }

        func authorize(
            _ request: Request, _ rule: AccessRule, caller: inout KeyID?
        ) async throws(Problem) -> Access { Access() }

        func stillHolds(_ principal: Principal?, of request: Request) async -> Bool { true }

        func finish(_ response: inout Response, to request: Request, _ access: Access) {}
    }

    /// A business, an owner of it, and what a request of a provider is carried out with.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let context: RequestContext
        var business: BusinessID { server.other.id }

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            let request = try Request(
                method: .get, target: "/", headers: [:], body: [], host: server.host,
                peer: Peer(address: "192.0.2.7", isLoopback: false))
            let key = KeyPrincipal(
                id: KeyID(server.services.broker.makeID()), name: "provider",
                mode: server.other.mode, businesses: [server.other.id], scopes: .people)
            context = RequestContext(
                request: request, access: Access(.key(key), business: server.other.id),
                rule: AccessRule(.provisionPeople, .path, in: .product), services: server.services,
                watch: PrincipalWatch(
                    request: request, principal: .key(key), authorizer: Admitted()))
        }

        /// People as a request reads them now.
        func people() async throws -> SCIMPeople {
            SCIMPeople(try await directory(), context)
        }

        /// Teams as a request reads them now.
        func teams() async throws -> SCIMTeams {
            SCIMTeams(try await directory(), context)
        }

        private func directory() async throws -> SCIMDirectory {
            try await SCIMDirectory(of: business, base: "", server.services, reaching: .everyone)
        }

        func add(_ name: String) async throws -> String {
            let body = try JSONDocument(parsing: #"{"userName":"\#(name)@example.com"}"#).root
            return try id(of: try await people().add(body))
        }

        func id(of resource: JSON) throws -> String {
            guard case .string(let id)? = resource["id"] else { throw Problem.notFound }
            return id
        }

        func role(of id: String) async throws -> Role? {
            let agent = try #require(AgentID(id))
            return try await server.store.memberships(of: agent)
                .first { $0.business == business }?.role
        }
    }

    private static func active(_ isActive: Bool, _ resource: JSON?) throws -> JSON {
        guard case .object(let members)? = resource else { throw Problem.notFound }
        return .object(members.filter { $0.0 != "active" } + [("active", .bool(isActive))])
    }

    private static func refusal(_ work: () async throws -> Void) async -> ProblemCode? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }

    @Test func `who is removed while made active is no member and no longer kept`() async throws {
        let setting = try await Setting()
        let id = try await setting.add("a")
        _ = try await setting.people().change(
            id, to: Self.active(false, setting.people().find(id)))
        let early = try await setting.people()
        try await setting.people().remove(id)
        let refused = await Self.refusal {
            _ = try await early.change(id, to: Self.active(true, early.find(id)))
        }
        #expect(refused == .notFound)
        #expect(try await setting.role(of: id) == nil)
        #expect(try await setting.people().find(id) == nil)
    }

    @Test func `who is made active while removed is no member and no longer kept`() async throws {
        let setting = try await Setting()
        let id = try await setting.add("a")
        _ = try await setting.people().change(
            id, to: Self.active(false, setting.people().find(id)))
        let early = try await setting.people()
        let now = try await setting.people()
        _ = try await now.change(id, to: Self.active(true, now.find(id)))
        #expect(try await setting.role(of: id) == .agent)
        try await early.remove(id)
        #expect(try await setting.role(of: id) == nil)
        #expect(try await setting.people().find(id) == nil)
    }

    @Test func `who became an owner meanwhile stays one`() async throws {
        let setting = try await Setting()
        let id = try await setting.add("a")
        let early = try await setting.people()
        try await setting.server.store.setRole(
            .owner, of: #require(AgentID(id)), in: setting.business, author: .server)
        let wanted: JSON = ["userName": "a@example.com", "roles": [["value": "auditor"]]]
        let refused = await Self.refusal { _ = try await early.change(id, to: wanted) }
        #expect(refused == .forbidden)
        #expect(try await setting.role(of: id) == .owner)
    }

    @Test func `a team keeps the name that it got while members were added`() async throws {
        let setting = try await Setting()
        let person = try await setting.add("a")
        let body = try JSONDocument(parsing: #"{"displayName":"Before"}"#).root
        let id = try setting.id(of: try await setting.teams().add(body))
        let early = try await setting.teams()
        _ = try await setting.teams().change(id, to: ["displayName": "After"])
        let answer = try await early.change(
            id, to: ["displayName": "Before", "members": [["value": .string(person)]]])
        #expect(answer["displayName"]?.text() == #""After""#)
    }
}

import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The assignments of a removed member end, however many there were.
struct GivingBackTests {
    /// Conversations of a business, all assigned to one member.
    private static func assign(
        _ count: Int, to agent: AgentID, in server: TestServer
    ) async throws -> [ConversationID] {
        var ids: [ConversationID] = []
        for number in 0..<count {
            let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA\(number)=")))
            let one = try await server.services.broker.openConversation(
                of: customer, with: server.business.id)
            _ = try await server.services.broker.change(one.id, .assign(agent), by: .server)
            ids.append(one.id)
        }
        return ids
    }

    @Test func `more conversations than one commit changes are given back with the answer`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: ben)
        let ids = try await Self.assign(
            MemberChange.conversationsAtOnce + 301, to: id, in: server)
        let removed = try await server.send(
            .delete, "/api/businesses/\(server.business.id)/members/\(id)", by: owner)
        #expect(removed.status == 204)
        for id in ids {
            #expect(try await server.store.findConversation(id)?.assignee == nil)
        }
        let list = try await server.get("/api/conversations?filter=unassigned", by: owner)
        #expect(list["counts"]?["unassigned"]?.int == ids.count)
    }

    @Test func `what an earlier version left assigned to a former member is given back`()
        async throws
    {
        let server = try await TestServer()
        let gone = AgentID(server.services.broker.makeID())
        let ids = try await Self.assign(3, to: gone, in: server)
        try await server.services.broker.giveBackAbandoned(
            handling: server.services.handlingRoles)
        for id in ids {
            #expect(try await server.store.findConversation(id)?.assignee == nil)
        }
        let head = server.store.newest
        try await server.services.broker.giveBackAbandoned(
            handling: server.services.handlingRoles)
        #expect(server.store.newest == head)
    }
}

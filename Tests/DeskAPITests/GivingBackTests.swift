import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// What a removed member was assigned is nobody's again, however much it was.
struct GivingBackTests {
    /// Conversations of a business, all assigned to somebody.
    private static func assign(
        _ count: Int, to agent: AgentID, in house: TestHouse
    ) async throws -> [ConversationID] {
        var ids: [ConversationID] = []
        for number in 0..<count {
            let customer = Customer(id: try #require(CustomerID("urn:mbid:AAA\(number)=")))
            let one = try await house.services.broker.openConversation(
                of: customer, with: house.business.id)
            _ = try await house.services.broker.change(one.id, .assign(agent), by: .house)
            ids.append(one.id)
        }
        return ids
    }

    @Test func `more conversations than one commit takes are given back with the answer`()
        async throws
    {
        let house = try await TestHouse()
        let owner = try await house.makeOwner()
        let ben = try await house.makeMember(
            "ben@example.com", .agent, of: house.business, by: owner)
        let id = try await house.agentID(of: ben)
        let ids = try await Self.assign(
            MemberChange.conversationsAtOnce + 301, to: id, in: house)
        let removed = try await house.send(
            .delete, "/api/businesses/\(house.business.id)/members/\(id)", by: owner)
        #expect(removed.status == 204)
        for id in ids {
            #expect(try await house.store.findConversation(id)?.assignee == nil)
        }
        let list = try await house.get("/api/conversations?filter=unassigned", by: owner)
        #expect(list["counts"]?["unassigned"]?.int == ids.count)
    }

    @Test func `what an earlier version left assigned to nobody's member is given back`()
        async throws
    {
        let house = try await TestHouse()
        let gone = AgentID(house.services.broker.makeID())
        let ids = try await Self.assign(3, to: gone, in: house)
        try await house.services.broker.giveBackAbandoned()
        for id in ids {
            #expect(try await house.store.findConversation(id)?.assignee == nil)
        }
        let head = house.store.newest
        try await house.services.broker.giveBackAbandoned()
        #expect(house.store.newest == head)
    }
}

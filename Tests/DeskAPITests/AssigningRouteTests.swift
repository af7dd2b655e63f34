import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct AssigningRouteTests {
    private static let rule =
        #"{"strategy":"round_robin","sticky":true,"capacity":4,"giveBackMinutes":10}"#

    @Test func `owners choose how a business assigns, and everybody reads it`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: agent)
        let path = "/api/businesses/\(server.business.id)/assignment"
        let none = try await server.get(path, by: agent)
        #expect(none["assignment"]?["strategy"]?.string == "off")
        #expect(none["assignment"]?["giveBackMinutes"]?.isNull == true)
        #expect(none["members"]?.count == 2)
        #expect(try await server.send(.put, path, Self.rule, by: agent).code == "forbidden")
        let body =
            #"{"strategy":"least_busy","capacity":4,"capacities":{"\#(id)":2}}"#
        let set = try await server.send(.put, path, body, by: owner)
        #expect(set.status == 200)
        #expect(set["assignment"]?["strategy"]?.string == "least_busy")
        let own = set["members"]?.elements.first { $0["agent"]?["id"]?.string == id.text }
        #expect(own?["capacity"]?.int == 2)
        #expect(own?["ownCapacity"]?.int == 2)
        #expect(own?["open"]?.int == 0)
        #expect(own?["state"]?.string == "offline")
        // What is left out of the numbers stays, and the same again is no event.
        _ = try await server.send(.put, path, Self.rule, by: owner)
        let newest = server.store.newest
        let again = try await server.send(.put, path, Self.rule, by: owner)
        #expect(server.store.newest == newest)
        #expect(again["assignment"]?["capacities"]?["\(id)"]?.int == 2)
        #expect(again["assignment"]?["giveBackMinutes"]?.int == 10)
        let events = try await server.store.events(after: .start, in: .everything, limit: 99)
            .events.filter { $0.type == .assignmentSaved }
        #expect(events.count == 2)
    }

    @Test func `a team has a rule of its own, or else its business's`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let business = "/api/businesses/\(server.business.id)"
        let made = try await server.post(
            business + "/teams", ##"{"name":"Night","colour":"#003366"}"##, by: owner)
        let team = try #require(made["id"]?.string)
        let path = business + "/teams/\(team)/assignment"
        #expect(try await server.get(path, by: owner)["assignment"]?.isNull == true)
        let own = try await server.send(.put, path, Self.rule, by: owner)
        #expect(own["assignment"]?["strategy"]?.string == "round_robin")
        #expect(own["members"]?.count == 0)
        #expect(
            try await server.send(.delete, path, by: owner)["assignment"]?.isNull == true)
        let unknown = business + "/teams/\(server.business.id)/assignment"
        #expect(try await server.get(unknown, by: owner).code == "not_found")
    }

    @Test(arguments: [
        (#"{"strategy":"at_random"}"#, "/strategy"), (#"{"capacity":0}"#, "/capacity"),
        (#"{"capacity":1001}"#, "/capacity"), (#"{"capacity":2.5}"#, "/capacity"),
        (#"{"giveBackMinutes":0}"#, "/giveBackMinutes"),
        (#"{"giveBackMinutes":1441}"#, "/giveBackMinutes"), (#"{"sticky":1}"#, "/sticky"),
        (#"{"capacities":[]}"#, "/capacities"),
        (#"{"capacities":{"nobody":3}}"#, "/capacities/nobody"), (#"{"more":1}"#, "/more"),
    ])
    func `what cannot be is refused where it is, and nothing is stored`(
        body: String, place: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/assignment"
        _ = try await server.send(.put, path, Self.rule, by: owner)
        let refused = try await server.send(.put, path, body, by: owner)
        #expect(refused.status == 422)
        #expect(refused["errors"]?.elements.map { $0["pointer"]?.string } == [place])
        let kept = try await server.get(path, by: owner)
        #expect(kept["assignment"]?["strategy"]?.string == "round_robin")
    }

    @Test func `the scheduler returns what its agent does not answer within the minutes`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let id = try await server.agentID(of: owner)
        _ = try await server.send(
            .put, "/api/businesses/\(server.business.id)/assignment", Self.rule, by: owner)
        let waiting = try await server.makeConversation()
        let answered = try await server.makeConversation()
        let scheduler = Scheduler(services: server.services)
        for one in [waiting, answered] {
            _ = try await server.services.broker.change(
                one.id, .assign(id), by: .agent(id))
        }
        server.time.advance(by: .seconds(300))
        _ = try await server.services.broker.change(answered.id, .close, by: .agent(id))
        server.time.advance(by: .milliseconds(299_999))
        _ = try await scheduler.doRound()
        #expect(try await server.store.findConversation(waiting.id)?.assignee == id)
        server.time.advance(by: .milliseconds(1))
        _ = try await scheduler.doRound()
        #expect(try await server.store.findConversation(waiting.id)?.assignee == nil)
        #expect(try await server.store.findConversation(answered.id)?.assignee == id)
        #expect(try await server.store.dueWork(.giveBack, in: answered.id).isEmpty)
        let thread = try await server.get(
            "/api/conversations/\(waiting.id)/messages", by: owner)
        let change = thread["events"]?.elements.map { $0 }.last
        #expect(change?["data"]?["change"]?["automatic"]?.string == "given_back")
    }
}

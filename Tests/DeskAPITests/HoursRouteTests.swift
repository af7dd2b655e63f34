import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct HoursRouteTests {
    private static let always =
        #"{"timeZone":"UTC","week":{"monday":[{"from":"00:00","to":"24:00"}],"#
        + #""tuesday":[{"from":"00:00","to":"24:00"}],"wednesday":[{"from":"00:00","to":"24:00"}],"#
        + #""thursday":[{"from":"00:00","to":"24:00"}],"friday":[{"from":"00:00","to":"24:00"}],"#
        + #""saturday":[{"from":"00:00","to":"24:00"}],"sunday":[{"from":"00:00","to":"24:00"}]}}"#
    private static let never = #"{"timeZone":"Europe/Berlin","week":{}}"#

    @Test func `owners set hours, and everybody reads whether it is open`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let path = "/api/businesses/\(server.business.id)/hours"
        let none = try await server.get(path, by: agent)
        #expect(none["hours"]?.isNull == true)
        #expect(none["now"]?["open"]?.bool == true)
        #expect(none["now"]?["changesAt"]?.isNull == true)
        #expect(try await server.send(.put, path, Self.never, by: agent).code == "forbidden")
        #expect(try await server.send(.delete, path, by: agent).code == "forbidden")
        let set = try await server.send(.put, path, Self.never, by: owner)
        #expect(set.status == 200)
        #expect(set["hours"]?["timeZone"]?.string == "Europe/Berlin")
        #expect(set["hours"]?["week"]?.count == 7)
        #expect(set["now"]?["open"]?.bool == false)
        #expect(set["now"]?["nextOpening"]?.isNull == true)
        #expect(try await server.get(path, by: agent)["hours"]?.rawText == set["hours"]?.rawText)
        // The same again is no event.
        let newest = server.store.newest
        _ = try await server.send(.put, path, Self.never, by: owner)
        #expect(server.store.newest == newest)
        let removed = try await server.send(.delete, path, by: owner)
        #expect(removed["hours"]?.isNull == true)
        #expect(removed["now"]?["open"]?.bool == true)
        let events = try await server.store.events(after: .start, in: .everything, limit: 99)
            .events.filter { $0.type == .hoursSaved }
        #expect(events.count == 2)
        guard case .json(let data) = events[0].body else {
            Issue.record("the event has no object")
            return
        }
        let said = try #require(JSONValue.parsed(data))
        #expect(said["hours"]?["timeZone"]?.string == "Europe/Berlin")
        #expect(said["team"]?.isNull == true)
        #expect(said["by"]?["type"]?.string == "agent")
    }

    @Test func `a team has hours of its own, or else its business's`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let business = "/api/businesses/\(server.business.id)"
        let made = try await server.post(
            business + "/teams", ##"{"name":"Night","colour":"#003366"}"##, by: owner)
        let team = try #require(made["id"]?.string)
        let path = business + "/teams/\(team)/hours"
        _ = try await server.send(.put, business + "/hours", Self.never, by: owner)
        let inherited = try await server.get(path, by: owner)
        #expect(inherited["hours"]?.isNull == true)
        #expect(inherited["now"]?["open"]?.bool == false)
        let own = try await server.send(.put, path, Self.always, by: owner)
        #expect(own["now"]?["open"]?.bool == true)
        #expect(try await server.get(business + "/hours", by: owner)["now"]?["open"]?.bool == false)
        #expect(
            try await server.send(.delete, path, by: owner)["now"]?["open"]?.bool == false)
        let unknown = business + "/teams/\(server.business.id)/hours"
        for method in [DeskHTTP.Method.get, .put, .delete] {
            let answer = try await server.send(
                method, unknown, method == .put ? Self.never : "", by: owner)
            #expect(answer.code == "not_found")
        }
    }

    @Test(arguments: [
        (#"{"timeZone":"Europe/Atlantis","week":{}}"#, ["/timeZone"]),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"18:00","to":"09:00"}]}}"#,
            ["/week/monday/0/to"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"09:00","to":"12:00"},"#
                + #"{"from":"11:00","to":"13:00"}]}}"#, ["/week/monday/1/from"]
        ),
        (
            #"{"timeZone":"UTC","week":{},"holidays":[{"date":"2026-13-01"}]}"#,
            ["/holidays/0/date"]
        ),
    ])
    func `what is wrong with hours is refused at its place, and nothing is stored`(
        body: String, places: [String]
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/hours"
        let answer = try await server.send(.put, path, body, by: owner)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?.elements.map { $0["pointer"]?.string } == places)
        #expect(try await server.get(path, by: owner)["hours"]?.isNull == true)
    }
}

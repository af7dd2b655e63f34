import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ContactRouteTests {
    private static func path(_ server: TestServer, _ conversation: Conversation) -> String {
        "/api/businesses/\(server.business.id)/contacts/\(conversation.contact)"
    }

    @Test func `agents and keys name a contact, and every view of the conversation shows it`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let conversation = try await server.makeConversation()
        let path = Self.path(server, conversation)
        let before = try await server.get(path, by: agent)
        #expect(before.status == 200)
        #expect(before["name"]?.isNull == true)
        #expect(before["conversations"]?[0]?["id"]?.string == conversation.id.text)
        let named = try await server.send(
            .patch, path, #"{"name":"Mrs Sato","externalId":"C-7","notes":"mornings"}"#, by: agent)
        #expect(named.status == 200)
        #expect(named["name"]?.string == "Mrs Sato")
        #expect(named["externalId"]?.string == "C-7")
        #expect(named["notes"]?.string == "mornings")
        #expect(named["conversations"]?[0]?["contact"]?["name"]?.string == "Mrs Sato")
        let row = try await server.get("/api/conversations/\(conversation.id)", by: agent)
        #expect(row["contact"]?["name"]?.string == "Mrs Sato")
        #expect(row["contact"]?["id"]?.string == conversation.contact.text)
        let found = try await server.get("/api/search?q=sato&in=customers", by: agent)
        #expect(found["conversations"]?[0]?["id"]?.string == conversation.id.text)
        let list = try await server.get(
            "/api/businesses/\(server.business.id)/contacts?q=Sat", by: agent)
        #expect(list["data"]?[0]?["externalId"]?.string == "C-7")
        let all = try await server.get(
            "/api/businesses/\(server.business.id)/contacts?page[size]=1", by: agent)
        #expect(all["data"]?.count == 1)
        let key = try await server.makeKey([server.business])
        let emptied = try await server.send(
            .patch, path, #"{"name":null,"notes":""}"#, by: key)
        #expect(emptied["name"]?.isNull == true)
        #expect(emptied["externalId"]?.string == "C-7")
    }

    @Test func `what a contact cannot be called is refused where it was written`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let other = try await server.makeConversation()
        let path = Self.path(server, one)
        let long = String(repeating: "x", count: 201)
        for (body, pointer) in [
            (#"{"name":"  "}"#, "/name"), (#"{"name":""}"#, "/name"), (#"{"name":7}"#, "/name"),
            (#"{"name":"\#(long)"}"#, "/name"), (#"{"externalId":"\#(long)"}"#, "/externalId"),
            (#"{"notes":[]}"#, "/notes"),
        ] {
            let refused = try await server.send(.patch, path, body, by: owner)
            #expect(refused.status == 422, "\(body)")
            #expect(refused["errors"]?[0]?["pointer"]?.string == pointer, "\(body)")
        }
        let taken = #"{"externalId":"C-7"}"#
        #expect(try await server.send(.patch, path, taken, by: owner).status == 200)
        let second = try await server.send(.patch, Self.path(server, other), taken, by: owner)
        #expect(second.status == 409)
        #expect(second.code == "name_taken")
        // Of another business, or of none.
        let foreign = path.replacing(server.business.id.text, with: server.other.id.text)
        #expect(try await server.send(.patch, foreign, taken, by: owner).status == 404)
        let absent = path.replacing(one.id.text, with: server.business.id.text)
        #expect(try await server.get(absent, by: owner).status == 404)
        let paged = "/api/businesses/\(server.business.id)/contacts?q=a&page[after]=1"
        #expect(try await server.get(paged, by: owner).status == 422)
    }

    @Test func `a contact is found by its externalId, and what a name finds is read in pages`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let list = "/api/businesses/\(server.business.id)/contacts"
        var talks: [Conversation] = []
        for number in 1...3 {
            server.time.advance(by: .seconds(1))
            talks.append(try await server.makeConversation())
            let body = #"{"name":"Sato \#(number)","externalId":"C-\#(number)"}"#
            let saved = try await server.send(
                .patch, Self.path(server, talks[number - 1]), body, by: owner)
            #expect(saved.status == 200)
        }
        func found(_ query: String) async throws -> [String] {
            let answer = try await server.get("\(list)?\(query)", by: owner)
            #expect(answer.status == 200, "\(query): \(answer.text)")
            return answer["data"]?.elements.compactMap { $0["id"]?.string } ?? []
        }
        let ids = talks.map(\.contact.text)
        #expect(try await found("filter%5BexternalId%5D=C-2") == [ids[1]])
        #expect(try await found("filter%5BexternalId%5D=C-2&page%5Bsize%5D=1") == [ids[1]])
        #expect(try await found("filter%5BexternalId%5D=c-2") == [])
        #expect(try await found("q=sato") == ids.reversed())
        #expect(try await found("q=sato&page%5Bsize%5D=2") == [ids[2], ids[1]])
        #expect(try await found("q=sato&page%5Bsize%5D=2&page%5Bafter%5D=\(ids[1])") == [ids[0]])
        #expect(try await found("q=sato&page%5Bbefore%5D=\(ids[1])") == [ids[2]])
        // One that was merged into another is looked up as that one.
        let merged = try await server.post(
            "\(list)/\(ids[0])/merge", #"{"contact":"\#(ids[1])"}"#, by: owner)
        #expect(merged.status == 200, "\(merged.text)")
        #expect(try await found("filter%5BexternalId%5D=C-2") == [ids[0]])
        for wrong in [
            "filter%5BexternalId%5D=", "filter%5BexternalId%5D=C-1&q=sato",
            "filter%5BexternalId%5D=\(String(repeating: "x", count: 201))",
        ] {
            #expect(try await server.get("\(list)?\(wrong)", by: owner).status == 422, "\(wrong)")
        }
        let elsewhere = "/api/businesses/\(server.other.id)/contacts?filter%5BexternalId%5D=C-3"
        #expect(try await server.get(elsewhere, by: owner)["data"]?.count == 0)
    }
}

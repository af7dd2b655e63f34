import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Limits of bodies, pages and invitations: what is let through at the limit, and one beyond it.
struct RequestLimitTests {
    private struct Body: Sendable {
        let path: String
        let isByOwner: Bool
        let bytes: Int
    }

    private static let bodies = [
        Body(path: "/api/messages/batch", isByOwner: false, bytes: 1_048_576),
        Body(path: "/api/businesses", isByOwner: true, bytes: 65_536),
        Body(path: "/api/phone/ID/messages", isByOwner: false, bytes: 65_536),
    ]

    @Test(arguments: bodies.indices)
    func `a body is read up to its route's limit`(row: Int) async throws {
        let body = Self.bodies[row]
        let server = try await TestServer()
        let caller: TestServer.Caller =
            body.isByOwner
            ? try await server.makeOwner()
            : body.path.contains("phone") ? .anonymous : try await server.makeKey([server.business])
        let path = body.path.replacing("ID", with: "\(server.business.id)")
        for (count, code) in [(body.bytes, "invalid"), (body.bytes + 1, "too_large")] {
            let text = "{}" + String(repeating: " ", count: count - 2)
            #expect(try await server.post(path, text, by: caller).code == code, "\(count)")
        }
    }

    @Test func `a page has 50 elements, and 300 at most when more are asked for`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/messages"
        for _ in 0..<51 {
            _ = try await server.post(path, #"{"type":"text","body":"x"}"#, by: key)
        }
        #expect(try await server.get(path, by: key)["data"]?.count == 50)
        #expect(try await server.get(path + "?page[size]=51", by: key)["data"]?.count == 51)
        #expect(try await server.get(path + "?page[size]=300", by: key)["data"]?.count == 52)
        #expect(try await server.get(path + "?page[size]=301", by: key).code == "invalid")
    }

    @Test func `an invitation holds to the end of its seventh day`() async throws {
        for (seconds, status) in [(7 * 86_400 - 1, 201), (7 * 86_400, 401)] {
            let server = try await TestServer()
            let owner = try await server.makeOwner()
            let answer = try await server.post(
                "/api/businesses/\(server.business.id)/members", #"{"email":"ben@example.com"}"#,
                by: owner)
            let token = try #require(answer["invitationUrl"]?.string?.split(separator: "=").last)
            server.time.advance(by: .seconds(seconds))
            let body = #"{"token":"\#(token)","name":"Ben","password":"\#(TestServer.password)"}"#
            #expect(try await server.post("/api/invitations/accept", body).status == status)
        }
    }

    @Test func `a business has so many open invitations and no more`() async throws {
        let server = try await TestServer { $0.invitationsPerBusiness = 2 }
        let ada = try await server.makeOwner()
        for name in ["a", "b", "b"] {
            _ = try await server.invite("\(name)@example.com", to: server.business, by: ada)
        }
        let path = "/api/businesses/\(server.business.id)/members"
        let more = try await server.post(path, #"{"email":"c@example.com"}"#, by: ada)
        #expect(more.status == 422)
    }
}

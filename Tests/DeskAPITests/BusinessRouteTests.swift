import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct BusinessRouteTests {
    @Test func `an owner registers and changes a business`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post(
            "/api/businesses", ##"{"name":"Kiosk","colour":"#ABCDEF","mode":"test"}"##, by: owner)
        #expect(made.status == 201)
        #expect(made["role"]?.string == "owner")
        let id = try #require(made["id"]?.string)
        let changed = try await server.send(
            .patch, "/api/businesses/\(id)", #"{"name":"Kiosk 2"}"#, by: owner)
        #expect(changed["name"]?.string == "Kiosk 2")
        #expect(changed["colour"]?.string == "#abcdef")
        #expect(try await server.get("/api/businesses", by: owner)["data"]?.count == 3)
    }

    @Test(arguments: [
        #"{}"#, #"{"name":""}"#, #"{"name":1}"#, #"{"name":"a","colour":"red"}"#,
        #"{"name":"a","mode":"both"}"#, #"{"name":"a\u0007"}"#, #"{"name":"a","id":"x"}"#, "[]",
    ])
    func `a business that breaks a rule is not registered`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post("/api/businesses", body, by: owner)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?.count ?? 0 >= 1)
        #expect(try await server.store.businesses().count == 2)
    }

    @Test(arguments: [(0, "Send more of name."), (101, "Shorten name.")])
    func `a name of a length that is not allowed is to be shortened, or said`(
        _ count: Int, _ fix: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(
            "/api/businesses", #"{"name":"\#(String(repeating: "a", count: count))"}"#, by: owner)
        #expect(answer["errors"]?[0]?["found"]?.string == "\(count) bytes")
        #expect(answer["errors"]?[0]?["fix"]?.string == fix)
    }

    @Test func `a repeated key registers one business; a secret's route accepts no key`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let first = try await server.post(
            "/api/businesses", #"{"name":"K"}"#, by: owner, headers: ["Idempotency-Key": "k"])
        let again = try await server.post(
            "/api/businesses", #"{"name":"K"}"#, by: owner, headers: ["Idempotency-Key": "k"])
        #expect(first.bytes == again.bytes)
        #expect(again.headers["idempotency-replayed"] == "true")
        let other = try await server.post(
            "/api/businesses", #"{"name":"L"}"#, by: owner, headers: ["Idempotency-Key": "k"])
        #expect(other.code == "idempotency_mismatch")
        #expect(try await server.store.businesses().count == 3)
        let key = try await server.post(
            "/api/keys", #"{"name":"a","businesses":["\#(server.business.id)"]}"#, by: owner,
            headers: ["Idempotency-Key": "k"])
        #expect(key.code == "bad_request")
        #expect(try await server.store.keys().isEmpty)
    }

    @Test func `a member sees only the business of the invitation, and owns nothing`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let list = try await server.get("/api/businesses", by: ben)
        #expect(list["data"]?.count == 1)
        #expect(try await server.get("/api/businesses/\(server.other.id)", by: ben).status == 404)
        let path = "/api/businesses/\(server.business.id)"
        #expect(try await server.send(.patch, path, "{}", by: ben).status == 403)
        #expect(
            try await server.send(.patch, "/api/businesses/\(server.other.id)", "{}", by: ben)
                .status == 404)
        #expect(try await server.get(path + "/members", by: ben)["data"]?.count == 2)
        #expect(try await server.get("/api/keys", by: ben).status == 403)
    }

    @Test func `a change of role holds from the next request on; the last owner stays`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let path = "/api/businesses/\(server.business.id)/members"
        let benID = try await server.agentID(of: ben)
        let adaID = try await server.agentID(of: owner)
        let lonely = try await server.send(.delete, path + "/\(adaID)", by: owner)
        #expect(lonely.code == "forbidden")
        #expect(
            lonely["detail"]?.string == "A business keeps at least one owner who can sign in.")
        let changed = try await server.send(
            .patch, path + "/\(benID)", #"{"role":"owner"}"#, by: owner)
        #expect(changed["role"]?.string == "owner")
        let session = try await server.get("/api/session", by: ben)
        #expect(session["businesses"]?[0]?["role"]?.string == "owner")
        #expect(try await server.send(.delete, path + "/\(adaID)", by: owner).status == 204)
        #expect(try await server.get("/api/session", by: owner).status == 200)
        #expect(try await server.get(path, by: owner).status == 404)
    }

    @Test func `an invitation works once and not beyond its days`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/members"
        let token = try await server.invite("ben@example.com", to: server.business, by: owner)
        let body = #"{"token":"\#(token)","name":"Ben","password":"\#(TestServer.password)"}"#
        let weak = body.replacing(TestServer.password, with: "passwordpassword1")
        #expect(try await server.post("/api/invitations/accept", weak).code == "invalid")
        #expect(try await server.get(path, by: owner)["data"]?.count == 1)
        #expect(try await server.post("/api/invitations/accept", body).status == 201)
        #expect(try await server.post("/api/invitations/accept", body).status == 401)
        #expect(try await server.get(path, by: owner)["data"]?.count == 2)
        let late = try await server.invite("cas@example.com", to: server.business, by: owner)
        server.time.advance(by: .seconds(7 * 86_400))
        let again = body.replacing(token, with: late)
        #expect(try await server.post("/api/invitations/accept", again).status == 401)
    }

    @Test func `a key is for owned businesses of one mode and shown once`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post(
            "/api/keys", #"{"name":"shop","businesses":["\#(server.business.id)"]}"#, by: owner)
        #expect(made.status == 201)
        let secret = try #require(made["secret"]?.string)
        #expect(try await server.get("/api/businesses", by: .key(secret))["data"]?.count == 1)
        #expect(!(try await server.get("/api/keys", by: owner)).text.contains(secret))
        let both = #"{"name":"a","businesses":["\#(server.business.id)","\#(server.other.id)"]}"#
        #expect(try await server.post("/api/keys", both, by: owner).code == "invalid")
        let none = #"{"name":"a","businesses":["8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"]}"#
        #expect(try await server.post("/api/keys", none, by: owner).code == "invalid")
        #expect(try await server.store.keys().count == 1)
    }
}

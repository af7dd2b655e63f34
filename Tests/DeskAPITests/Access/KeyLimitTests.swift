import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Keys end by themselves, are used from where they may be, are replaced, and show what they did.
struct KeyLimitTests {
    private struct Made {
        let id: String
        let key: TestServer.Caller
    }

    /// Makes a key over the API; `members` are those beside its name and business.
    private func make(
        _ members: String, on server: TestServer, by owner: TestServer.Caller
    ) async throws -> Made {
        let answer = try await server.post(
            "/api/keys",
            #"{"name":"till","businesses":["\#(server.other.id)"]\#(members)}"#, by: owner)
        #expect(answer.status == 201, "\(answer.text)")
        return Made(
            id: try #require(answer["key"]?["id"]?.string),
            key: .key(try #require(answer["secret"]?.string)))
    }

    @Test func `a key says when it ended, from the moment on that it had`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let end = server.time.now.advanced(by: .seconds(60))
        let made = try await make(#","expiresAt":"\#(end.text)""#, on: server, by: owner)
        #expect(try await server.get("/api/businesses", by: made.key).status == 200)
        server.time.advance(by: .milliseconds(59_999))
        #expect(try await server.get("/api/businesses", by: made.key).status == 200)
        server.time.advance(by: .milliseconds(1))
        let refused = try await server.get("/api/businesses", by: made.key)
        #expect(refused.status == 401)
        #expect(refused["detail"]?.string?.contains(end.text) == true)
    }

    @Test(arguments: [
        (#"["192.0.2.7"]"#, 200), (#"["198.51.100.1","192.0.2.0/29"]"#, 200),
        (#"["0.0.0.0/0"]"#, 200), (#"["192.0.2.8"]"#, 403), (#"["::/0"]"#, 403),
        (#"["192.0.2.8/29"]"#, 403),
    ])
    func `a key is used from its addresses alone`(addresses: String, status: Int) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await make(#","addresses":\#(addresses)"#, on: server, by: owner)
        let answer = try await server.get("/api/businesses", by: made.key)
        #expect(answer.status == status)
        if status == 403 { #expect(answer["detail"]?.string?.contains("192.0.2.7") == true) }
    }

    @Test(arguments: [
        (#","scopes":[]"#, "/scopes"), (#","scopes":["fly"]"#, "/scopes/0"),
        (#","scopes":"read""#, "/scopes"), (#","addresses":["desk.example"]"#, "/addresses/0"),
        (#","addresses":["192.0.2.0/33"]"#, "/addresses/0"),
        (#","addresses":[7]"#, "/addresses/0"), (#","expiresAt":"yesterday""#, "/expiresAt"),
        (#","expiresAt":"2001-01-01T00:00:00Z""#, "/expiresAt"),
    ])
    func `wrong limits are findings and make no key`(members: String, pointer: String)
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(
            "/api/keys",
            #"{"name":"till","businesses":["\#(server.other.id)"]\#(members)}"#, by: owner)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(try await server.get("/api/keys", by: owner)["data"]?.count == 0)
    }

    @Test func `a row whose limits were widened behind the server's back opens nothing`()
        async throws
    {
        let server = try await TestServer()
        let mint = KeyMint(services: server.services)
        let narrow = KeyLimits(scopes: ["read"])
        let made = try await mint.make(name: "k", businesses: [server.business], limits: narrow)
        let secret = try #require(KeySecret(made.text))
        for limits in [
            KeyLimits(), KeyLimits(scopes: ["read", "send"]),
            KeyLimits(scopes: ["read"], addresses: ["::1"]),
        ] {
            #expect(secret.digest(within: limits) != made.key.secret)
        }
        #expect(secret.digest(within: narrow) == made.key.secret)
        #expect(secret.digest(within: KeyLimits()) == secret.digest)
    }

    @Test func `a replaced key goes on for the overlap, and its successor may do the same`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await make(
            #","scopes":["read"],"addresses":["192.0.2.0/24"]"#, on: server, by: owner)
        let answer = try await server.post(
            "/api/keys/\(made.id)/replacement", #"{"overlapSeconds":60}"#, by: owner)
        #expect(answer.status == 201)
        let next = TestServer.Caller.key(try #require(answer["secret"]?.string))
        #expect(answer["key"]?["replaces"]?.string == made.id)
        #expect(answer["key"]?["scopes"]?.elements.compactMap(\.string) == ["read"])
        #expect(answer["key"]?["addresses"]?[0]?.string == "192.0.2.0/24")
        #expect(try await server.get("/api/businesses", by: made.key)["data"]?.count == 1)
        #expect(try await server.get("/api/businesses", by: next)["data"]?.count == 1)
        server.time.advance(by: .seconds(60))
        #expect(try await server.get("/api/businesses", by: made.key).status == 401)
        #expect(try await server.get("/api/businesses", by: next).status == 200)
    }

    @Test func `a replacement never lengthens a key's life, and a revoked one has none`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let end = server.time.now.advanced(by: .seconds(30))
        let made = try await make(#","expiresAt":"\#(end.text)""#, on: server, by: owner)
        let path = "/api/keys/\(made.id)"
        #expect(try await server.post(path + "/replacement", "{}", by: owner).status == 201)
        server.time.advance(by: .seconds(30))
        #expect(try await server.get("/api/businesses", by: made.key).status == 401)
        #expect(try await server.send(.delete, path, by: owner).status == 204)
        #expect(try await server.post(path + "/replacement", "{}", by: owner).status == 422)
        #expect(
            try await server.post(path + "/replacement", #"{"overlapSeconds":2592001}"#, by: owner)
                .status == 422)
    }

    @Test func `only an owner of all its businesses replaces a key`() async throws {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let eve = try await server.makeMember("eve@example.com", .owner, of: server.other, by: ada)
        let answer = try await server.post(
            "/api/keys",
            #"{"name":"till","businesses":["\#(server.other.id)"]}"#, by: ada)
        let id = try #require(answer["key"]?["id"]?.string)
        #expect(try await server.post("/api/keys/\(id)/replacement", "{}", by: eve).status == 201)
        let kiosk = try await server.post("/api/businesses", #"{"name":"Kiosk"}"#, by: ada)
        let both = try await server.post(
            "/api/keys",
            #"{"name":"both","businesses":["\#(server.other.id)","\#(try #require(kiosk["id"]?.string))"]}"#,
            by: ada)
        let shared = try #require(both["key"]?["id"]?.string)
        #expect(
            try await server.post("/api/keys/\(shared)/replacement", "{}", by: eve).status == 403)
        #expect(
            try await server.post("/api/keys/\(shared)/replacement", "{}", by: ada).status == 201)
    }

    @Test func `a key's requests are shown with what they came to, the newest first`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await make(#","scopes":["read"]"#, on: server, by: owner)
        _ = try await server.get("/api/conversations", by: made.key)
        _ = try await server.post("/api/validate", "{}", by: made.key)
        let last = try await server.get("/api/conversations?zz=1", by: made.key)
        let list = try await server.get("/api/keys/\(made.id)/requests", by: owner)
        #expect(
            list["data"]?.elements.map { $0["operation"]?.string } == [
                "listConversations", "validate", "listConversations",
            ])
        #expect(list["data"]?.elements.map { $0["status"]?.int } == [400, 403, 200])
        #expect(
            list["data"]?.elements.map { $0["code"]?.string } == [
                "bad_request", "missing_scope", nil,
            ])
        #expect(list["data"]?[0]?["address"]?.string == "192.0.2.7")
        #expect(list["data"]?[0]?["requestId"]?.string == last.headers["x-request-id"])
        #expect(try await server.get("/api/keys/\(made.id)/requests", by: made.key).status == 403)
    }

    @Test func `of a key's requests the newest hundred are kept`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await make("", on: server, by: owner)
        for number in 0..<(3 * KeyRequest.kept) {
            server.services.note(request(number), of: try #require(KeyID(made.id)))
            if number % 70 == 0 { try await server.services.keyRequests.flush() }
        }
        let list = try await server.get("/api/keys/\(made.id)/requests", by: owner)
        #expect(list["data"]?.count == KeyRequest.kept)
        #expect(list["data"]?[0]?["milliseconds"]?.int == 3 * KeyRequest.kept - 1)
        #expect(list["data"]?[KeyRequest.kept - 1]?["milliseconds"]?.int == 2 * KeyRequest.kept)
    }

    @Test func `more keys than are held at once cost no more memory`() async throws {
        let server = try await TestServer()
        for number in 0..<(KeyRequestLog.mostKeys + 10) {
            var random = SystemRandomNumberGenerator()
            server.services.note(request(number), of: KeyID(UniqueID(using: &random)))
        }
        #expect(server.services.keyRequests.count == KeyRequestLog.mostKeys)
    }

    private func request(_ number: Int) -> KeyRequest {
        KeyRequest(
            time: Timestamp(milliseconds: Int64(number)), operation: "getConversation",
            status: 200, code: "", milliseconds: number, address: "192.0.2.7", request: "r")
    }
}

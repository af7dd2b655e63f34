import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct SessionTests {
    @Test func `the printed link makes one owner, once`() async throws {
        let server = try await TestServer()
        #expect(try await server.get("/api/setup")["needsOwner"]?.bool == true)
        let owner = try await server.makeOwner()
        #expect(try await server.get("/api/setup")["needsOwner"]?.bool == false)
        let session = try await server.get("/api/session", by: owner)
        #expect(session["agent"]?["email"]?.string == "ada@example.com")
        #expect(session["businesses"]?.count == 2)
        let link = try await OneTimeLinks(services: server.services).makeSetupLink()
        let token = try #require(link.split(separator: "=").last)
        let body = """
            {"token":"\(token)","name":"Eve","email":"eve@example.com",\
            "password":"\(TestServer.password)"}
            """
        #expect(try await server.post("/api/setup", body).code == "forbidden")
        let unknown = body.replacing(token, with: String(repeating: "A", count: 43))
        #expect(try await server.post("/api/setup", unknown).code == "unauthenticated")
        #expect(try await server.store.agents(of: nil).count == 1)
    }

    @Test(arguments: [
        (#"{"email":"ada@example.com","password":"wrong wrong wrong"}"#, "unauthenticated"),
        (#"{"email":"eve@example.com","password":"wrong wrong wrong"}"#, "unauthenticated"),
        (#"{"email":"ada","password":"x"}"#, "invalid"),
        (#"{"email":"ada@example.com"}"#, "invalid"),
        (#"{"email":"ada@example.com","password":"x","more":1}"#, "invalid"),
        ("no", "malformed_json"),
    ])
    func `a sign-in that is wrong says why and begins nothing`(
        body: String, code: String
    ) async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let answer = try await server.post("/api/session", body)
        #expect(answer.code == code)
        #expect(!answer.headers.contains("set-cookie"))
    }

    @Test func `signing in gives a new session and ends the browser's old one`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.send(
            .post, "/api/session",
            #"{"email":"ADA@example.com","password":"\#(TestServer.password)"}"#, by: owner)
        #expect(answer.status == 200)
        let line = try #require(answer.headers.values("set-cookie").first)
        #expect(line.contains("HttpOnly") && line.contains("SameSite=Strict"))
        #expect(line.contains("Path=/;") && !line.contains("Max-Age"))
        #expect(try await server.get("/api/session", by: owner).status == 401)
        let token = try #require(answer.cookie("fd"))
        #expect(try await server.get("/api/session", by: .agent(token)).status == 200)
    }

    @Test func `signing out ends the session`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        #expect(try await server.send(.delete, "/api/session", by: owner).status == 204)
        #expect(try await server.get("/api/session", by: owner).code == "unauthenticated")
    }

    @Test func `a session lasts no longer by what a worker asks`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        func ask(_ headers: HeaderFields) async throws -> Int {
            server.time.advance(by: .seconds(20 * 60))
            return try await server.get("/api/session", by: owner, headers: headers).status
        }
        #expect(try await ask([:]) == 200)
        #expect(try await ask(["X-Unattended": "1"]) == 200)
        #expect(try await ask(["X-Unattended": "1"]) == 401)
    }

    @Test func `a session ends after 30 idle minutes, and after 8 hours whatever happens`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        server.time.advance(by: .seconds(29 * 60))
        #expect(try await server.get("/api/session", by: owner).status == 200)
        server.time.advance(by: .seconds(29 * 60))
        #expect(try await server.get("/api/session", by: owner).status == 200)
        for _ in 0..<14 {
            server.time.advance(by: .seconds(29 * 60))
            _ = try await server.get("/api/session", by: owner)
        }
        server.time.advance(by: .seconds(16 * 60 - 1))
        #expect(try await server.get("/api/session", by: owner).status == 200)
        server.time.advance(by: .seconds(1))
        #expect(try await server.get("/api/session", by: owner).status == 401)
        let other = try await TestServer()
        let idle = try await other.makeOwner()
        other.time.advance(by: .seconds(30 * 60 - 1))
        #expect(try await other.get("/api/session", by: idle).status == 200)
        other.time.advance(by: .seconds(30 * 60))
        #expect(try await other.get("/api/session", by: idle).status == 401)
    }

    @Test func `after five failures an account waits, twice as long each time`() async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let wrong = #"{"email":"ada@example.com","password":"wrong wrong wrong"}"#
        let right = #"{"email":"ada@example.com","password":"\#(TestServer.password)"}"#
        for _ in 0..<5 { #expect(try await server.post("/api/session", wrong).status == 401) }
        let refused = try await server.post("/api/session", right)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] == "1")
        server.time.advance(by: .seconds(1))
        #expect(try await server.post("/api/session", wrong).status == 401)
        server.time.advance(by: .seconds(1))
        #expect(try await server.post("/api/session", right).status == 429)
        server.time.advance(by: .seconds(1))
        #expect(try await server.post("/api/session", right).status == 200)
        #expect(try await server.post("/api/session", wrong).status == 401)
        #expect(try await server.post("/api/session", right).status == 200)
    }

    @Test func `no secret is ever logged`() async throws {
        let server = try await TestServer()
        guard case .agent(let token) = try await server.makeOwner() else { return }
        let right = #"{"email":"ada@example.com","password":"\#(TestServer.password)"}"#
        let device = try #require(
            try await server.post("/api/session", right).cookie("fd_device"))
        guard case .key(let key) = try await server.makeKey([server.business]) else { return }
        _ = try await server.post("/api/session", #"{"email":"ada@example.com","password":"hush"}"#)
        #expect(!server.log.lines.isEmpty)
        for line in server.log.lines {
            for secret in [token, device, key, TestServer.password, "hush", "ada@example.com"] {
                #expect(!line.contains(secret))
            }
        }
    }
}

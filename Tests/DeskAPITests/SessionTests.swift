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
        let house = try await TestHouse()
        #expect(try await house.get("/api/setup")["needsOwner"]?.bool == true)
        let owner = try await house.makeOwner()
        #expect(try await house.get("/api/setup")["needsOwner"]?.bool == false)
        let session = try await house.get("/api/session", by: owner)
        #expect(session["agent"]?["email"]?.string == "ada@example.com")
        #expect(session["businesses"]?.count == 2)
        let link = try await OneTimeLinks(services: house.services).makeSetupLink()
        let token = try #require(link.split(separator: "=").last)
        let body = """
            {"token":"\(token)","name":"Eve","email":"eve@example.com",\
            "password":"\(TestHouse.password)"}
            """
        #expect(try await house.post("/api/setup", body).code == "forbidden")
        let unknown = body.replacing(token, with: String(repeating: "A", count: 43))
        #expect(try await house.post("/api/setup", unknown).code == "unauthenticated")
        #expect(try await house.store.agents(of: nil).count == 1)
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
        let house = try await TestHouse()
        _ = try await house.makeOwner()
        let answer = try await house.post("/api/session", body)
        #expect(answer.code == code)
        #expect(!answer.headers.contains("set-cookie"))
    }

    @Test func `signing in gives a new session and ends the browser's old one`() async throws {
        let house = try await TestHouse()
        let owner = try await house.makeOwner()
        let answer = try await house.send(
            .post, "/api/session",
            #"{"email":"ADA@example.com","password":"\#(TestHouse.password)"}"#, by: owner)
        #expect(answer.status == 200)
        let line = try #require(answer.headers.values("set-cookie").first)
        #expect(line.contains("HttpOnly") && line.contains("SameSite=Strict"))
        #expect(line.contains("Path=/;") && !line.contains("Max-Age"))
        #expect(try await house.get("/api/session", by: owner).status == 401)
        let token = try #require(answer.cookie("fd"))
        #expect(try await house.get("/api/session", by: .agent(token)).status == 200)
    }

    @Test func `signing out ends the session`() async throws {
        let house = try await TestHouse()
        let owner = try await house.makeOwner()
        #expect(try await house.send(.delete, "/api/session", by: owner).status == 204)
        #expect(try await house.get("/api/session", by: owner).code == "unauthenticated")
    }

    @Test func `a session ends after 30 idle minutes, and after 8 hours whatever happens`()
        async throws
    {
        let house = try await TestHouse()
        let owner = try await house.makeOwner()
        house.time.advance(by: .seconds(29 * 60))
        #expect(try await house.get("/api/session", by: owner).status == 200)
        house.time.advance(by: .seconds(29 * 60))
        #expect(try await house.get("/api/session", by: owner).status == 200)
        for _ in 0..<14 {
            house.time.advance(by: .seconds(29 * 60))
            _ = try await house.get("/api/session", by: owner)
        }
        house.time.advance(by: .seconds(16 * 60 - 1))
        #expect(try await house.get("/api/session", by: owner).status == 200)
        house.time.advance(by: .seconds(1))
        #expect(try await house.get("/api/session", by: owner).status == 401)
        let other = try await TestHouse()
        let idle = try await other.makeOwner()
        other.time.advance(by: .seconds(30 * 60 - 1))
        #expect(try await other.get("/api/session", by: idle).status == 200)
        other.time.advance(by: .seconds(30 * 60))
        #expect(try await other.get("/api/session", by: idle).status == 401)
    }

    @Test func `after five failures an account waits, twice as long each time`() async throws {
        let house = try await TestHouse()
        _ = try await house.makeOwner()
        let wrong = #"{"email":"ada@example.com","password":"wrong wrong wrong"}"#
        let right = #"{"email":"ada@example.com","password":"\#(TestHouse.password)"}"#
        for _ in 0..<5 { #expect(try await house.post("/api/session", wrong).status == 401) }
        let refused = try await house.post("/api/session", right)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] == "1")
        house.time.advance(by: .seconds(1))
        #expect(try await house.post("/api/session", wrong).status == 401)
        house.time.advance(by: .seconds(1))
        #expect(try await house.post("/api/session", right).status == 429)
        house.time.advance(by: .seconds(1))
        #expect(try await house.post("/api/session", right).status == 200)
        #expect(try await house.post("/api/session", wrong).status == 401)
        #expect(try await house.post("/api/session", right).status == 200)
    }

    @Test func `no secret is ever logged`() async throws {
        let house = try await TestHouse()
        guard case .agent(let token) = try await house.makeOwner() else { return }
        let right = #"{"email":"ada@example.com","password":"\#(TestHouse.password)"}"#
        let device = try #require(
            try await house.post("/api/session", right).cookie("fd_device"))
        guard case .key(let key) = try await house.makeKey([house.business]) else { return }
        _ = try await house.post("/api/session", #"{"email":"ada@example.com","password":"hush"}"#)
        #expect(!house.log.lines.isEmpty)
        for line in house.log.lines {
            for secret in [token, device, key, TestHouse.password, "hush", "ada@example.com"] {
                #expect(!line.contains(secret))
            }
        }
    }
}

import APITestSupport
import DeskAPI
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import Testing

@testable import DeskSandbox

struct SandboxRouteTests {
    private static let outside = Peer(address: "192.0.2.7", isLoopback: false)

    /// Every row but the first breaks one part of the rule for a sandbox without a key.
    @Test(arguments: [
        (true, true, "127.0.0.1:8080", Peer.loopback, "", true),
        (true, true, "localhost", .loopback, "", true),
        (true, true, "[::1]:8080", .loopback, "", true),
        (true, false, "127.0.0.1:8080", .loopback, "", false),
        (false, true, "127.0.0.1:8080", .loopback, "", false),
        (true, true, "rebound.example", .loopback, "", false),
        (true, true, "127.0.0.1.example.com", .loopback, "", false),
        (true, true, "127.0.0.1:8080", outside, "", false),
        (true, true, "127.0.0.1:8080", .loopback, "X-Forwarded-For", false),
        (true, true, "127.0.0.1:8080", .loopback, "Forwarded", false),
    ])
    func `without a key the sandbox is open only to this machine`(
        isOffered: Bool, isOpen: Bool, host: String, peer: Peer, header: String, isLetIn: Bool
    ) async throws {
        let server = try await TestServer()
        let sandbox = Sandbox(
            business: server.business.id, isOffered: isOffered, isOpen: isOpen,
            secrets: server.secrets)
        var headers = HeaderFields()
        if !header.isEmpty { headers.append(header, "for=192.0.2.1") }
        let request = try Request(
            method: .get, target: "/api/sandbox", headers: headers, host: host, peer: peer)
        let authenticator = SandboxAuthenticator(services: server.services, sandbox: sandbox)
        let found = try await authenticator.authenticate(request)
        #expect((found != nil) == isLetIn)
    }

    /// Days from when a link was made until its key is shown.
    @Test(arguments: [
        (true, -2, false), (true, -1, true), (true, 0, true), (true, 1, true), (true, 2, false),
        (false, -2, true), (false, 2, true),
    ])
    func `nodes that share a sandbox have a link for each day, which works the day after`(
        isShared: Bool, days: Int64, isAccepted: Bool
    ) async throws {
        let server = try await TestServer()
        let (made, shown) = (server.time.now, Duration.seconds(days * 86_400))
        let nodes = (0..<2).map { _ in
            Sandbox(
                business: server.business.id, isOffered: true, isOpen: false,
                secrets: server.secrets, isShared: isShared)
        }
        let link = try #require(nodes[0].link(at: "", from: made))
        let key = try #require(link.split(separator: "=").last.flatMap { Token(String($0)) })
        #expect(nodes[0].accepts(key, at: made.advanced(by: shown)) == isAccepted)
        #expect(nodes[1].accepts(key, at: made.advanced(by: shown)) == (isShared && isAccepted))
        #expect(nodes[0].accepts(.make(), at: made) == false)
    }

    @Test func `a wrong key opens nothing, the printed one opens a session`() async throws {
        let server = try await TestServer()
        let wrong = try await server.post(
            "/api/sandbox/session", #"{"key":"\#(Token.make().text)"}"#)
        #expect(wrong.code == "unauthenticated")
        #expect(try await server.get("/api/sandbox").code == "unauthenticated")
    }

    @Test func `a join code leads a phone in, shows who came, and ends`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post("/api/sandbox/codes", "{}", by: owner)
        #expect(made.status == 201)
        let id = try #require(made["id"]?.string)
        let typed = try #require(made["typed"]?.string)
        let url = try #require(made["url"]?.string)
        let code = try #require(url.split(separator: "/").last)
        let exchanged = try await server.post(
            "/api/phone/codes", #"{"typed":"\#(typed.lowercased())"}"#)
        #expect(exchanged["url"]?.string == url)
        #expect(try await server.get("/api/phone/codes/\(code)").status == 200)
        let first = try await server.post(
            "/api/phone/\(server.business.id)/messages",
            """
            {"id":"\(server.services.broker.makeID())","text":"Hi","entry":{"code":"\(code)"}}
            """)
        #expect(first.status == 201)
        let received = try await server.get("/api/sandbox/codes/\(id)", by: owner)
        #expect(received["conversation"]?.string == first["message"]?["conversation"]?.string)
        let picture = try await server.get("/api/sandbox/codes/\(id)/qr.svg", by: owner)
        #expect(picture.headers["content-type"] == "image/svg+xml")
        server.time.advance(by: .seconds(JoinCodeText.lifeSeconds + 1))
        #expect(try await server.get("/api/phone/codes/\(code)").code == "not_found")
        let late = try await server.post("/api/phone/codes", #"{"typed":"\#(typed)"}"#)
        #expect(late.code == "not_found")
    }

    @Test func `a typed code survives five wrong tries and no more`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let made = try await server.post("/api/sandbox/codes", "{}", by: owner)
        let typed = try #require(made["typed"]?.string)
        let wrong = typed.prefix(6) + (typed.hasSuffix("AAAAA") ? "BBBBB" : "AAAAA")
        for _ in 0..<JoinCode.maximumTries {
            let answer = try await server.post("/api/phone/codes", #"{"typed":"\#(wrong)"}"#)
            #expect(answer.code == "not_found")
        }
        let right = try await server.post("/api/phone/codes", #"{"typed":"\#(typed)"}"#)
        #expect(right.code == "not_found")
    }

    @Test func `links are made, drawn, listed and removed; the permanent one stays`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/links"
        let made = try await server.post(
            path, #"{"label":"Poster","intent":"sales","body":"Hi"}"#, by: owner)
        let id = try #require(made["id"]?.string)
        #expect(
            made["url"]?.string
                == "\(TestServer.origin)/b/\(server.other.id)?biz-intent-id=sales&body=Hi")
        #expect(try await server.get(path, by: owner)["data"]?.count == 2)
        for name in [id, "default"] {
            let svg = try await server.get("\(path)/\(name)/qr.svg", by: owner)
            let png = try await server.get("\(path)/\(name)/qr.png", by: owner)
            #expect(svg.status == 200 && png.headers["content-type"] == "image/png")
        }
        let kept = try await server.send(.delete, path + "/default", by: owner)
        #expect(kept.code == "forbidden")
        let gone = try await server.send(.delete, "\(path)/\(id)", by: owner)
        #expect(gone.status == 204)
        #expect(try await server.get(path, by: owner)["data"]?.count == 1)
    }
}

import APITestSupport
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The routes by which an agent's browser has itself notified while no console is in use.
struct AgentPushRouteTests {
    private static let path = "/api/session/push"

    /// A browser in which an agent is signed in.
    private struct Browser {
        let server: TestServer
        let cookies: String
        let agent: AgentID

        func send(
            _ method: DeskHTTP.Method, _ path: String = AgentPushRouteTests.path,
            _ body: String = ""
        ) async throws -> Answer {
            try await server.send(
                method, path, body,
                headers: ["Cookie": cookies, "Origin": TestServer.origin])
        }

        func devices() async throws -> [String] {
            try await send(.get)["devices"]?.elements.compactMap(\.string) ?? []
        }
    }

    /// Signs the first owner in, in a browser that has a device already or gets one.
    private static func signIn(
        _ server: TestServer, _ email: String = "ada@example.com", device: String? = nil
    ) async throws -> (browser: Browser, device: String) {
        let answer = try await server.post(
            "/api/session", #"{"email":"\#(email)","password":"\#(TestServer.password)"}"#,
            headers: device.map { ["Cookie": "fd_device=\($0)"] } ?? [:])
        #expect(answer.status == 200)
        let token = try #require(answer.cookie("fd"))
        let known = try #require(answer.cookie("fd_device"))
        let agent = try await server.agentID(of: .agent(token))
        return (
            Browser(server: server, cookies: "fd=\(token); fd_device=\(known)", agent: agent), known
        )
    }

    private static func body(
        _ name: String = "a", zone: String? = "Europe/Berlin", padding: Int = 0
    ) -> String {
        let point = Base64.encode(P256.make().point, alphabet: .url)
        let secret = Base64.encode(RandomBytes.make(16), alphabet: .url)
        let more = zone.map { #","zone":"\#($0)""# } ?? ""
        return #"{"endpoint":"https://fcm.googleapis.com/\#(name)","point":"\#(point)","#
            + #""secret":"\#(secret)"\#(more)}"# + String(repeating: " ", count: padding)
    }

    private static func name(_ endpoint: String, _ browser: Browser) -> String {
        PushSubscription.id(of: "https://fcm.googleapis.com/\(endpoint)", for: browser.agent).text
    }

    @Test func `a browser is listed by its name until it is removed`() async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let (browser, _) = try await Self.signIn(server)
        #expect(try await browser.devices().isEmpty)
        for _ in 0..<2 {
            #expect(try await browser.send(.put, Self.path, Self.body()).status == 204)
        }
        #expect(try await browser.devices() == [Self.name("a", browser)])
        let one = Self.path + "/" + Self.name("a", browser)
        #expect(try await browser.send(.delete, Self.path + "/nothing").status == 404)
        #expect(
            try await browser.send(.delete, Self.path + "/" + Self.name("b", browser)).status == 404
        )
        #expect(try await browser.send(.delete, one).status == 204)
        #expect(try await browser.send(.delete, one).status == 404)
        #expect(try await browser.devices().isEmpty)
    }

    @Test func `a zone is a text of up to 64 bytes, whether the server knows it or not`()
        async throws
    {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let (browser, _) = try await Self.signIn(server)
        for zone in ["Nowhere/Land", "+05:30", String(repeating: "z", count: 64)] {
            #expect(try await browser.send(.put, Self.path, Self.body(zone: zone)).status == 204)
        }
        #expect(try await browser.send(.put, Self.path, Self.body(zone: nil)).status == 422)
        for zone in ["", String(repeating: "z", count: 65)] {
            let answer = try await browser.send(.put, Self.path, Self.body(zone: zone))
            #expect(answer.status == 422)
            #expect(answer["errors"]?[0]?["pointer"]?.string == "/zone")
        }
    }

    @Test func `a subscription's body has 4 KiB and not one byte more`() async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let (browser, _) = try await Self.signIn(server)
        let room = PushFields.mostBytes - Self.body().utf8.count
        #expect(try await browser.send(.put, Self.path, Self.body(padding: room)).status == 204)
        #expect(try await browser.send(.put, Self.path, Self.body(padding: room + 1)).status == 413)
    }

    @Test func `a browser that does not know the agent has to sign in again`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        guard case .agent(let token) = owner else { return }
        let agent = try await server.agentID(of: owner)
        for cookies in ["fd=\(token)", "fd=\(token); fd_device=\(Token.make().text)"] {
            let browser = Browser(server: server, cookies: cookies, agent: agent)
            #expect(try await browser.send(.put, Self.path, Self.body()).status == 403)
            #expect(try await browser.devices().isEmpty)
        }
    }

    @Test func `signing out, and a colleague who signs in, end what the browser had`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        _ = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let (browser, device) = try await Self.signIn(server)
        #expect(try await browser.send(.put, Self.path, Self.body()).status == 204)
        let (elsewhere, _) = try await Self.signIn(server)
        #expect(try await elsewhere.send(.put, Self.path, Self.body("b")).status == 204)
        #expect(try await browser.send(.delete, "/api/session").status == 204)
        let (again, _) = try await Self.signIn(server, device: device)
        #expect(try await again.devices().isEmpty)
        #expect(try await elsewhere.devices() == [Self.name("b", browser)])
        #expect(try await again.send(.put, Self.path, Self.body()).status == 204)
        let (colleague, _) = try await Self.signIn(server, "ben@example.com", device: device)
        #expect(try await colleague.devices().isEmpty)
        #expect(try await colleague.send(.put, Self.path, Self.body()).status == 204)
        #expect(try await colleague.devices() == [Self.name("a", colleague)])
        #expect(try await again.devices().isEmpty)
    }

    @Test func `a key and a customer have no such browser`() async throws {
        let server = try await TestServer()
        let (phone, _) = try await server.makePhone()
        for caller in [.anonymous, phone, try await server.makeKey([server.business])] {
            let answer = try await server.get(Self.path, by: caller)
            #expect(answer.status == 401 || answer.status == 403)
        }
    }

    @Test func `a test needs a browser that is known and a server that sends`() async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let (browser, _) = try await Self.signIn(server)
        let test = Self.path + "/" + Self.name("a", browser) + "/test"
        #expect(try await browser.send(.post, test).status == 404)
        #expect(try await browser.send(.put, Self.path, Self.body()).status == 204)
        // This server sends nothing to other servers.
        #expect(try await browser.send(.post, test).status == 503)
    }
}

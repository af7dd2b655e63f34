import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The name of the cookie of a customer's phone, and which names are accepted.
struct CustomerCookieTests {
    private static let newName = "__Secure-fdc"

    private static func path(_ server: TestServer) -> String { "/api/phone/\(server.business.id)" }

    /// A request of a phone, over TLS unless said otherwise.
    private static func ask(
        _ server: TestServer, _ target: String, posting body: String? = nil, cookie: String? = nil,
        isSecure: Bool = true
    ) async throws -> Answer {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if let cookie { headers.append("Cookie", cookie) }
        let scheme = isSecure ? "https" : "http"
        headers.append("Origin", "\(scheme)://\(TestServer.host)")
        let request = try Request(
            method: body == nil ? .get : .post, target: path(server) + target, headers: headers,
            body: Array((body ?? "").utf8),
            host: TestServer.host, isSecure: isSecure)
        return Answer(response: await server.api.respond(to: request))
    }

    private static func begin(_ server: TestServer, isSecure: Bool) async throws -> Answer {
        try await ask(
            server, "/messages",
            posting: #"{"id":"\#(server.services.broker.makeID())","text":"Hi"}"#,
            isSecure: isSecure
        )
    }

    @Test func `over TLS a customer's cookie has a prefix that browsers accept over TLS alone`()
        async throws
    {
        let server = try await TestServer()
        let first = try await Self.begin(server, isSecure: true)
        let lines = first.headers.values("set-cookie")
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.hasPrefix("__Secure-fdc=") && line.hasSuffix("; HttpOnly; Secure"))
        #expect(line.contains("; Path=\(Self.path(server)); SameSite=Lax; "))
        let token = try #require(first.cookie(Self.newName))
        let again = try await Self.ask(server, "/messages", cookie: "__Secure-fdc=\(token)")
        #expect(again.status == 200 && again["data"]?.count == 1)
        // Without the prefix anybody between could have set it.
        let plain = try await Self.ask(server, "/messages", cookie: "fdc=\(token)")
        #expect(plain.status == 401)
        // Without TLS there is no prefix.
        let open = try await Self.begin(server, isSecure: false)
        #expect(open.cookie("fdc") != nil && open.cookie(Self.newName) == nil)
    }

    @Test func `a cookie without the prefix is accepted once and replaced`() async throws {
        let server = try await TestServer()
        let token = try #require(try await Self.begin(server, isSecure: true).cookie(Self.newName))
        server.time.advance(by: .seconds(60))
        try await server.store.setSetting(
            PhoneCookie.prefixedSetting, to: Array("\(server.time.now.milliseconds)".utf8),
            author: .server)
        let moved = try await Self.ask(server, "/messages", cookie: "fdc=\(token)")
        #expect(moved.status == 200 && moved["data"]?.count == 1)
        #expect(moved.cookie(Self.newName) == token)
        let cleared = moved.headers.values("set-cookie").filter { $0.hasPrefix("fdc=;") }
        #expect(cleared.count == 1 && cleared.allSatisfy { $0.contains("Max-Age=0") })
        #expect(
            try await Self.ask(server, "/messages", cookie: "__Secure-fdc=\(token)").status == 200)
        // A session of afterwards was never given under the old name.
        let second = try await Self.begin(server, isSecure: true)
        let late = try #require(second.cookie(Self.newName))
        #expect(try await Self.ask(server, "/messages", cookie: "fdc=\(late)").status == 401)
        // The prefixed one counts where both are shown.
        let both = try await Self.ask(
            server, "/messages", cookie: "fdc=\(token); __Secure-fdc=\(late)")
        #expect(both.status == 200)
        let heard = try #require(both["data"]?.elements.map { $0 }.first?["conversation"]?.string)
        #expect(second["message"]?["conversation"]?.string == heard)
    }
}

import APITestSupport
import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Who may try to sign in how often: known devices, unknown callers, an office behind one address.
struct SignInTests {
    private static let path = "/api/session"

    private static func body(_ email: String, _ password: String = TestServer.password) -> String {
        #"{"email":"\#(email)","password":"\#(password)"}"#
    }

    /// Signs in from an address, with a device's cookie if there is one.
    private static func signIn(
        _ server: TestServer, _ body: String, from address: String = "192.0.2.7",
        device: String? = nil
    ) async throws -> Answer {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if let device { headers.append("Cookie", "fd_device=\(device)") }
        headers.append("Origin", TestServer.origin)
        let request = try Request(
            method: .post, target: path, headers: headers, body: Array(body.utf8),
            host: TestServer.host, peer: Peer(address: address, isLoopback: false))
        return Answer(response: await server.api.respond(to: request))
    }

    /// Adds people without invitations; their password is the usual one.
    private static func addPeople(_ emails: [String], to server: TestServer) async throws {
        let hash = try await server.services.passwords.hash(TestServer.password)
        for email in emails {
            let agent = Agent(
                id: AgentID(server.services.broker.makeID()), name: "Ben", email: email,
                password: hash, createdAt: server.time.now)
            try await server.store.save(agent, author: .server)
        }
    }

    @Test func `unknown callers lock an account for themselves and never for a known device`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com", "ben@example.com"], to: server)
        let (right, wrong) = (Self.body("ada@example.com"), Self.body("ada@example.com", "wrong"))
        let first = try await Self.signIn(server, right)
        let device = try #require(first.cookie("fd_device"))
        // Hundreds of failures from many addresses use up what unknown callers have at the account.
        for number in 0..<100 {
            let answer = try await Self.signIn(server, wrong, from: "198.51.100.\(number)")
            #expect(answer.status == 401)
        }
        #expect(try await Self.signIn(server, right, from: "203.0.113.9").status == 429)
        #expect(
            try await Self.signIn(server, right, from: "203.0.113.9", device: device).status == 200)
        // The device is Ada's: for another account, and under another name, it is unknown.
        let made = Token.make().text
        #expect(
            try await Self.signIn(server, right, from: "203.0.113.9", device: made).status == 429)
        // What the device itself fails locks the device.
        for _ in 0..<5 {
            let answer = try await Self.signIn(server, wrong, device: device)
            #expect(answer.status == 401)
        }
        let refused = try await Self.signIn(server, right, device: device)
        #expect(refused.code == "rate_limited" && refused.headers["retry-after"] == "1")
        server.time.advance(by: .seconds(1))
        #expect(try await Self.signIn(server, right, device: device).status == 200)
    }

    @Test
    func `the owner of a second account of an address guesses at the first as an unknown caller`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        let (first, own) = (TestServer.password, "another horse battery staple")
        let stored = try await server.store.agents(email: "ada@example.com").compactMap(\.password)
        let hash = try await server.services.passwords.hash(own, beside: stored).text
        try await server.store.save(
            Agent(
                id: AgentID(server.services.broker.makeID()), name: "Not Ada",
                email: "ada@example.com", password: hash, createdAt: server.time.now),
            author: .server)
        let mine = Self.body("ada@example.com", own)
        let device = try #require(try await Self.signIn(server, mine).cookie("fd_device"))
        // The device is known to the own account; signing in there clears nothing failed elsewhere.
        for number in 0..<100 {
            let network = "198.51.100.\(number)"
            let wrong = Self.body("ada@example.com", "wrong")
            let guess = try await Self.signIn(server, wrong, from: network, device: device)
            #expect(guess.status == 401)
            #expect(
                try await Self.signIn(server, mine, from: network, device: device).status == 200)
        }
        // The budget of unknown callers at the address is used up: not even the right password is
        // tried.
        let right = Self.body("ada@example.com", first)
        let refused = try await Self.signIn(server, right, from: "203.0.113.9", device: device)
        #expect(refused.status == 401)
        #expect(try await Self.signIn(server, right, from: "203.0.113.9").status == 429)
        #expect(
            try await Self.signIn(server, mine, from: "203.0.113.9", device: device).status == 200)
        // And after an hour it is tried again.
        server.time.advance(by: .seconds(3_600))
        #expect(try await Self.signIn(server, right, from: "203.0.113.9").status == 200)
    }

    @Test func `failed and refused sign-ins are counted, and the log has their address alone`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        let wrong = Self.body("ada@example.com", "canary")
        for _ in 0..<5 { #expect(try await Self.signIn(server, wrong).status == 401) }
        for _ in 0..<3 { #expect(try await Self.signIn(server, wrong).status == 429) }
        let counts = server.services.metrics.text()
        #expect(counts.contains("frontdesk_sign_ins_failed_total 5\n"))
        #expect(counts.contains("frontdesk_sign_ins_refused_total 3\n"))
        server.time.advance(by: .seconds(60))
        #expect(
            try await Self.signIn(server, wrong, from: "2001:db8::1").status == 401)
        let lines = server.log.lines.filter { $0.contains(" event=sign_in_failed ") }
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.contains(" level=info ") })
        let ends = ["192.0.2.7 failed=1 refused=0", "192.0.2.7 failed=4 refused=3"]
        for (line, end) in zip(lines, ends + ["2001:db8::1 failed=1 refused=0"]) {
            #expect(line.hasSuffix(" address=\(end)"), "\(line)")
        }
        #expect(lines.first?.contains(" request=") == true)
        #expect(!server.log.lines.contains { $0.contains("canary") || $0.contains("example.com") })
    }

    @Test func `an attacker at one address locks out no caller at another`() async throws {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        let wrong = Self.body("ada@example.com", "wrong")
        for _ in 0..<5 {
            #expect(try await Self.signIn(server, wrong, from: "2001:db8::1").status == 401)
        }
        let right = Self.body("ada@example.com")
        #expect(try await Self.signIn(server, right, from: "2001:db8::2").status == 429)
        #expect(try await Self.signIn(server, right, from: "2001:db8:0:1::1").status == 200)
    }

    @Test
    func `an address has twenty failed sign-ins a minute, whatever accounts they name`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople((0..<30).map { "a\($0)@example.com" }, to: server)
        for number in 0..<20 {
            let body = Self.body("a\(number * 2)@example.com", "wrong")
            #expect(try await Self.signIn(server, body).status == 401)
        }
        // Nothing distinguishes who has an account from who has none.
        for email in ["a1@example.com", "nobody@example.com"] {
            let refused = try await Self.signIn(server, Self.body(email, "wrong"))
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "3")
        }
        #expect(try await Self.signIn(server, Self.body("a1@example.com")).status == 429)
        #expect(
            try await Self.signIn(server, Self.body("a1@example.com"), from: "192.0.2.8").status
                == 200)
    }

    @Test
    func
        `two hundred people sign in at once from one address, and unknown callers keep their budget`()
        async throws
    {
        let server = try await TestServer()
        let emails = (0..<200).map { "a\($0)@example.com" }
        try await Self.addPeople(emails, to: server)
        for half in 0..<2 {
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for email in emails[(half * 100)..<((half + 1) * 100)] {
                    group.addTask {
                        try await Self.signIn(server, Self.body(email)).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 100))
            server.time.advance(by: .seconds(10))
        }
        for number in 0..<20 {
            let body = Self.body("b\(number)@example.com", "wrong")
            #expect(try await Self.signIn(server, body).status == 401)
        }
        let body = Self.body("b20@example.com", "wrong")
        #expect(try await Self.signIn(server, body).status == 429)
    }

    @Test func `a known device's cookie is for its host, and no script's, and signs in no person`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        let answer = try await Self.signIn(server, Self.body("ada@example.com"))
        let lines = answer.headers.values("set-cookie")
        #expect(lines.count == 2)
        let line = try #require(lines.last)
        #expect(line.hasPrefix("fd_device="))
        #expect(line.contains("; Path=/; SameSite=Strict; Max-Age=15552000; HttpOnly"))
        let token = try #require(answer.cookie("fd_device"))
        let asked = try await server.get(
            "/api/session", headers: ["Cookie": "fd_device=\(token); fd=\(token)"])
        #expect(asked.status == 401)
        let known = try #require(Token(token))
        let agents = try await server.store.agents(knownOn: known.digest, since: server.time.now)
        #expect(agents.count == 1)
        let secure = DeviceCookie.set(known, isSecure: true, limits: WebLimits())
        #expect(secure.text.hasPrefix("__Host-fd_device=") && secure.text.hasSuffix("; Secure"))
    }

    @Test func `two people who share a browser are both known on it`() async throws {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com", "ben@example.com"], to: server)
        let first = try await Self.signIn(server, Self.body("ada@example.com"))
        let device = try #require(first.cookie("fd_device"))
        let second = try await Self.signIn(server, Self.body("ben@example.com"), device: device)
        #expect(second.cookie("fd_device") == device)
        let digest = try #require(Token(device)).digest
        #expect(try await server.store.agents(knownOn: digest, since: server.time.now).count == 2)
        // A token that was not of our making is no known device.
        let made = Token.make().text
        let third = try await Self.signIn(server, Self.body("ada@example.com"), device: made)
        #expect(third.cookie("fd_device") != made)
    }

    @Test
    func `an account has thirty-two devices; those used least lately are unknown again`()
        async throws
    {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        var devices: [Digest] = []
        for _ in 0..<33 {
            server.time.advance(by: .seconds(1))
            let answer = try await Self.signIn(server, Self.body("ada@example.com"))
            devices.append(try #require(answer.cookie("fd_device").flatMap { Token($0) }).digest)
        }
        for (number, device) in devices.enumerated() {
            let agents = try await server.store.agents(
                knownOn: device, since: server.time.now.advanced(by: .seconds(-60)))
            #expect(agents.count == (number == 0 ? 0 : 1))
        }
    }

    @Test(arguments: [(180 * 86_400, 401), (180 * 86_400 + 1, 429)])
    func `a device is unknown again after 180 days without a sign-in`(
        seconds: Int, status: Int
    ) async throws {
        let server = try await TestServer()
        try await Self.addPeople(["ada@example.com"], to: server)
        let answer = try await Self.signIn(server, Self.body("ada@example.com"))
        let device = try #require(answer.cookie("fd_device"))
        server.time.advance(by: .seconds(seconds))
        let wrong = Self.body("ada@example.com", "wrong")
        for _ in 0..<5 { #expect(try await Self.signIn(server, wrong).status == 401) }
        #expect(try await Self.signIn(server, wrong, device: device).status == status)
    }

    @Test func `choosing a new password makes every device unknown`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        _ = try await server.makeMember("ben@example.com", .agent, of: server.business, by: owner)
        let answer = try await Self.signIn(server, Self.body("ben@example.com"))
        let device = try #require(answer.cookie("fd_device").flatMap { Token($0) }).digest
        let found = try await server.store.agents(knownOn: device, since: server.time.now)
        let ben = try #require(found.first)
        let token = try await server.makePasswordLink(for: ben)
        let accepted = try await server.post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","name":"Ben","password":"\#(TestServer.password)"}"#)
        #expect(accepted.status == 201)
        #expect(try await server.store.agents(knownOn: device, since: server.time.now).isEmpty)
    }
}

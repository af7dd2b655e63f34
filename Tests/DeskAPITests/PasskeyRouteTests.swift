import APITestSupport
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Passkeys from their person's side: added by who signs in already, they sign in alone.
struct PasskeyRouteTests {
    private static let path = "/api/session/passkeys"
    private static let place = "localhost:8080"
    private static let proof = #"{"password":"\#(TestServer.password)"}"#

    static let secret = Array("12345678901234567890".utf8)

    static func code(at time: Timestamp) -> String {
        TOTP.code(of: secret, step: TOTP.step(atSecond: time.milliseconds / 1_000))
    }

    private static func challenge(
        _ server: TestServer, _ caller: TestServer.Caller, _ body: String = proof
    ) async throws -> String {
        let options = try await server.post(path + "/options", body, by: caller)
        #expect(options.status == 200)
        return try #require(options["challenge"]?.string)
    }

    private static func challenge(_ server: TestServer) async throws -> String {
        let options = try await server.post("/api/session/passkey/options", "{}")
        #expect(options.status == 200 && options["rpId"]?.string == "localhost")
        return try #require(options["challenge"]?.string)
    }

    private static func signIn(
        _ server: TestServer, _ device: TestAuthenticator, _ challenge: String? = nil
    ) async throws -> Answer {
        let asked: String
        if let challenge { asked = challenge } else { asked = try await Self.challenge(server) }
        return try await server.post("/api/session/passkey", device.signIn(asked))
    }

    /// A person with a passkey.
    private static func make() async throws -> (
        server: TestServer, caller: TestServer.Caller, device: TestAuthenticator
    ) {
        let server = try await TestServer(at: place)
        let caller = try await server.makeOwner()
        var device = TestAuthenticator()
        device.handle = Base64.encode(try await server.agentID(of: caller).handle, alphabet: .url)
        let challenge = try await challenge(server, caller)
        let added = try await server.post(path, device.addition(challenge), by: caller)
        #expect(added.status == 201 && added["name"]?.string == "Phone")
        // The session is one with a passkey from here on.
        #expect(try await server.get("/api/session", by: caller).status == 401)
        return (server, .agent(try #require(added.cookie("fd"))), device)
    }

    /// What is stored of a caller's session.
    static func session(_ caller: TestServer.Caller) throws -> Digest {
        let text = if case .agent(let token) = caller { token } else { "" }
        return try #require(Token(text)).digest
    }

    /// A session of Ada's that was begun with the password alone.
    private static func signInByPassword(_ server: TestServer) async throws -> TestServer.Caller {
        let answer = try await server.post(
            "/api/session", #"{"email":"ada@example.com","password":"\#(TestServer.password)"}"#)
        return .agent(try #require(answer.cookie("fd")))
    }

    @Test func `a passkey signs its person in without password and code, each time anew`()
        async throws
    {
        let (server, caller, device) = try await Self.make()
        let listed = try await server.get(Self.path, by: caller)
        #expect(listed["host"]?.string == "localhost" && listed["passwordNeeded"]?.bool == true)
        #expect(listed["passkeys"]?.elements.first { _ in true }?["usedAt"]?.isNull == true)
        for _ in 1...2 {
            let answer = try await Self.signIn(server, device)
            #expect(answer.status == 200 && answer.cookie("fd") != nil)
            #expect(answer.cookie("fd_device") != nil)
            #expect(answer["agent"]?["name"]?.string == "Ada")
        }
        let used = try await server.get(Self.path, by: caller)
        #expect(used["passkeys"]?.elements.first { _ in true }?["usedAt"]?.string != nil)
        #expect(server.log.lines.contains { $0.contains("passkey") && $0.contains("signed_in") })
    }

    @Test func `a challenge is answered once, within five minutes, and for its own use`()
        async throws
    {
        let (server, caller, device) = try await Self.make()
        let challenge = try await Self.challenge(server)
        #expect(try await Self.signIn(server, device, challenge).status == 200)
        let again = try await Self.signIn(server, device, challenge)
        #expect(again.status == 401 && again.cookie("fd") == nil)
        let old = try await Self.challenge(server)
        server.time.advance(by: .seconds(300))
        #expect(try await Self.signIn(server, device, old).status == 401)
        let addition = try await Self.challenge(server, caller)
        #expect(try await Self.signIn(server, device, addition).status == 401)
        #expect(try await Self.signIn(server, device, "AAAA").status == 401)
        // Neither that of a sign-in, of another session, nor one that was used adds a passkey.
        let eve = try await server.makeMember(
            "eve@example.com", .agent, of: server.business, by: caller)
        var other = TestAuthenticator()
        let own = try await Self.challenge(server, eve)
        for (challenge, person) in [
            (try await Self.challenge(server), caller), (own, caller), (addition, eve),
        ] {
            let refused = try await server.post(Self.path, other.addition(challenge), by: person)
            #expect(refused.status == 422)
        }
        #expect(try await server.post(Self.path, other.addition(own), by: eve).status == 201)
        let once = try await Self.challenge(server, caller)
        other = TestAuthenticator()
        #expect(try await server.post(Self.path, other.addition(once), by: caller).status == 201)
        other.id[0] ^= 1
        let twice = try await server.post(Self.path, other.addition(once), by: caller)
        #expect(twice.status == 422)
    }

    @Test func `what is not the passkey's own answer signs no one in, and is counted as a failure`()
        async throws
    {
        let (server, _, device) = try await Self.make()
        func refused(
            _ change: (inout TestAuthenticator) -> Void, _ comment: Comment,
            _ location: SourceLocation = #_sourceLocation
        ) async throws {
            var wrong = device
            change(&wrong)
            let answer = try await Self.signIn(server, wrong)
            #expect(
                answer.status == 401 && answer.cookie("fd") == nil, comment,
                sourceLocation: location)
        }
        let other = TestAuthenticator()
        try await refused({ $0.key = other.key }, "another key")
        try await refused({ $0.id = other.id }, "an unknown passkey")
        try await refused({ $0.handle = "AAAAAAAAAAAAAAAAAAAAAA" }, "another account")
        try await refused({ $0.host = "evil.example" }, "another host")
        try await refused({ $0.origin = "https://localhost:8080" }, "another origin")
        try await refused({ $0.origin = "http://evil.example" }, "another site")
        try await refused({ $0.more = #","topOrigin":"http://evil.example""# }, "a frame")
        try await refused({ $0.flags = 0b001 }, "not verified")
        try await refused({ $0.flags = 0b100 }, "not there")
        try await refused({ $0.flags = 0b1_0101 }, "kept elsewhere and not to be")
        #expect(try await Self.signIn(server, device).status == 200)
        // One line a minute of a network, however many there are.
        #expect(server.log.lines.filter { $0.contains("passkey_refused") }.count == 1)
    }

    @Test func `an authenticator that counts backwards was copied, and signs no one in`()
        async throws
    {
        let (server, caller, _) = try await Self.make()
        var device = TestAuthenticator()
        device.handle = Base64.encode(try await server.agentID(of: caller).handle, alphabet: .url)
        device.counter = 7
        let challenge = try await Self.challenge(server, caller)
        #expect(
            try await server.post(Self.path, device.addition(challenge), by: caller).status == 201)
        for (count, status) in [(7, 401), (9, 200), (9, 401), (8, 401), (10, 200), (0, 401)] {
            device.counter = UInt32(count)
            #expect(try await Self.signIn(server, device).status == status, "\(count)")
        }
    }

    @Test func `adding one needs what signs in now, and a code where the account has a factor`()
        async throws
    {
        let (server, caller, device) = try await Self.make()
        let options = Self.path + "/options"
        #expect(try await server.post(options, "{}", by: caller).status == 422)
        let wrong = #"{"password":"a wrong password of no one"}"#
        #expect(try await server.post(options, wrong, by: caller).status == 403)
        let known = try await server.post(options, Self.proof, by: caller)
        #expect(known["excludeCredentials"]?.count == 1)
        #expect(known["user"]?["id"]?.string == device.handle)
        // The same one once more, and one without a name.
        let challenge = try #require(known["challenge"]?.string)
        #expect(
            try await server.post(Self.path, device.addition(challenge), by: caller).status == 422)
        let fresh = try await Self.challenge(server, caller)
        let nameless = TestAuthenticator().addition(fresh, named: "")
        #expect(try await server.post(Self.path, nameless, by: caller).status == 422)
        let id = try await server.agentID(of: caller)
        _ = try await server.store.beginSecondFactor(
            Self.secret, of: id, at: server.time.now)
        #expect(
            try await server.store.confirmSecondFactor(
                of: id, Self.code(at: server.time.now), recovery: [.sha256([1])],
                keeping: try Self.session(caller), at: server.time.now) == .accepted)
        let again = try #require(try await Self.signIn(server, device).cookie("fd"))
        let later = TestServer.Caller.agent(again)
        #expect(try await server.get(Self.path, by: later)["codeNeeded"]?.bool == true)
        let lacking = try await server.post(options, Self.proof, by: later)
        #expect(lacking.status == 401 && lacking.code == "second_factor_required")
        server.time.advance(by: .seconds(30))
        let code = Self.code(at: server.time.now)
        _ = try await Self.challenge(
            server, later, #"{"password":"\#(TestServer.password)","code":"\#(code)"}"#)
    }

    @Test func `an account has ten at most, and one that is removed signs no one in`() async throws
    {
        let (server, caller, device) = try await Self.make()
        for number in 2...10 {
            let challenge = try await Self.challenge(server, caller)
            let body = TestAuthenticator().addition(challenge, named: "N\(number)")
            #expect(try await server.post(Self.path, body, by: caller).status == 201)
        }
        let full = try await server.post(Self.path + "/options", Self.proof, by: caller)
        #expect(full.status == 422 && full["detail"]?.string?.contains("10") == true)
        let listed = try await server.get(Self.path, by: caller)
        let first = try #require(listed["passkeys"]?.elements.first { _ in true }?["id"]?.string)
        let eve = try await server.makeMember(
            "eve@example.com", .agent, of: server.business, by: caller)
        let target = Self.path + "/" + first
        #expect(try await server.send(.delete, target, by: eve).status == 404)
        #expect(try await server.send(.delete, target, by: caller).status == 204)
        #expect(try await server.send(.delete, target, by: caller).status == 404)
        #expect(try await Self.signIn(server, device).status == 401)
    }

    @Test func `a link to a new password removes every passkey, and one's own change none`()
        async throws
    {
        let (server, caller, device) = try await Self.make()
        let password = "another horse battery staple"
        let changed = try await server.send(
            .put, "/api/session/password",
            #"{"password":"\#(TestServer.password)","newPassword":"\#(password)"}"#, by: caller)
        #expect(changed.status == 200)
        let later = TestServer.Caller.agent(
            try #require(try await Self.signIn(server, device).cookie("fd")))
        let id = try await server.agentID(of: later)
        let link = try await OneTimeLinks(services: server.services).makePasswordLink(for: id)
        let token = try #require(link.split(separator: "=").last)
        let accept = #"{"token":"\#(token)","name":"Ada","password":"\#(TestServer.password)"}"#
        #expect(try await server.post("/api/invitations/accept", accept).status == 201)
        #expect(try await Self.signIn(server, device).status == 401)
        #expect(try await server.get("/api/session", by: later).status == 401)
        // The link is used up with it.
        #expect(try await server.post("/api/invitations/accept", accept).status == 401)
    }

    @Test func `a business that requires a second factor is open with a passkey, and not without`()
        async throws
    {
        let (server, strong, device) = try await Self.make()
        let caller = try await Self.signInByPassword(server)
        let business = "/api/businesses/\(server.business.id)"
        func isOpen(_ caller: TestServer.Caller) async throws -> Bool {
            try await server.get("\(business)/labels", by: caller).status == 200
        }
        let require = #"{"requiresSecondFactor":true}"#
        #expect(try await server.get(Self.path, by: caller)["passkeyNeeded"]?.bool == false)
        // It would close the business to the session that asks.
        let early = try await server.send(.patch, business, require, by: caller)
        #expect(early.status == 403 && early.code == "passkey_required")
        #expect(try await server.send(.patch, business, require, by: strong).status == 200)
        let further = try #require(try await Self.signIn(server, device).cookie("fd"))
        for session in [strong, .agent(further)] { #expect(try await isOpen(session)) }
        #expect(try await !isOpen(caller))
        let members = try await server.get("\(business)/members", by: strong)
        #expect(members.text.contains(#""hasSecondFactor":true"#))
        // The password alone opens no other way in either.
        let state = try await server.get(Self.path, by: caller)
        #expect(state["passkeyNeeded"]?.bool == true)
        for path in [Self.path + "/options", "/api/session/second-factor"] {
            let refused = try await server.post(path, Self.proof, by: caller)
            #expect(refused.status == 403 && refused.code == "passkey_required")
        }
        let own = try #require(state["passkeys"]?.elements.first { _ in true }?["id"]?.string)
        let removal = try await server.send(.delete, Self.path + "/" + own, by: caller)
        #expect(removal.status == 403 && removal.code == "passkey_required")
        #expect(try await server.get(Self.path, by: strong)["passkeyNeeded"]?.bool == false)
        _ = try await Self.challenge(server, strong)
        // A code that is there as well opens the password's sessions too.
        let begun = try await server.post("/api/session/second-factor", Self.proof, by: strong)
        #expect(begun.status == 201)
    }

    @Test func `adding a first passkey opens what waits for a second factor, in a new session`()
        async throws
    {
        let (server, strong, _) = try await Self.make()
        let business = "/api/businesses/\(server.other.id)"
        let eve = try await server.makeMember(
            "eve@example.com", .agent, of: server.other, by: strong)
        let require = #"{"requiresSecondFactor":true}"#
        #expect(try await server.send(.patch, business, require, by: strong).status == 200)
        #expect(try await server.get("\(business)/labels", by: eve).status != 200)
        let challenge = try await Self.challenge(server, eve)
        let added = try await server.post(
            Self.path, TestAuthenticator().addition(challenge), by: eve)
        let cookie = try #require(added.cookie("fd"))
        #expect(try await server.get("\(business)/labels", by: .agent(cookie)).status == 200)
        #expect(try await server.get("/api/session", by: eve).status == 401)
        // One with a passkey stays.
        let further = try await Self.challenge(server, strong)
        let second = try await server.post(
            Self.path, TestAuthenticator().addition(further), by: strong)
        #expect(second.status == 201 && second.cookie("fd") == nil)
    }

    @Test func `where passkeys do not work it is said, and nothing else is changed`() async throws {
        let server = try await TestServer()
        let caller = try await server.makeOwner()
        #expect(try await server.get("/api/session/sso")["passkeys"]?.isNull == true)
        #expect(try await server.get(Self.path, by: caller)["host"]?.isNull == true)
        for (path, person, body) in [
            (Self.path + "/options", caller, Self.proof),
            ("/api/session/passkey/options", .anonymous, "{}"),
        ] {
            let refused = try await server.post(path, body, by: person)
            #expect(refused.status == 403 && refused.text.contains("https"))
        }
        let local = try await TestServer(at: Self.place)
        let ways = try await local.get("/api/session/sso")
        #expect(ways["passkeys"]?["host"]?.string == "localhost")
    }
}

import APITestSupport
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// Where a second factor is asked for, how it is set up, and what a business that requires one gives without.
struct SecondFactorTests {
    private static let path = "/api/session/second-factor"
    private static let email = "ada@example.com"

    /// A person who has a second factor: the app that shows its codes, and the recovery codes.
    private struct Owner {
        let server: TestServer
        var caller: TestServer.Caller
        let secret: [UInt8]
        let recovery: [String]

        /// The code that the app shows now; a new one, since each is accepted once.
        func nextCode() -> String {
            server.time.advance(by: .seconds(30))
            return TOTP.code(
                of: secret, step: TOTP.step(atSecond: server.time.now.milliseconds / 1_000))
        }
    }

    private static func proof(_ code: String, password: String = TestServer.password) -> String {
        #"{"password":"\#(password)","code":"\#(code)"}"#
    }

    private static func decode(base32 text: String) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (held, bits, bytes) = (0, 0, [UInt8]())
        for letter in text {
            held = held << 5 | (letters.firstIndex(of: letter) ?? 0)
            bits += 5
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(held >> bits & 255))
        }
        return bytes
    }

    /// Sets a second factor up, as the console does.
    private static func setUp(
        _ caller: TestServer.Caller, at server: TestServer
    ) async throws -> Owner {
        let begun = try await server.post(
            path, #"{"password":"\#(TestServer.password)"}"#, by: caller)
        #expect(begun.status == 201)
        let text = try #require(begun["secret"]?.string)
        let secret = decode(base32: text)
        #expect(secret.count == TOTP.secretBytes && Base32.encode(secret) == text)
        #expect(begun["url"]?.string?.contains("secret=\(text)&issuer=Frontdesk") == true)
        #expect(begun["qr"]?.string?.hasPrefix("<svg ") == true)
        let code = TOTP.code(
            of: secret, step: TOTP.step(atSecond: server.time.now.milliseconds / 1_000))
        let made = try await server.post(
            path + "/confirmation", #"{"code":"\#(code)"}"#, by: caller)
        #expect(made.status == 200)
        let recovery = made["recoveryCodes"]?.elements.compactMap(\.string) ?? []
        #expect(recovery.count == 10)
        return Owner(server: server, caller: caller, secret: secret, recovery: recovery)
    }

    private static func make() async throws -> Owner {
        let server = try await TestServer()
        return try await setUp(try await server.makeOwner(), at: server)
    }

    private static func signIn(
        _ server: TestServer, _ code: String? = nil, password: String = TestServer.password
    ) async throws -> Answer {
        let more = code.map { #","code":"\#($0)""# } ?? ""
        return try await server.post(
            "/api/session", #"{"email":"\#(email)","password":"\#(password)"\#(more)}"#)
    }

    @Test func `a right password alone signs no one in, and says only that the factor is missing`()
        async throws
    {
        let owner = try await Self.make()
        let server = owner.server
        let open = try await Self.signIn(server)
        #expect(open.status == 401 && open.code == "second_factor_required")
        #expect(open.cookie("fd") == nil && open.cookie("fd_device") == nil)
        #expect(!open.text.contains("Ada"))
        let wrong = try await Self.signIn(server, "000000")
        #expect(wrong.status == 401 && wrong.code == "wrong_code")
        // A wrong password is answered as ever, whatever the code is.
        let code = owner.nextCode()
        let other = try await Self.signIn(server, code, password: "a wrong password of no one")
        #expect(other.code == "unauthenticated")
        let answer = try await Self.signIn(server, code)
        #expect(answer.status == 200 && answer.cookie("fd") != nil)
        #expect(answer["secondFactor"]?["isActive"]?.bool == true)
        #expect(try await Self.signIn(server, code).code == "wrong_code")
        #expect(!server.log.lines.contains { $0.contains(code) })
    }

    @Test func `a recovery code signs in once`() async throws {
        let owner = try await Self.make()
        let server = owner.server
        let code = owner.recovery[3].lowercased()
        let answer = try await Self.signIn(server, code)
        #expect(answer.status == 200)
        let caller = TestServer.Caller.agent(try #require(answer.cookie("fd")))
        #expect(try await Self.signIn(server, code).code == "wrong_code")
        let state = try await server.get(Self.path, by: caller)
        #expect(state["isActive"]?.bool == true && state["recoveryCodesLeft"]?.int == 9)
    }

    @Test func `wrong codes are slowed down, and a right password does not end that`() async throws
    {
        let owner = try await Self.make()
        let server = owner.server
        for _ in 0..<5 { #expect(try await Self.signIn(server, "000000").code == "wrong_code") }
        // The sixth is not looked at, and neither is the right one.
        for _ in 0..<3 {
            let refused = try await Self.signIn(server, "000000")
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
        }
        server.time.advance(by: .seconds(3_700))
        #expect(try await Self.signIn(server, owner.nextCode()).status == 200)
    }

    @Test func `setting up needs the password, and replacing or removing the code as well`()
        async throws
    {
        let owner = try await Self.make()
        let (server, caller) = (owner.server, owner.caller)
        let again = try await server.post(
            Self.path, #"{"password":"\#(TestServer.password)"}"#, by: caller)
        #expect(again.status == 409 && again.code == "second_factor_active")
        let alien = try await server.post(
            Self.path, #"{"password":"a wrong password of no one"}"#, by: caller)
        #expect(alien.status == 403)
        for route in ["/recovery-codes", "/removal"] {
            let wrong = try await server.post(Self.path + route, Self.proof("000000"), by: caller)
            #expect(wrong.code == "wrong_code")
            let other = Self.proof(owner.nextCode(), password: "a wrong password of no one")
            #expect(try await server.post(Self.path + route, other, by: caller).status == 403)
        }
        let made = try await server.post(
            Self.path + "/recovery-codes", Self.proof(owner.nextCode()), by: caller)
        #expect(made.status == 200 && made["recoveryCodes"]?.count == 10)
        #expect(try await Self.signIn(server, owner.recovery[0]).code == "wrong_code")
        let code = try #require(made["recoveryCodes"]?.elements.first { _ in true }?.string)
        let gone = try await server.post(Self.path + "/removal", Self.proof(code), by: caller)
        #expect(gone.status == 204)
        #expect(try await server.get(Self.path, by: caller)["isActive"]?.bool == false)
        #expect(try await Self.signIn(server).status == 200)
        let none = try await server.post(Self.path + "/removal", Self.proof("000000"), by: caller)
        #expect(none.status == 409 && none.code == "second_factor_missing")
    }

    @Test func `a linked account needs no password for ten minutes after a sign-in`()
        async throws
    {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        func begin(_ body: String) async throws -> Int {
            try await server.post(Self.path, body, by: ada).status
        }
        func needsPassword() async throws -> Bool? {
            try await server.get(Self.path, by: ada)["passwordNeeded"]?.bool
        }
        #expect(try await needsPassword() == true)
        #expect(try await begin("{}") == 422)
        let identity = Identity(issuer: "https://id.example", subject: "ada")
        let id = try await server.agentID(of: ada)
        _ = try await server.store.link(identity, to: id, at: server.time.now)
        #expect(try await needsPassword() == false)
        #expect(try await begin("{}") == 201)
        // One that is sent is judged still.
        #expect(try await begin(#"{"password":"a wrong password of no one"}"#) == 403)
        #expect(try await begin(#"{"password":"\#(TestServer.password)"}"#) == 201)
        // A code is needed whatever the sign-in was.
        let owner = try await Self.setUp(ada, at: server)
        for route in ["/recovery-codes", "/removal"] {
            #expect(try await server.post(Self.path + route, "{}", by: ada).status == 422)
            let wrong = try await server.post(Self.path + route, #"{"code":"000000"}"#, by: ada)
            #expect(wrong.code == "wrong_code")
        }
        server.time.advance(by: .seconds(570))
        let code = #"{"code":"\#(owner.nextCode())"}"#
        #expect(try await needsPassword() == true)
        #expect(try await server.post(Self.path + "/removal", code, by: ada).status == 422)
        let whole = Self.proof(owner.nextCode())
        #expect(try await server.post(Self.path + "/removal", whole, by: ada).status == 204)
        #expect(try await begin("{}") == 422)
    }

    @Test func `answers with secrets are kept nowhere, by no key of repetition either`()
        async throws
    {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let body = #"{"password":"\#(TestServer.password)"}"#
        let begun = try await server.post(Self.path, body, by: ada)
        #expect(begun.headers["cache-control"] == "no-store")
        let again = try await server.post(
            Self.path, body, by: ada, headers: ["Idempotency-Key": "again"])
        #expect(again.status == 400)
        let secret = try #require(begun["secret"]?.string)
        #expect(!server.log.lines.contains { $0.contains(secret) })
    }

    @Test func `confirming ends the other sessions of the account`() async throws {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let other = TestServer.Caller.agent(
            try #require(try await Self.signIn(server).cookie("fd")))
        #expect(try await server.get("/api/session", by: other).status == 200)
        _ = try await Self.setUp(ada, at: server)
        #expect(try await server.get("/api/session", by: ada).status == 200)
        #expect(try await server.get("/api/session", by: other).status == 401)
    }

    @Test func `an account joins a business with its code, by whichever form of the link`()
        async throws
    {
        let owner = try await Self.make()
        let server = owner.server
        let eve = try await server.makeMember(
            "eve@example.com", .owner, of: server.other, by: owner.caller)
        let path = "/api/businesses/\(server.other.id)/members"
        let id = try await server.agentID(of: owner.caller)
        #expect(try await server.send(.delete, path + "/\(id)", by: eve).status == 204)
        func accept(_ token: String, _ more: String) async throws -> Answer {
            try await server.post(
                "/api/invitations/accept",
                #"{"token":"\#(token)","password":"\#(TestServer.password)"\#(more)}"#)
        }
        let token = try await server.invite(Self.email, to: server.other, by: eve)
        // The second form finds the account by its password, and signs in to it.
        for form in ["", #","name":"Ada","separate":true"#] {
            #expect(try await accept(token, form).code == "second_factor_required")
            #expect(try await accept(token, form + #","code":"000000""#).code == "wrong_code")
        }
        #expect(try await server.get(path, by: eve)["data"]?.count == 1)
        let code = owner.nextCode()
        #expect(try await accept(token, #","code":"\#(code)""#).status == 201)
        #expect(try await server.get(path, by: eve)["data"]?.count == 2)
    }

    @Test func `a link to a new password sets it, and signs in without the code to nothing`()
        async throws
    {
        let owner = try await Self.make()
        let server = owner.server
        let id = try await server.agentID(of: owner.caller)
        let token = try await server.makePasswordLink(for: id)
        let password = "another password of the person"
        let set = try await server.post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","name":"Ada","password":"\#(password)"}"#)
        #expect(set.status == 200 && set["secondFactorRequired"]?.bool == true)
        #expect(set.cookie("fd") == nil)
        #expect(try await Self.signIn(server).code == "unauthenticated")
        #expect(
            try await Self.signIn(server, password: password).code == "second_factor_required")
        let code = owner.nextCode()
        #expect(try await Self.signIn(server, code, password: password).status == 200)
    }

    @Test func `a business that requires one gives a member without one no role`() async throws {
        let server = try await TestServer()
        let ada = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)"
        let required = #"{"requiresSecondFactor":true}"#
        let early = try await server.send(.patch, path, required, by: ada)
        #expect(early.status == 409 && early.code == "second_factor_missing")
        #expect(try await server.get(path, by: ada)["requiresSecondFactor"]?.bool == false)
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: ada)
        let owner = try await Self.setUp(ada, at: server)
        #expect(try await server.send(.patch, path, required, by: ben).status == 403)
        let changed = try await server.send(.patch, path, required, by: ada)
        #expect(changed.status == 200 && changed["requiresSecondFactor"]?.bool == true)
        // The member is signed in still, and sees which business waits.
        #expect(try await server.get(path, by: ben).status == 404)
        let session = try await server.get("/api/session", by: ben)
        #expect(session["businesses"]?.count == 0)
        #expect(session["secondFactor"]?["waiting"]?.elements.map(\.string) == ["Sandbox"])
        func shown(by caller: TestServer.Caller) async throws -> [Bool?] {
            let list = try await server.get(path + "/members", by: caller)
            return list["data"]?.elements.map { $0["hasSecondFactor"]?.bool } ?? []
        }
        #expect(try await shown(by: owner.caller) == [true, false])
        _ = try await Self.setUp(ben, at: server)
        #expect(try await server.get(path, by: ben).status == 200)
        #expect(try await shown(by: owner.caller) == [true, true])
        // A colleague does not see it.
        #expect(try await shown(by: ben) == [nil, nil])
    }

    @Test func `where the secret cannot be read a recovery code still signs in`() async throws {
        let owner = try await Self.make()
        let server = owner.server
        // The server began before, and lacks the key that encrypts it now.
        let rotated = try #require(server.store.encryptionKeys.rotated())
        try await server.store.encryptAllSecrets(with: rotated)
        let wrong = try await Self.signIn(server, owner.nextCode())
        #expect(wrong.code == "wrong_code")
        #expect(wrong["detail"]?.string?.contains("recovery code") == true)
        #expect(try await Self.signIn(server, owner.recovery[0]).status == 200)
    }
}

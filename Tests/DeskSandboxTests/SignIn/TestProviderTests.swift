import DeskBroker
import DeskBytes
import DeskCrypto
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskSandbox

/// Sign-in at the sandbox's OAuth provider, and the token endpoint behind it.
struct TestProviderTests {
    private static let bid =
        "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"
        + "com.apple.icloud.apps.messages.business.extension"

    private func request(_ oauth2: String) throws -> SignInRequest {
        let payload = """
            {"type":"interactive","interactiveData":{"bid":"\(Self.bid)","data":{"version":"1.0",\
            "requestIdentifier":"r","authenticate":{"oauth2":{"responseType":"code",\
            "scope":["name","email"],"state":"s&1",\(oauth2)}}}}}
            """
        return try #require(SignInRequest(Array(payload.utf8)))
    }

    private let provider = TestProvider(key: [7])

    private func send(
        _ method: DeskHTTP.Method, _ path: String, _ body: String = "", to gateway: TestGateway,
        headers: HeaderFields = [:]
    ) async throws -> (status: Int, json: JSONValue) {
        let request = try Request(
            method: method, target: path, headers: headers, body: Array(body.utf8))
        let response = await GatewayHandler(gateway.parts, adding: OAuthEndpoints(provider).all)
            .respond(to: request)
        guard case .bytes(let bytes) = response.body else { throw Unexpected("no bytes") }
        return (response.status.code, try JSONDocument(parsing: bytes).root)
    }

    @Test
    func `version 1 encrypts an access token for the request's key, and it names who signed in`()
        async throws
    {
        let gateway = try await TestGateway()
        let key = P384.make()
        let asked = try request(
            #""responseEncryptionKey":"\#(AuthenticationToken.responseEncryptionKey(of: key))""#)
        let device = TestProviderDevice(gateway.parts, provider)
        #expect(device.problems(of: asked, in: .test) == [])
        let done = device.signIn(SignIn(.granted, name: "Ana"), to: asked, of: gateway.shop)
        #expect(done.redirect == nil)
        let sealed = try #require(done.signIn.sealedToken)
        let token = try AuthenticationToken.open(sealed, with: key)
        let user = try await send(
            .get, "/oauth/userinfo", to: gateway, headers: ["Authorization": "Bearer \(token)"])
        #expect(user.status == 200)
        #expect(user.json["name"]?.string == "Ana")
        #expect(user.json["scope"]?.string == "name email")
        let outsider = try await send(
            .get, "/oauth/userinfo", to: gateway, headers: ["Authorization": "Bearer \(token)x"])
        #expect(outsider.status == 401)
    }

    @Test func `version 1 with a key that is no point fails as a device does`() async throws {
        let gateway = try await TestGateway()
        let point = Base64.encode([4] + [UInt8](repeating: 0x6B, count: 96))
        let asked = try request(#""responseEncryptionKey":"\#(point)""#)
        let device = TestProviderDevice(gateway.parts, provider)
        #expect(device.problems(of: asked, in: .test) == [.keyNotAPoint])
        let done = device.signIn(SignIn(.granted), to: asked, of: gateway.shop)
        #expect(done.signIn.outcome == .failed && done.signIn.fault == .noKey)
        #expect(done.signIn.sealedToken == nil)
    }

    struct Redirect: Sendable {
        let outcome: SignInOutcome
        let begins: String?
        var page = "https://shop.example/in"
    }

    @Test(arguments: [
        Redirect(outcome: .granted, begins: "https://shop.example/in?code=test-code."),
        Redirect(
            outcome: .granted, begins: "https://shop.example/in?x=1&code=test-code.",
            page: "https://shop.example/in?x=1"),
        Redirect(
            outcome: .refused, begins: "https://shop.example/in?error=access_denied&state=s%261"),
        Redirect(
            outcome: .failed, begins: "https://shop.example/in?error=server_error&state=s%261"),
        Redirect(outcome: .canceled, begins: nil),
        Redirect(outcome: .granted, begins: nil, page: "http://shop.example/in"),
        Redirect(outcome: .refused, begins: nil, page: "https://shop.example/in#a"),
    ])
    func `version 2 sends the code or the error to the business's page`(
        _ row: Redirect
    ) async throws {
        let gateway = try await TestGateway()
        let asked = try request(#""redirectURI":"\#(row.page)""#)
        let done = TestProviderDevice(gateway.parts, provider).signIn(
            SignIn(row.outcome, name: "Ana"), to: asked, of: gateway.shop)
        let redirect = done.redirect
        guard let begins = row.begins else {
            #expect(redirect == nil)
            return
        }
        #expect(redirect?.hasPrefix(begins) == true, "\(redirect ?? "")")
        #expect(redirect?.hasSuffix("&state=s%261") == true)
        #expect(done.signIn.sealedToken == nil)
    }

    struct Exchange: Sendable {
        let name: String
        var change: [String: String] = [:]
        /// How the names of the secrets are written.
        var escape: [String: String] = [:]
        let status: Int
        let error: String?
    }

    @Test(arguments: [
        Exchange(name: "right", status: 200, error: nil),
        Exchange(
            name: "escaped names",
            escape: ["client_secret=": "client%5Fsecret=", "&code=": "&c%6Fde="], status: 200,
            error: nil),
        Exchange(
            name: "another secret", change: ["client_secret": "AAAA"], status: 401,
            error: "invalid_client"),
        Exchange(
            name: "another client", change: ["client_id": "nobody"], status: 401,
            error: "invalid_client"),
        Exchange(
            name: "another page", change: ["redirect_uri": "https://shop.example/"], status: 400,
            error: "invalid_grant"),
        Exchange(
            name: "another code", change: ["code": "test-code.e30.e30"], status: 400,
            error: "invalid_grant"),
        Exchange(
            name: "another grant", change: ["grant_type": "password"], status: 400,
            error: "unsupported_grant_type"),
    ])
    func `a code is exchanged by the client that it was made for, once, and the wire log has none`(
        _ row: Exchange
    ) async throws {
        let gateway = try await TestGateway()
        let asked = try request(#""redirectURI":"https://shop.example/in""#)
        let done = TestProviderDevice(gateway.parts, provider).signIn(
            SignIn(.granted, name: "Ana"), to: asked, of: gateway.shop)
        let query = try #require(done.redirect?.split(separator: "?").last)
        let code = try #require(FormCoding.decode(Array(query.utf8))?["code"])
        let secret = Base64.encode(TestGateway.secret)
        var form = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": "https://shop.example/in", "client_id": gateway.business.text,
            "client_secret": secret,
        ]
        form.merge(row.change) { $1 }
        var body = FormCoding.encode(
            Query(
                items: [Query.Item(name: "x", value: "")]
                    + form.map { Query.Item(name: $0.key, value: $0.value) }))
        for (name, escaped) in row.escape { body = body.replacing(name, with: escaped) }
        let answer = try await send(.post, "/oauth/token", body, to: gateway)
        #expect(answer.status == row.status)
        #expect(answer.json["error"]?.string == row.error)
        guard row.error == nil else { return }
        let token = try #require(answer.json["access_token"]?.string)
        let user = try await send(
            .get, "/oauth/userinfo", to: gateway, headers: ["Authorization": "Bearer \(token)"])
        #expect(user.json["name"]?.string == "Ana")
        let again = try await send(.post, "/oauth/token", body, to: gateway)
        #expect(again.status == 400 && again.json["error"]?.string == "invalid_grant")
        let log = try await gateway.exchanges()
        #expect(log.count == 3)
        for exchange in log {
            let kept =
                String(describing: exchange.request.headers)
                + String(decoding: exchange.request.body + exchange.answer.body, as: UTF8.self)
            #expect(!kept.contains(token) && !kept.contains(code) && !kept.contains(secret))
            #expect(!kept.contains(PercentCoding.encode(secret)))
        }
    }

    @Test func `a code from before runs out`() async throws {
        let provider = TestProvider(key: [1])
        let grant = TestProvider.Grant(
            business: BusinessID(UniqueID(high: 1, low: 1)), name: "A", scope: ["x"],
            redirectURI: nil, expires: TestGateway.now)
        let text = provider.text(of: grant, for: .code)
        let before = TestGateway.now.advanced(by: .milliseconds(-1))
        #expect(provider.grant(in: text, for: .code, now: before) == grant)
        #expect(provider.grant(in: text, for: .access, now: before) == nil)
        #expect(provider.grant(in: text, for: .code, now: TestGateway.now) == nil)
        #expect(TestProvider(key: [2]).grant(in: text, for: .code, now: before) == nil)
    }
}

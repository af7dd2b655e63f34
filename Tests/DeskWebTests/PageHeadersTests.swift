import DeskHTTP
import DeskModel
import Testing

@testable import DeskWeb

struct PageHeadersTests {
    @Test func `pages let nothing in from elsewhere`() {
        for needed in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "object-src 'none'",
            "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ] {
            #expect(PageHeaders.policy().contains(needed))
        }
        #expect(!PageHeaders.policy().contains("unsafe"))
    }

    @Test(arguments: [
        (PageHeaders.Framing.alone, "'none'", false), (.framed, "'self'", false),
        (.framing, "'none'", true),
    ])
    func `only the framed page is inside others, and only a framing one has others inside`(
        framing: PageHeaders.Framing, ancestors: String, hasFrames: Bool
    ) {
        let policy = PageHeaders.policy(framing)
        #expect(policy.contains("frame-ancestors \(ancestors);"))
        #expect(policy.contains("frame-src 'self';") == hasFrames)
    }

    @Test(arguments: [
        ("localhost:8080", false, true), ("127.0.0.1:8080", false, true),
        ("[::1]:8080", false, true), ("desk.example:8080", true, true),
        ("desk.example:8080", false, false), ("192.168.1.20:8080", false, false),
        ("localhost.example", false, false),
    ])
    func `a page is opened apart where browsers heed it`(
        host: String, isSecure: Bool, isSaid: Bool
    ) throws {
        var random = SystemRandomNumberGenerator()
        let visitor = SandboxPrincipal(business: BusinessID(using: &random), hasCookie: true)
        let request = try Request(
            method: .get, target: "/console", host: host,
            peer: Peer(address: "192.0.2.7", isLoopback: false), isSecure: isSecure)
        let context = RoutedRequest(
            request: request, access: Access(),
            rule: AccessRule(Permission("open"), .none, in: PermissionTable([])),
            services: try TestServices(),
            watch: PrincipalWatch(
                request: request, principal: nil,
                authorizer: TestAuthorizer(principal: .sandbox(visitor))))
        var response = Response(status: .ok)
        PageHeaders.add(to: &response, for: context)
        let opener = response.headers["cross-origin-opener-policy"]
        #expect(opener == (isSaid ? "same-origin" : nil))
        #expect(response.headers["cross-origin-embedder-policy"] == "require-corp")
        #expect(response.headers["cross-origin-resource-policy"] == "same-origin")
        let transport = response.headers["strict-transport-security"]
        #expect(transport == (isSecure ? "max-age=63072000" : nil))
    }
}

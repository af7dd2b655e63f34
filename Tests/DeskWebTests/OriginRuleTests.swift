import DeskHTTP
import Testing

@testable import DeskWeb

struct OriginRuleTests {
    /// The public address, the Host and Origin of a request without TLS, and whether they fit.
    private static let origins = [
        ("https://chat.example", "chat.example", "https://chat.example", true),
        ("https://chat.example", "chat.example", "http://chat.example", false),
        ("https://chat.example", "CHAT.example", "http://chat.example", false),
        ("https://chat.example", "other.example", "http://other.example", false),
        ("https://chat.example", "127.0.0.1:8080", "http://127.0.0.1:8080", true),
        ("http://chat.example", "chat.example", "http://chat.example", true),
        ("http://chat.example", "other.example:8080", "http://other.example:8080", true),
        ("http://chat.example", "chat.example", "https://chat.example", false),
    ]

    @Test(arguments: origins)
    func `behind a proxy that ends TLS an origin without it is another's`(
        publicURL: String, host: String, origin: String, isOurs: Bool
    ) throws {
        let rule = OriginRule(publicURL: try #require(PublicURL(publicURL)))
        let request = try Request(method: .post, target: "/api/session", host: host)
        #expect(rule.isOurs(origin, request) == isOurs)
    }
}

import Testing

@testable import DeskWeb

struct PublicURLTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", true, false),
        ("HTTPS://Chat.Example.com/", "https://chat.example.com", false, true),
        ("http://[::1]:80", "http://[::1]:80", true, false),
        ("http://localhost", "http://localhost", true, false),
        ("http://127.evil.example", "http://127.evil.example", false, false),
    ])
    func `a public address is read`(
        text: String, origin: String, isLoopback: Bool, isSecure: Bool
    ) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin == origin)
        #expect(url.isLoopback == isLoopback)
        #expect(url.isSecure == isSecure)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("192.168.1.20", true), ("[::1]", true), ("[2001:db8::1]", true),
        ("localhost", false), ("127.evil.example", false), ("", false), ("0x7f000001", false),
    ])
    func `an address is known from a name, which a resolver may lead anywhere`(
        host: String, isAddress: Bool
    ) {
        #expect(PublicURL.isAddress(host) == isAddress)
    }

    @Test(arguments: [
        "", "http://", "ftp://a", "http://a/b", "http://a?b", "http://a b", "http://a:port",
        "http://user@a", "http://a#b", "http://:80", "http://a:", "http://a:0", "http://a:65536",
        "http://[::1]:99999",
    ])
    func `what is no address of a site is refused`(text: String) {
        #expect(PublicURL(text) == nil)
    }
}

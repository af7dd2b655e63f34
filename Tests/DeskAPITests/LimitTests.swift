import DeskWeb
import Testing

@testable import DeskAPI

struct LimitTests {
    @Test func `every limit has a name and every name is one limit's`() {
        // One member of the API's table is the framework's.
        let count =
            Mirror(reflecting: APILimits()).children.count - 1
            + Mirror(reflecting: WebLimits()).children.count
        #expect(APILimits.entries.count == count)
        #expect(Set(APILimits.entries.map(\.name)).count == count)
        var limits = APILimits()
        for (index, entry) in APILimits.entries.enumerated() {
            let isSet = limits.set(entry.name, to: 1 + index)
            #expect(isSet == entry.isSettable)
        }
        for (index, entry) in APILimits.entries.enumerated() {
            let expected = entry.isSettable ? 1 + index : APILimits()[keyPath: entry.place]
            #expect(limits[keyPath: entry.place] == expected)
        }
        let tookZero = limits.set("key-messages-burst", to: 0)
        let tookUnknown = limits.set("no-such-limit", to: 1)
        #expect(!tookZero && !tookUnknown)
    }

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
        "", "http://", "ftp://a", "http://a/b", "http://a?b", "http://a b", "http://a:port",
        "http://user@a", "http://a#b", "http://:80",
    ])
    func `what is no address of a site is refused`(text: String) {
        #expect(PublicURL(text) == nil)
    }
}

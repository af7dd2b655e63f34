import DeskModel
import Testing

@testable import DeskAPI

struct LinkAddressTests {
    @Test(arguments: [
        "https://bots.example/shop", "https://bots.example:8443", "https://bots.example/a%20b/~c/",
        "http://127.0.0.1:9000", "http://localhost:9000/x", "http://[::1]:9000",
        "http://10.1.2.3/x",
        "http://172.31.0.1", "http://192.168.0.9:80/", "http://[fd00::1]/x", "http://bot.internal",
        "http://mac.local:3000", "https://b.example/a/message",
    ])
    func `an address over TLS or to a private host is accepted for a live business`(text: String) {
        #expect(LinkAddress(text, for: .live)?.text == text)
    }

    @Test(arguments: [
        "http://bots.example", "http://8.8.8.8", "http://172.32.0.1", "http://[2001:db8::1]",
        "http://localhost.example", "http://bot", "http://10.0.0.1.example",
    ])
    func `plain http to a public host is for test businesses`(text: String) {
        #expect(LinkAddress(text, for: .live) == nil)
        #expect(LinkAddress(text, for: .test)?.text == text)
    }

    @Test(arguments: [
        "", "bots.example", "ftp://bots.example", "https://", "https:///x", "https://a@b.example",
        "https://a:b@b.example", "https://b.example?x=1", "https://b.example/?x",
        "https://b.example#x",
        "https://b.example/#", "https://b.example:0", "https://b.example:",
        "https://b.example:65536",
        "https://b.example:x", "https://b exa", "https://b.example/ x", "https://b.example/\u{e9}",
        "https://b.example/\\x", "https://b.example/\r\nX: y", "javascript://b.example",
        "https://b.example/" + String(repeating: "a", count: 2_048),
    ])
    func `anything else is no address`(text: String) {
        #expect(LinkAddress(text, for: .test) == nil)
    }

    @Test(arguments: [
        "", "AAAA", "AAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA=", "-_-_-_-_-_-_-_-_-_-_-_-_",
    ])
    func `a secret is base64 of sixteen bytes or more`(text: String) {
        #expect(LinkSecret.decode(text) == nil)
    }

    @Test func `a secret is read back as it was shown, with padding and without`() {
        let key = [UInt8](0..<16)
        let text = LinkSecret.encode(key)
        #expect(LinkSecret.decode(text) == key)
        #expect(LinkSecret.decode(text.replacing("=", with: "")) == key)
        #expect(LinkSecret.decode(LinkSecret.encode(.init(repeating: 7, count: 256)))?.count == 256)
        #expect(LinkSecret.decode(LinkSecret.encode(.init(repeating: 7, count: 257))) == nil)
    }
}

import DeskHTTP
import Testing

@testable import DeskWeb

struct TrustedProxyTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("192.168.16.0/20", "192.168.31.255", true), ("192.168.16.0/20", "192.168.32.0", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::1", "::1", true), ("127.0.0.1", "::ffff:127.0.0.1", true), ("127.0.0.1", "", false),
        ("127.0.0.1", "localhost", false),
    ])
    func `a range holds what shares its first bits`(range: String, address: String, isIn: Bool) {
        #expect(AddressRange(range)?.contains(address) == isIn)
    }

    @Test(arguments: [
        "", "/8", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "::1/129",
        "10.0.0", "10.0.0.0/٨", "10.0.0.0/0008", "[::1]",
    ])
    func `what is no range is refused`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    /// Peer, field, value, and who asks in the end; the proxies are 10.0.0.0/8 and ::1.
    private static let rows: [(peer: String, field: String, value: String, asks: String)] = [
        ("203.0.113.9", "X-Forwarded-For", "192.0.2.1", "203.0.113.9"),
        ("10.0.0.1", "X-Forwarded-For", "192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "X-Forwarded-For", "198.51.100.7, 192.0.2.1", "192.0.2.1"),
        ("10.0.0.1", "X-Forwarded-For", "192.0.2.1,10.1.1.1 , 10.2.2.2", "192.0.2.1"),
        ("10.0.0.1", "X-Forwarded-For", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "X-Forwarded-For", "192.0.2.1:4711", "192.0.2.1"),
        ("10.0.0.1", "X-Forwarded-For", "10.9.9.9", "10.0.0.1"),
        ("10.0.0.1", "X-Forwarded-For", "192.0.2.1, unknown", "10.0.0.1"),
        ("10.0.0.1", "X-Forwarded-For", ",", "10.0.0.1"),
        ("10.0.0.1", "X-Forwarded-For", "", "10.0.0.1"),
        ("10.0.0.1", "X-Forwarded-For", "127.0.0.1", "127.0.0.1"),
        ("::1", "Forwarded", "for=192.0.2.1;proto=https", "192.0.2.1"),
        (
            "::1", "Forwarded", "for=198.51.100.7, proto=https;For=\"[2001:db8::7]:443\"",
            "2001:db8::7"
        ),
        ("::1", "Forwarded", "for=_hidden", "::1"), ("::1", "Forwarded", "proto=https", "::1"),
        ("10.0.0.1", "Via", "192.0.2.1", "10.0.0.1"),
    ]

    @Test(arguments: rows)
    func `the last address that no trusted proxy has counts`(
        peer: String, field: String, value: String, asks: String
    ) throws {
        let proxies = TrustedProxies(
            [AddressRange("10.0.0.0/8"), AddressRange("::1")].compactMap(\.self))
        let request = try Request(
            method: .get, target: "/", headers: [field: value],
            peer: Peer(address: peer, isLoopback: peer == "::1"))
        let found = proxies.peer(of: request)
        #expect(found.address == asks)
        #expect(found.isLoopback == (asks == "::1"))
        #expect(TrustedProxies().peer(of: request).address == peer)
    }

    @Test func `a long field is read from its end and no further than it may`() throws {
        let proxies = TrustedProxies([AddressRange("10.0.0.0/8")].compactMap(\.self))
        for (count, asks) in [(31, "192.0.2.1"), (32, "10.0.0.1")] {
            let value = "192.0.2.1" + String(repeating: ",10.0.0.2", count: count)
            let request = try Request(
                method: .get, target: "/", headers: ["X-Forwarded-For": value],
                peer: Peer(address: "10.0.0.1", isLoopback: false))
            #expect(proxies.peer(of: request).address == asks)
        }
    }
}

import DeskHTTP
import Testing

struct ClientNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ("2001:db8::1", "2001:db8:0:0:ffff:ffff:ffff:ffff", true),
        ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "::2", true),
        ("::ffff:192.0.2.7", "192.0.2.7", true), ("::ffff:192.0.2.7", "::ffff:192.0.2.8", false),
        ("64:ff9b::192.0.2.7", "192.0.2.7", true),
        ("64:ff9b::c000:207", "64:ff9b::c000:208", false),
        ("64:ff9b:1::1", "64:ff9b:1::2", true), ("0.0.0.1", "::1", false),
        ("nowhere", "nowhere", true), ("nowhere", "elsewhere", false), ("", "", true),
    ])
    func `the addresses that one client may have are one network`(
        left: String, right: String, isOne: Bool
    ) {
        #expect((ClientNetwork(left) == ClientNetwork(right)) == isOne)
    }
}

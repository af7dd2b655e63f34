import DeskHTTP
import Testing

/// Every limit on a head and a body's framing, at its value and one above.
struct LimitTests {
    private static func answer(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let whole = Exchange.read(bytes)
        let split = Exchange.read(bytes, cuts: Array(1..<bytes.count))
        guard whole == split, let first = whole.first else { return "depends on the split" }
        switch first {
        case .request: return "200"
        case .refused(let status, _): return "\(status)"
        case .unfinished: return "unfinished"
        }
    }

    private static func fill(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// Fields of 1,000 bytes each, then one that brings the head to `total` bytes.
    private static func head(ofBytes total: Int) -> String {
        var text = "GET / HTTP/1.1\r\nHost: a\r\n"
        while text.utf8.count + 2002 < total { text += "X: \(fill(995))\r\n" }
        return text + "X: \(fill(total - text.utf8.count - 7))\r\n\r\n"
    }

    @Test(arguments: [(8192, "200"), (8193, "414")])
    func `a request line has 8 KiB`(bytes: Int, status: String) {
        let target = "/" + Self.fill(bytes - 16)
        #expect(Self.answer("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == status)
    }

    @Test(arguments: [(8192, "200"), (8193, "431")])
    func `a field line has 8 KiB`(bytes: Int, status: String) {
        let value = Self.fill(bytes - 5)
        #expect(Self.answer("GET / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n") == status)
    }

    @Test(arguments: [(16_384, "200"), (16_385, "431")])
    func `a head has 16 KiB`(bytes: Int, status: String) {
        let text = Self.head(ofBytes: bytes)
        #expect(text.utf8.count == bytes)
        #expect(Self.answer(text) == status)
    }

    @Test(arguments: [(100, "200"), (101, "431")])
    func `a head has 100 fields`(count: Int, status: String) {
        let fields = String(repeating: "X: y\r\n", count: count - 1)
        #expect(Self.answer("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == status)
    }

    @Test(arguments: [(4096, "200"), (4097, "431")])
    func `a cookie has 4,096 bytes`(count: Int, status: String) {
        let cookie = "n=\(Self.fill(count - 1))"
        #expect(
            Self.answer("GET / HTTP/1.1\r\nHost: a\r\nCookie: a=b; \(cookie); c=d\r\n\r\n")
                == status)
    }

    @Test(arguments: [(256, "200"), (257, "400")])
    func `a chunk extension has 256 bytes`(count: Int, status: String) {
        let body = "1;\(Self.fill(count - 1))\r\na\r\n0\r\n\r\n"
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(Self.answer(head + body) == status)
    }

    @Test(arguments: [(100, "200"), (101, "431")])
    func `a trailer has 100 fields`(count: Int, status: String) {
        let fields = String(repeating: "X: y\r\n", count: count)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(Self.answer("\(head)0\r\n\(fields)\r\n") == status)
    }

    @Test func `a head without an end is refused when it is too large`() {
        let bytes = Array("GET / HTTP/1.1\r\n".utf8) + Array(repeating: 0x61, count: 9000)
        #expect(Exchange.read(bytes) == [.refused(431, "header_too_large")])
    }

    @Test func `every limit that is not fixed can be set by the name it is listed under`() throws {
        var limits = ServerLimits()
        #expect(ServerLimits.entries.count == Mirror(reflecting: limits).children.count)
        for (entry, child) in zip(ServerLimits.entries, Mirror(reflecting: limits).children) {
            #expect(entry.name == child.label.map(Self.dashed))
            guard entry.isSettable else {
                let value = try #require(limits.text(of: entry.name))
                #expect(throws: ServerLimits.NameError.fixed(value)) {
                    try limits.set(name: entry.name, value: value)
                }
                continue
            }
            let isTime = child.value is Duration
            try limits.set(name: entry.name, value: isTime ? "1500ms" : "3KiB")
            #expect(limits.text(of: entry.name) == (isTime ? "1500ms" : "3072"))
        }
    }

    @Test(arguments: ["", "0", "-1", "x", "1.5", "10 s", "99999999999999999999", "9999999MiB"])
    func `a limit is not set by a text that is no value`(text: String) {
        var limits = ServerLimits()
        #expect(throws: ServerLimits.NameError.badValue(text)) {
            try limits.set(name: "connections", value: text)
        }
        #expect(throws: ServerLimits.NameError.unknownName("nonsense")) {
            try limits.set(name: "nonsense", value: "1")
        }
    }

    /// `keepAliveRequests` as `keep-alive-requests`.
    private static func dashed(_ name: String) -> String {
        name.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }
}

import DeskHTTP
import HTTPCases
import Testing

extension FramingCase: CustomTestStringConvertible {}

/// How requests are separated on a connection, whatever the bytes and however they are split.
struct RequestParserTests {
    private static let second = "GET /next HTTP/1.1\r\nHost: b\r\n\r\n"

    @Test func `there are more than 250 cases, each with a name of its own`() {
        #expect(FramingCase.all.count > 250)
        #expect(Set(FramingCase.all.map(\.name)).count == FramingCase.all.count)
    }

    @Test(arguments: FramingCase.all)
    func `each case gets the same answer however it is split`(row: FramingCase) {
        let bytes = Array(row.bytes.utf8)
        let whole = Exchange.read(bytes)
        switch row.expected {
        case .accepted(let body):
            guard case .request(_, let got) = whole.first, whole.count == 1 else {
                Issue.record("taken for \(whole)")
                return
            }
            #expect(got == body)
        case .refused(let status, let code):
            #expect(whole == [.refused(status, code)])
        }
        #expect(Exchange.read(bytes, cuts: Array(1..<max(bytes.count, 1))) == whole)
        for cut in 1..<bytes.count {
            #expect(Exchange.read(bytes, cuts: [cut]) == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: FramingCase.all)
    func `a second request is read where the first ends, or never`(row: FramingCase) {
        let bytes = Array((row.bytes + Self.second).utf8)
        for cuts in [[], Array(1..<bytes.count), [row.bytes.utf8.count]] {
            let found = Exchange.read(bytes, cuts: cuts)
            switch row.expected {
            case .accepted:
                #expect(found.count == 2)
                #expect(found.last == .request("GET /next b", body: ""))
            case .refused(let status, let code):
                #expect(found == [.refused(status, code)])
            }
        }
    }

    @Test func `a cut-off request is unfinished, not refused and not served`() {
        let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab".utf8)
        for end in 1..<bytes.count {
            #expect(Exchange.read(Array(bytes[..<end])) == [.unfinished])
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `mutated bytes never trap and never depend on the split`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for row in FramingCase.all {
            var bytes = Array((row.bytes + Self.second).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
                }
            }
            let whole = Exchange.read(bytes)
            #expect(Exchange.read(bytes, cuts: Array(1..<bytes.count)) == whole, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: x, Close\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: keep-alive\r\n", true),
        ("HTTP/1.1", "Connection: x\r\nConnection: close\r\n", false),
    ])
    func `a connection goes on as its version and fields say`(
        version: String, field: String, goesOn: Bool
    ) throws {
        let head = try requireHead("GET / \(version)\r\nHost: a\r\n\(field)\r\n")
        #expect(head.keepsAlive == goesOn)
    }

    @Test func `fields and query are found by name and kept in order`() throws {
        let head = try requireHead(
            "GET /a%20b/c?x=1&y=%2B+z&x=2 HTTP/1.1\r\nHost: h:1\r\nX-A: 1\r\nx-a: 2\r\n\r\n")
        #expect(head.path.segments == ["a b", "c"])
        #expect(head.query["y"] == "+ z")
        #expect(head.query.values("x") == ["1", "2"])
        #expect(head.headers["X-a"] == "1, 2")
        #expect(head.headers.values("x-A") == ["1", "2"])
        #expect(head.headers["absent"] == nil)
        #expect(head.host == "h:1")
    }
}

/// The head of bytes that hold just one.
func requireHead(_ text: String, limits: ServerLimits = ServerLimits()) throws -> RequestHead {
    var parser = RequestParser(limits: limits)
    guard case .complete(let head, _) = parser.parse(Array(text.utf8).span) else {
        throw RequestProblem(.badRequest, "test_expects_a_head")
    }
    return head
}

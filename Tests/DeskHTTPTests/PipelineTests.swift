import DeskHTTP
import Testing

/// Several requests on one connection, one after the other without waiting (RFC 9112 9.3.2).
struct PipelineTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
    private static let chunked =
        "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    private static let broken = "GET /d HTTP/1.1\r\nHost : a\r\n\r\n"

    private static let a = Exchange.Found.request("GET /a a", body: "")
    private static let b = Exchange.Found.request("POST /b a", body: "hi")
    private static let c = Exchange.Found.request("POST /c a", body: "hi")
    private static let refused = Exchange.Found.refused(400, "bad_header")

    private static let cases: [(name: String, bytes: String, found: [Exchange.Found])] = [
        ("three without bodies", get + get + get, [a, a, a]),
        ("a length, then chunks, then none", post + chunked + get, [b, c, a]),
        ("chunks, then a length", chunked + post, [c, b]),
        ("an empty line between two", get + "\r\n" + get, [a, a]),
        (
            "two empty lines between two", get + "\r\n\r\n" + get,
            [a, .refused(400, "bad_request_line")]
        ),
        ("an empty line after a body", post + "\r\n" + get, [b, a]),
        ("a bare line feed between two", get + "\n" + get, [a, .refused(400, "bad_line_end")]),
        (
            "a byte too many after a body", post + "x" + get,
            [b, .request("xGET /a a", body: "")]
        ),
        (
            "a body one byte longer than its length",
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nhi" + get,
            [.request("POST /b a", body: "h"), .request("iGET /a a", body: "")]
        ),
        ("a broken one first, and nothing after it is read", broken + get + post, [refused]),
        ("a broken one in the middle", get + broken + post, [a, refused]),
        ("a broken one last", post + chunked + broken, [b, c, refused]),
        (
            "a broken chunk, and nothing after it is read",
            "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n" + get,
            [.refused(400, "bad_chunk")]
        ),
        (
            "another version in the middle", get + "GET / HTTP/2.0\r\nHost: a\r\n\r\n" + get,
            [a, .refused(505, "version_not_supported")]
        ),
        (
            "the preface of HTTP/2 in the middle", get + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            [a, .refused(505, "version_not_supported")]
        ),
        ("twenty in one piece", String(repeating: post, count: 20), Array(repeating: b, count: 20)),
    ]

    @Test(arguments: cases.indices)
    func `pipelined requests are separated however they are split`(row: Int) {
        let (name, text, found) = Self.cases[row]
        let bytes = Array(text.utf8)
        #expect(Exchange.read(bytes) == found, "\(name)")
        #expect(Exchange.read(bytes, cuts: Array(1..<bytes.count)) == found, "\(name), by bytes")
        for cut in 1..<bytes.count {
            #expect(Exchange.read(bytes, cuts: [cut]) == found, "\(name), cut at \(cut)")
        }
    }
}

/// Chunks, fields and request lines at the edges of their grammar.
extension FramingCase {
    private static func get(_ fields: String) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static func line(_ line: String) -> String { "\(line)\r\nHost: a\r\n\r\n" }

    private static func chunked(_ body: String) -> String {
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    }

    /// RFC 9112 7.1 and RFC 9110 6.5.
    static let chunkEdges: [FramingCase] = [
        ok("a last chunk of many zeros", chunked("000000\r\n\r\n")),
        ok(
            "a size in both cases of letters", chunked("aA\r\n" + fill(170) + "\r\n0\r\n\r\n"),
            body: fill(170)),
        ok("an extension with a quoted value", chunked("1;a=\"b;c\"\r\nx\r\n0\r\n\r\n"), body: "x"),
        ok("several extensions", chunked("1;a;b=c;d\r\nx\r\n0\r\n\r\n"), body: "x"),
        ok("an extension with blanks", chunked("1; a = b\r\nx\r\n0\r\n\r\n"), body: "x"),
        ok(
            "an extension with a quoted pair", chunked("1;a=\"\\\"é\" ;b\r\nx\r\n0\r\n\r\n"),
            body: "x"),
        bad("an extension of high bytes", chunked("1;é\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a semicolon without an extension", chunked("1;\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("two semicolons", chunked("1;;a\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("an extension's equals sign alone", chunked("1;=\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("an extension without its value", chunked("1;a=\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("an extension's quote left open", chunked("1;a=\"b\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad(
            "a quote that an escape keeps open", chunked("1;a=\"\\\"\r\nx\r\n0\r\n\r\n"),
            "bad_chunk"),
        bad("a word after a quoted value", chunked("1;a=\"b\"c\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("two words in an extension", chunked("1;a b\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a blank after the last extension", chunked("1;a \r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        ok("several trailers", chunked("0\r\nA: b\r\nC: d\r\n\r\n")),
        ok("an empty trailer value", chunked("0\r\nA:\r\n\r\n")),
        ok(
            "a coding in the trailer, which is dropped",
            chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n")),
        ok("a Host in the trailer, which is dropped", chunked("0\r\nHost: b\r\n\r\n")),
        bad("a bare CR in an extension", chunked("1;a\rb\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a line feed that ends an extension", chunked("1;a\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a DEL in an extension", chunked("1;\u{7f}\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a size of 2 to the 64", chunked("10000000000000000\r\nx"), "bad_chunk"),
        bad("a size with a plus", chunked("+1\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a size with a tab after it", chunked("1\t\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a size with a comma", chunked("1,1\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a size with a dot", chunked("1.\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a size of letters beyond F", chunked("g\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a high byte in the size", chunked("1é\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("CR CR LF after the size", chunked("1\r\r\nx\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a chunk shorter than its size", chunked("5\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a chunk that ends in a bare CR", chunked("1\r\nx\r0\r\n\r\n"), "bad_chunk"),
        bad("a chunk that ends in nothing", chunked("1\r\nx0\r\n\r\n"), "bad_chunk"),
        bad("an empty line between chunks", chunked("1\r\nx\r\n\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a space before a trailer", chunked("0\r\n A: b\r\n\r\n"), "bad_header"),
        bad("a space before a trailer's colon", chunked("0\r\nA : b\r\n\r\n"), "bad_header"),
        bad("a trailer without a name", chunked("0\r\n: b\r\n\r\n"), "bad_header"),
        bad("a NUL in a trailer", chunked("0\r\nA: \0\r\n\r\n"), "bad_header"),
        bad("a bare CR in a trailer", chunked("0\r\nA: b\rc\r\n\r\n"), "bad_header"),
        bad("a request line as a trailer", chunked("0\r\nGET / HTTP/1.1\r\n\r\n"), "bad_header"),
    ]

    /// RFC 9112 3 and RFC 9110 4 and 9.
    static let lineEdges: [FramingCase] = [
        ok("a method of every mark a token may have", line("!#$%&'*+-.^_`|~09 / HTTP/1.1")),
        ok("a method whose case is not that of GET", line("Get / HTTP/1.1")),
        ok("a scheme in capitals", line("GET HTTP://a/ HTTP/1.1")),
        ok("a secure scheme", line("GET https://a/ HTTP/1.1")),
        ok("an absolute target with a query and no path", line("GET http://a?b HTTP/1.1")),
        ok("a host in other cases of letters", "GET http://A/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("an empty query", line("GET /? HTTP/1.1")),
        ok("two slashes", line("GET //a HTTP/1.1")),
        ok("a question mark in the query", line("GET /?a?b HTTP/1.1")),
        ok("three dots", line("GET /... HTTP/1.1")),
        bad("HTTP/1.1 twice", line("GET / HTTP/1.1 HTTP/1.1"), "bad_request_line"),
        bad("a version of nothing", line("GET / "), "bad_request_line"),
        bad("a version without digits", line("GET / HTTP/"), "bad_request_line"),
        bad("a version of one digit", line("GET / HTTP/1"), "bad_request_line"),
        bad("a version with a comma", line("GET / HTTP/1,1"), "bad_request_line"),
        bad("a version with a plus", line("GET / HTTP/+1.1"), "bad_request_line"),
        bad("another protocol", line("GET / ICAP/1.0"), "bad_request_line"),
        bad("HTTP/3.0", line("GET / HTTP/3.0"), 505, "version_not_supported"),
        bad("HTTP/0.9 by name", line("GET / HTTP/0.9"), 505, "version_not_supported"),
        bad("a tab before the version", line("GET /\tHTTP/1.1"), "bad_request_line"),
        bad("a vertical tab between", line("GET\u{b}/ HTTP/1.1"), "bad_request_line"),
        bad("a no-break space between", line("GET\u{a0}/ HTTP/1.1"), "bad_request_line"),
        bad("a bracket in the method", line("G(T / HTTP/1.1"), "bad_request_line"),
        bad("a high byte in the method", line("GÉT / HTTP/1.1"), "bad_request_line"),
        bad("a quote in the target", line("GET /\" HTTP/1.1"), "bad_target"),
        bad("angle brackets in the target", line("GET /<a> HTTP/1.1"), "bad_target"),
        bad("a fragment in the query", line("GET /?a#b HTTP/1.1"), "bad_target"),
        ok("an escaped backslash, which is a letter like others", line("GET /..%5c HTTP/1.1")),
        bad("an escaped DEL", line("GET /%7f HTTP/1.1"), "bad_target"),
        bad("a DEL in the target", line("GET /\u{7f} HTTP/1.1"), "bad_request_line"),
        bad("an authority for GET", line("GET a:80 HTTP/1.1"), "bad_target"),
        bad("a path for CONNECT", line("CONNECT /a HTTP/1.1"), "bad_target"),
        bad("the asterisk for CONNECT", line("CONNECT * HTTP/1.1"), "bad_target"),
        bad("an absolute target without a host", line("GET http:/// HTTP/1.1"), "bad_target"),
        bad(
            "an absolute target with another port", line("GET http://a:81/ HTTP/1.1"),
            "bad_target"),
        bad(
            "a byte order mark first", "\u{feff}GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "bad_request_line"),
        bad("the start of a TLS handshake", "\u{16}\u{3}\u{1}\r\n", "bad_request_line"),
        bad(
            "three empty lines before", "\r\n\r\n\r\n" + line("GET / HTTP/1.1"),
            "bad_request_line"),
        bad("a bare CR before", "\r" + line("GET / HTTP/1.1"), "bad_request_line"),
    ]

    /// RFC 9112 5, RFC 9110 5 and 7.
    static let fieldEdges: [FramingCase] = [
        ok("a name of every mark a token may have", get("!#$%&'*+-.^_`|~09: x")),
        ok("a value of blanks", get("X:  \t ")),
        ok("a colon in the value", get("X: a:b")),
        ok("a value without a blank before it", get("X:y")),
        ok("the same field ten times", get((0..<10).map { "X: \($0)" }.joined(separator: "\r\n"))),
        ok(
            "an upgrade to h2c, which is not taken",
            get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk")),
        ok("an upgrade to TLS, which is not taken", get("Connection: Upgrade\r\nUpgrade: TLS/1.0")),
        ok("an upgrade that no Connection speaks of", get("Upgrade: websocket")),
        ok(
            "an upgrade with a body, which is the body of the request",
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n"
                + "Content-Length: 2\r\n\r\nhi", body: "hi"),
        ok(
            "an upgrade in HTTP/1.0, which is ignored",
            "GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: x\r\n\r\n"),
        ok(
            "a Connection that names a framing field",
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: Content-Length\r\nContent-Length: 2\r\n\r\nhi",
            body: "hi"),
        ok("a Keep-Alive field, which is ignored", get("Keep-Alive: timeout=99999")),
        ok("100-continue without a body", get("Expect: 100-continue")),
        ok(
            "100-continue in HTTP/1.0, which is ignored",
            "POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
            body: "x"),
        ok("a host with a dot at the end", "GET / HTTP/1.1\r\nHost: a.\r\n\r\n"),
        ok("a host in Punycode", "GET / HTTP/1.1\r\nHost: xn--q9jyb4c\r\n\r\n"),
        bad(
            "two expectations", get("Expect: 100-continue\r\nExpect: 100-continue"), 417,
            "bad_expectation"),
        bad(
            "an expectation with a parameter", get("Expect: 100-continue;x"), 417,
            "bad_expectation"),
        bad("a NUL in the name", get("X\0: y"), "bad_header"),
        bad("a space in the name", get("X Y: z"), "bad_header"),
        bad("a slash in the name", get("X/Y: z"), "bad_header"),
        bad("an equals sign for the colon", get("X=y"), "bad_header"),
        bad("an escape in the value", get("X: \u{1b}[0m"), "bad_header"),
        bad("a backspace in the value", get("X: \u{8}"), "bad_header"),
        bad("a line of one space", get(" "), "bad_header"),
        bad("a line of one tab", get("\t"), "bad_header"),
        bad("a line of one colon", get(":"), "bad_header"),
        bad("a host of two colons", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", "bad_host"),
        bad("a host with a query", "GET / HTTP/1.1\r\nHost: a?b\r\n\r\n", "bad_host"),
        bad("a host with a scheme", "GET / HTTP/1.1\r\nHost: http://a\r\n\r\n", "bad_host"),
        bad("a host with an escape", "GET / HTTP/1.1\r\nHost: a%2f\r\n\r\n", "bad_host"),
        bad("a host with a high byte", "GET / HTTP/1.1\r\nHost: é\r\n\r\n", "bad_host"),
        bad("a host with a space inside", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "bad_host"),
        bad("a host of a port alone", "GET / HTTP/1.1\r\nHost: :80\r\n\r\n", "bad_host"),
        bad("a host with a negative port", "GET / HTTP/1.1\r\nHost: a:-1\r\n\r\n", "bad_host"),
        bad(
            "an IPv6 address with a zone", "GET / HTTP/1.1\r\nHost: [fe80::1%25lo]\r\n\r\n",
            "bad_host"),
        bad("text after an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]a\r\n\r\n", "bad_host"),
        bad("an empty address in brackets", "GET / HTTP/1.1\r\nHost: []\r\n\r\n", "bad_host"),
        bad("a host of 256 bytes", "GET / HTTP/1.1\r\nHost: \(fill(256))\r\n\r\n", "bad_host"),
    ]

    private static func fill(_ count: Int) -> String { String(repeating: "a", count: count) }
}

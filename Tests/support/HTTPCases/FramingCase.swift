/// One connection's bytes and how they must be read.
package struct FramingCase: Sendable {
    /// What the bytes are for.
    package let name: String
    package let bytes: String
    /// The requests' bodies when all is well, or the refusal as `status code`.
    package let expected: Expectation
    /// Where the rule is written.
    package private(set) var section = ""

    package enum Expectation: Sendable {
        case accepted(String)
        case refused(Int, String)
    }

    /// What is claimed, as a sentence with its source.
    package var testDescription: String {
        switch expected {
        case .accepted: "\(name) is accepted (\(section))"
        case .refused(let status, let code): "\(name) is refused: \(status) \(code) (\(section))"
        }
    }

    static func ok(_ name: String, _ bytes: String, body: String = "") -> FramingCase {
        FramingCase(name: name, bytes: bytes, expected: .accepted(body))
    }

    static func bad(_ name: String, _ bytes: String, _ code: String) -> FramingCase {
        bad(name, bytes, 400, code)
    }

    static func bad(
        _ name: String, _ bytes: String, _ status: Int, _ code: String
    ) -> FramingCase {
        FramingCase(name: name, bytes: bytes, expected: .refused(status, code))
    }

    package static let all: [FramingCase] = [
        (requestLines, "RFC 9112 2.2, 3"), (targets, "RFC 9112 3.2, RFC 3986 3"),
        (fields, "RFC 9112 5, RFC 9110 5.5, 10.1.1"), (hosts, "RFC 9112 3.2, RFC 9110 7.2"),
        (lengths, "RFC 9112 6.2, RFC 9110 8.6"), (codings, "RFC 9112 6.1"),
        (chunks, "RFC 9112 7.1"), (trailers, "RFC 9112 7.1.2, RFC 9110 6.5"),
        (smuggling, "RFC 9112 6.1, 6.3, 11.2"), (chunkEdges, "RFC 9112 7.1, RFC 9110 6.5"),
        (lineEdges, "RFC 9112 2.2, 3, RFC 9110 9.1"), (fieldEdges, "RFC 9112 5, RFC 9110 5, 7"),
    ].flatMap { cases, section in
        cases.map { row in
            var row = row
            row.section = section
            return row
        }
    }

    static let requestLines: [FramingCase] = [
        ok("a plain GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("HTTP/1.0 with a host", "GET / HTTP/1.0\r\nHost: a\r\n\r\n"),
        ok("one empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        bad(
            "two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "bad_request_line"),
        bad("a bare line feed before", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "bad_line_end"),
        ok("an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("a method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n"),
        bad("HTTP/0.9", "GET /\r\n", "bad_request_line"),
        bad("no target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad(
            "two spaces after the method", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad(
            "two spaces after the target", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a space at the start", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a tab between", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a colon in the method", "GE:T / HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a NUL in the method", "G\0T / HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "version_not_supported"),
        ok("HTTP/1.2, answered as HTTP/1.1", "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
        ok("HTTP/1.9, answered as HTTP/1.1", "GET / HTTP/1.9\r\nHost: a\r\n\r\n"),
        bad("the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "version_not_supported"),
        bad("http in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("HTTP/1.10", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("HTTP/11", "GET / HTTP/11\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("a bare line feed", "GET / HTTP/1.1\nHost: a\r\n\r\n", "bad_line_end"),
        bad("a bare CR in the line", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
        bad("CR CR LF", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "bad_request_line"),
    ]

    static let targets: [FramingCase] = [
        ok("a query", "GET /a?b=c&d HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("an escape", "GET /%e3%81%82 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("the absolute form", "GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("the absolute form without a path", "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("the asterisk of OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok("the authority of CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
        bad(
            "another host in the target", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a user in the target", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("the asterisk of GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("no slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a backslash", "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a dot segment", "GET /a/./b HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("two dots", "GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("escaped dots", "GET /a/%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("half-escaped dots", "GET /.%2e HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("an escaped slash", "GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("an escaped NUL", "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("an escaped line feed", "GET /a%0a HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a broken escape", "GET /a%4 HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("no hexadecimal escape", "GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        ok(
            "a broken escape in the query, which the route judges",
            "GET /?a=% HTTP/1.1\r\nHost: a\r\n\r\n"),
        ok(
            "bytes in the query that are no UTF-8, which the route judges",
            "GET /?a=%ff&b=%ed%a0%80 HTTP/1.1\r\nHost: a\r\n\r\n"),
        bad("overlong UTF-8", "GET /%c0%af HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("a lone surrogate", "GET /%ed%a0%80 HTTP/1.1\r\nHost: a\r\n\r\n", "bad_target"),
        bad("raw UTF-8", "GET /あ HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request_line"),
    ]

    static let fields: [FramingCase] = [
        ok("an empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n"),
        ok("tabs around a value", "GET / HTTP/1.1\r\nHost:\ta\t\r\n\r\n"),
        ok("high bytes in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: é\r\n\r\n"),
        bad("a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "bad_header"),
        bad("a tab before the colon", "GET / HTTP/1.1\r\nHost\t: a\r\n\r\n", "bad_header"),
        bad("a folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", "bad_header"),
        bad(
            "a line folded by a tab", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\t2\r\n\r\n",
            "bad_header"),
        bad("a space before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "bad_header"),
        bad("no colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", "bad_header"),
        bad("no name", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", "bad_header"),
        bad("a bracket in the name", "GET / HTTP/1.1\r\nHost: a\r\nX[]: y\r\n\r\n", "bad_header"),
        bad("a high byte in the name", "GET / HTTP/1.1\r\nHost: a\r\né: y\r\n\r\n", "bad_header"),
        bad("a NUL in the value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", "bad_header"),
        bad("a bare CR in the value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", "bad_header"),
        bad("a bell in the value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7}\r\n\r\n", "bad_header"),
        bad("a DEL in the value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7f}\r\n\r\n", "bad_header"),
        bad(
            "a bare line feed after a field", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
            "bad_line_end"),
        bad("a bare line feed at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", "bad_line_end"),
        bad(
            "another expectation",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\nx", 417,
            "bad_expectation"),
        ok(
            "100-continue",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
            body: "x"),
    ]

    static let hosts: [FramingCase] = [
        ok("a port", "GET / HTTP/1.1\r\nHost: a.example:8080\r\n\r\n"),
        ok("an IPv6 address", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
        bad("no host", "GET / HTTP/1.1\r\nX: y\r\n\r\n", "bad_host"),
        bad("no host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "bad_host"),
        bad("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "bad_host"),
        bad("the same host twice", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "bad_host"),
        bad("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "bad_host"),
        bad("a host list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", "bad_host"),
        bad("a path in the host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "bad_host"),
        bad("a user in the host", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", "bad_host"),
        bad("a port too large", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", "bad_host"),
        bad("an empty port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "bad_host"),
        bad("a port of letters", "GET / HTTP/1.1\r\nHost: a:http\r\n\r\n", "bad_host"),
        bad("a bracket left open", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "bad_host"),
        bad("an IPv6 address without brackets", "GET / HTTP/1.1\r\nHost: ::1\r\n\r\n", "bad_host"),
    ]
}

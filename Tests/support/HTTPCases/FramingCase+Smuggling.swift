/// Bytes that two readers of one connection might read in two ways.
extension FramingCase {
    private static func post(_ fields: String, _ body: String) -> String {
        "POST /p HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func get(_ fields: String) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A length and a coding, or two of one sort, in every dress (RFC 9112 11.2).
    static let smuggling: [FramingCase] = [
        bad(
            "a length that ends before the last chunk",
            post("Content-Length: 4\r\nTransfer-Encoding: chunked", "5c\r\n\(hidden)\r\n0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "a length that covers the last chunk and a hidden request",
            post("Content-Length: 43\r\nTransfer-Encoding: chunked", "0\r\n\r\n\(hidden)"),
            "bad_transfer_encoding"),
        bad(
            "a length of zero beside chunks",
            post("Content-Length: 0\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunks beside a second coding that nobody knows",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "an unknown coding before chunks",
            post("Transfer-Encoding: x\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "identity before chunks", post("Transfer-Encoding: identity, chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunks before identity", post("Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunks before gzip", post("Transfer-Encoding: chunked, gzip", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "a comma after chunked", post("Transfer-Encoding: chunked,", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked in single quotes", post("Transfer-Encoding: 'chunked'", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked with a letter in between", post("Transfer-Encoding: chu nked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked with a tail", post("Transfer-Encoding: chunkedx", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked after a high byte", post("Transfer-Encoding: \u{a0}chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked after a form feed", post("Transfer-Encoding: \u{c}chunked", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "chunked before a NUL", post("Transfer-Encoding: chunked\0", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "chunked after a bare CR", post("Transfer-Encoding: \rchunked", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "a coding on a line begun by a bare CR",
            post("X: y\rTransfer-Encoding: chunked", "0\r\n\r\n"), "bad_header"),
        bad(
            "a coding on a line begun by a bare line feed",
            post("X: y\nTransfer-Encoding: chunked", "0\r\n\r\n"), "bad_line_end"),
        bad(
            "a coding folded onto its name", post("Transfer-Encoding\r\n : chunked", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "a coding after a folded line",
            post("X: y\r\n\tz\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), "bad_header"),
        bad(
            "a coding whose name is quoted", post("\"Transfer-Encoding\": chunked", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "a coding whose name ends in a NUL", post("Transfer-Encoding\0: chunked", "0\r\n\r\n"),
            "bad_header"),
        ok(
            "a coding whose name has an underscore, which is another field",
            post("Transfer_Encoding: chunked", "")),
        ok(
            "a coding whose name has a letter too many",
            post("XTransfer-Encoding: chunked", "")),
        ok(
            "a name in capitals and blanks around the coding",
            post("TRANSFER-ENCODING: \t chunked \t", "1\r\na\r\n0\r\n\r\n"), body: "a"),
        bad(
            "a length whose name ends in a space", post("Content-Length : 5", "hello"),
            "bad_header"),
        bad(
            "a length after a plus and a space", post("Content-Length: + 5", "hello"),
            "bad_content_length"),
        bad(
            "a length with a comma after it", post("Content-Length: 5,", "hello"),
            "bad_content_length"),
        bad(
            "a length with a comma before it", post("Content-Length: ,5", "hello"),
            "bad_content_length"),
        bad(
            "a length with an exponent", post("Content-Length: 5e0", "hello"),
            "bad_content_length"),
        bad(
            "a length with an underscore", post("Content-Length: 1_0", "hello"),
            "bad_content_length"),
        bad("a length in quotes", post("Content-Length: \"5\"", "hello"), "bad_content_length"),
        bad(
            "a length with a parameter", post("Content-Length: 5;x", "hello"),
            "bad_content_length"),
        bad("a length before a NUL", post("Content-Length: 5\0", "hello"), "bad_header"),
        bad(
            "a length of 2 to the 32 and a length",
            post(
                "Content-Length: 4294967301\r\nContent-Length: 5", "hello"), "bad_content_length"),
        bad("a length of minus zero", post("Content-Length: -0", ""), "bad_content_length"),
        bad(
            "two lengths of zero", post("Content-Length: 0\r\nContent-Length: 0", ""),
            "bad_content_length"),
        bad(
            "a length and a length in capitals",
            post(
                "Content-Length: 5\r\nCONTENT-LENGTH: 5", "hello"), "bad_content_length"),
        ok(
            "a length in capitals with blanks around it", post("CONTENT-LENGTH:\t 5 \t", "hello"),
            body: "hello"),
        ok(
            "a hidden request as the body of a length",
            post("Content-Length: \(hidden.utf8.count)", hidden), body: hidden),
        ok(
            "a hidden request inside a chunk",
            post("Transfer-Encoding: chunked", "21\r\n\(hidden)\r\n0\r\n\r\n"), body: hidden),
        bad(
            "a body on HEAD in a coding that is no coding",
            "HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: none\r\n\r\n",
            "bad_transfer_encoding"),
        ok(
            "a body on DELETE", "DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi",
            body: "hi"),
        bad(
            "a length in HTTP/1.0 beside chunks",
            "POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "bad_transfer_encoding"),
        ok(
            "a length in HTTP/1.0",
            "POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi",
            body: "hi"),
        bad(
            "a hidden request line in the target",
            "GET / HTTP/1.1\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n", "bad_header"),
        bad(
            "an answer in place of a request", "HTTP/1.1 200 OK\r\nHost: a\r\n\r\n",
            "bad_request_line"),
        bad("a second Host that names the way elsewhere", get("X: y\r\nHOST: b"), "bad_host"),
        bad(
            "a Host whose name ends in a space", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "bad_header"),
        bad(
            "a Host after a bare line feed", "GET / HTTP/1.1\r\nX: y\nHost: a\r\n\r\n",
            "bad_line_end"),
    ]
}

extension FramingCase {
    private static func post(_ fields: String, _ body: String) -> String {
        "POST /p HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func chunked(_ body: String) -> String {
        post("Transfer-Encoding: chunked", body)
    }

    static let lengths: [FramingCase] = [
        ok("a length", post("Content-Length: 5", "hello"), body: "hello"),
        ok("length zero", post("Content-Length: 0", "")),
        ok("leading zeros", post("Content-Length: 0005", "hello"), body: "hello"),
        ok("a body on GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", body: "hi"),
        ok("no length", post("X: y", "")),
        bad(
            "two lengths", post("Content-Length: 5\r\nContent-Length: 6", "hello"),
            "bad_content_length"),
        bad(
            "the same length twice", post("Content-Length: 5\r\nContent-Length: 5", "hello"),
            "bad_content_length"),
        bad("a list of lengths", post("Content-Length: 5, 5", "hello"), "bad_content_length"),
        bad("a plus sign", post("Content-Length: +5", "hello"), "bad_content_length"),
        bad("a minus sign", post("Content-Length: -5", "hello"), "bad_content_length"),
        bad("a hexadecimal length", post("Content-Length: 0x5", "hello"), "bad_content_length"),
        bad("a fraction", post("Content-Length: 5.0", "hello"), "bad_content_length"),
        bad("a space inside", post("Content-Length: 1 0", "hello"), "bad_content_length"),
        bad("an empty length", post("Content-Length:", "hello"), "bad_content_length"),
        bad("19 digits", post("Content-Length: 1000000000000000000", "x"), "bad_content_length"),
        bad("2 to the 64", post("Content-Length: 18446744073709551616", "x"), "bad_content_length"),
        bad("Arabic digits", post("Content-Length: ٥", "hello"), "bad_content_length"),
    ]

    static let codings: [FramingCase] = [
        ok("chunked", chunked("5\r\nhello\r\n0\r\n\r\n"), body: "hello"),
        ok("chunked in capitals", post("Transfer-Encoding: CHUNKED", "0\r\n\r\n")),
        bad(
            "length and chunked",
            post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked and length",
            post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked twice",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "chunked, chunked", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "gzip, chunked", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad("identity", post("Transfer-Encoding: identity", ""), "bad_transfer_encoding"),
        bad(
            "chunked with a parameter", post("Transfer-Encoding: chunked;q=1", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "a comma before chunked", post("Transfer-Encoding: ,chunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "quoted chunked", post("Transfer-Encoding: \"chunked\"", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad("an empty coding", post("Transfer-Encoding:", ""), "bad_transfer_encoding"),
        bad(
            "a misspelt coding", post("Transfer-Encoding: xchunked", "0\r\n\r\n"),
            "bad_transfer_encoding"),
        bad(
            "a vertical tab before chunked", post("Transfer-Encoding: \u{b}chunked", "0\r\n\r\n"),
            "bad_header"),
        bad(
            "a space before the colon of the coding",
            post("Transfer-Encoding : chunked", "0\r\n\r\n"), "bad_header"),
        bad("a folded coding", post("Transfer-Encoding:\r\n chunked", "0\r\n\r\n"), "bad_header"),
        bad(
            "chunked in HTTP/1.0",
            "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "bad_transfer_encoding"),
    ]

    static let chunks: [FramingCase] = [
        ok("two chunks", chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), body: "abcde"),
        ok(
            "hexadecimal sizes", chunked("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n"),
            body: "01234567890123456789"),
        ok("a chunk of line ends", chunked("4\r\n\r\n\r\n\r\n0\r\n\r\n"), body: "\r\n\r\n"),
        ok("leading zeros of a size", chunked("0003\r\nabc\r\n0\r\n\r\n"), body: "abc"),
        ok("an extension", chunked("3;a=b\r\nabc\r\n0;x\r\n\r\n"), body: "abc"),
        ok("16 digits", chunked("0000000000000003\r\nabc\r\n0\r\n\r\n"), body: "abc"),
        bad("17 digits", chunked("00000000000000003\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("no size", chunked("\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("an extension without a size", chunked(";a\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("0x before the size", chunked("0x3\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a minus before the size", chunked("-3\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a space before the size", chunked(" 3\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a space after the size", chunked("3 \r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a bare line feed after the size", chunked("3\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a bare CR after the size", chunked("3\rabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a line feed in an extension", chunked("3;a\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a NUL in an extension", chunked("3;\0\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a chunk longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n"), "bad_chunk"),
        bad("a bare line feed after a chunk", chunked("3\r\nabc\n0\r\n\r\n"), "bad_chunk"),
        bad("an underscore in the size", chunked("1_0\r\nabc\r\n0\r\n\r\n"), "bad_chunk"),
    ]

    static let trailers: [FramingCase] = [
        ok("a trailer", chunked("1\r\na\r\n0\r\nX: y\r\n\r\n"), body: "a"),
        ok("a length in the trailer is dropped", chunked("0\r\nContent-Length: 50\r\n\r\n")),
        bad("a trailer without a colon", chunked("0\r\nXy\r\n\r\n"), "bad_header"),
        bad("a folded trailer", chunked("0\r\nX: y\r\n z\r\n\r\n"), "bad_header"),
        bad("a bare line feed in the trailer", chunked("0\r\nX: y\n\r\n"), "bad_line_end"),
        bad("a bare line feed at the end of the trailer", chunked("0\r\n\n"), "bad_line_end"),
    ]
}

/// What the refusals of this layer say to a person; each code has a page in docs/problems too.
enum ProblemSentence {
    /// The sentence of a code; of one that has none, the words of its status.
    static func text(of code: String, _ status: Status) -> String {
        texts[code] ?? status.reason
    }

    private static let texts: [String: String] = [
        "bad_body_framing": "The body does not have the framing that its header announces.",
        "bad_chunk": "A chunk's size, extension or end is malformed (RFC 9112, section 7.1).",
        "bad_content_length": "Content-Length is one decimal number of up to 18 digits, sent once.",
        "bad_expectation": "The only expectation that is met is Expect: 100-continue.",
        "bad_header": "A header field is no name, a colon without a space before it, and a value.",
        "bad_host": "One Host header names the host, with a port from 1 to 65535 if any.",
        "bad_line_end": "Lines of a request end with CR LF.",
        "bad_request_line":
            "The first line is a method, a target and the version, one space between.",
        "bad_target":
            "The target is a path without dot segments, control characters and broken escapes.",
        "bad_transfer_encoding":
            "The only Transfer-Encoding is chunked, sent once and without Content-Length.",
        "bad_websocket_key": "Sec-WebSocket-Key is the Base64 of 16 bytes, sent once.",
        "body_incomplete": "The body ended before it was complete.",
        "body_too_slow": "The body came too slowly.",
        "cookie_too_large": "A cookie has more bytes than are read.",
        "file_missing": "What the server holds there cannot be read.",
        "head_too_slow": "The head of the request came too slowly.",
        "header_too_large": "A header field has more bytes than are read.",
        "headers_too_large": "The header fields together have more bytes than are read.",
        "method_not_allowed": "The Allow header lists what can be done here.",
        "not_a_websocket_request": "Open a WebSocket here: GET with Upgrade and Connection.",
        "not_found": "There is nothing of this name.",
        "precondition_failed": "The file is not the one that the condition names.",
        "range_not_satisfiable": "The file has fewer bytes than where the range begins.",
        "request_line_too_long": "The first line of the request has more bytes than are read.",
        "too_large": "The body has more bytes than this route reads.",
        "too_many_headers": "The request has more header fields than are read.",
        "too_many_trailers": "The body has more trailer fields than are read.",
        "trailers_too_large": "The body's trailer fields have more bytes than are read.",
        "unavailable": "Not possible at the moment; try again.",
        "version_not_supported": "The version that is spoken here is HTTP/1.1.",
        "websocket_version_not_supported": "WebSocket version 13 is spoken here.",
    ]
}

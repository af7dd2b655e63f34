/// A head whose lines are still arriving; checks each line once.
struct HeadDraft {
    private(set) var hasRequestLine = false
    private var method = Method.get
    private var target = 0..<0
    private var isHTTP10 = false
    private var slots: [HeaderFields.Slot] = []
    private var hosts = 0
    private var contentLengths = 0
    private var transferEncodings = 0
    private var cookies = 0
    private var hasConnection = false
    private var hasExpect = false
    private var host = 0..<0
    private var contentLength = 0..<0
    private var transferEncoding = 0..<0

    /// Reads `METHOD SP target SP HTTP/1.1`; `line` ends before its CR.
    mutating func readRequestLine(_ line: Range<Int>, in text: Span<UInt8>) throws(RequestProblem) {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.isToken(text[index]) { index += 1 }
        let methodEnd = index
        guard index < line.upperBound, text[index] == 0x20, index > line.lowerBound else {
            throw .badRequestLine
        }
        index += 1
        let targetStart = index
        while index < line.upperBound, text[index] > 0x20, text[index] < 0x7F { index += 1 }
        guard index < line.upperBound, text[index] == 0x20, index > targetStart else {
            throw .badRequestLine
        }
        target = targetStart..<index
        try readVersion((index + 1)..<line.upperBound, in: text)
        method = HeadDraft.method(line.lowerBound..<methodEnd, in: text)
        hasRequestLine = true
        slots.reserveCapacity(12)
    }

    /// Reads `name: value`; `line` ends before its CR.
    mutating func readField(
        _ line: Range<Int>, in text: Span<UInt8>, most: Int
    ) throws(RequestProblem) {
        let field = try FieldLine(line, in: text)
        guard slots.count < most else {
            throw RequestProblem(.headerFieldsTooLarge, "too_many_headers")
        }
        slots.append(
            HeaderFields.Slot(
                nameStart: UInt32(field.name.lowerBound), nameCount: UInt32(field.name.count),
                valueStart: UInt32(field.value.lowerBound), valueCount: UInt32(field.value.count)))
        try note(field, in: text)
    }

    /// Checks what depends on several fields and returns the head; the draft cannot be used again.
    consuming func finish(
        bytes: consuming [UInt8], cookieBytes: Int
    ) throws(RequestProblem) -> RequestHead {
        guard hosts == 1 else { throw RequestProblem(.badRequest, "bad_host") }
        let framing = try framing(in: bytes)
        let named = String(decoding: bytes[host], as: UTF8.self)
        guard Authority.isValid(bytes[host]) else { throw RequestProblem(.badRequest, "bad_host") }
        let sent = try RequestTarget.normal(bytes[target], method: method, host: bytes[host])
        let text = String(decoding: sent, as: UTF8.self)
        let parts = try RequestTarget(sent)
        let fields = HeaderFields(bytes: bytes, slots: slots)
        if cookies > 0 { try HeadDraft.checkCookies(fields, most: cookieBytes) }
        let connection = hasConnection ? fields["connection"] : nil
        if hasExpect, !isHTTP10, fields["expect"]?.lowercasedASCII != "100-continue" {
            throw RequestProblem(.expectationFailed, "bad_expectation")
        }
        let keepsAlive =
            isHTTP10
            ? TokenList.contains("keep-alive", in: connection)
            : !TokenList.contains("close", in: connection)
        return RequestHead(
            method: method, target: text, path: parts.path, query: parts.query, headers: fields,
            host: named, framing: framing, keepsAlive: keepsAlive && method != .connect,
            expectsContinue: hasExpect && !isHTTP10 && framing != .none, isHTTP10: isHTTP10)
    }

    private mutating func readVersion(
        _ range: Range<Int>, in text: Span<UInt8>
    ) throws(RequestProblem) {
        let start = range.lowerBound
        guard range.count == 8, FieldLine.equals(text, start..<(start + 5), "HTTP/"),
            ByteClass.isDigit(text[start + 5]), text[start + 6] == UInt8(ascii: "."),
            ByteClass.isDigit(text[start + 7])
        else { throw .badRequestLine }
        // RFC 9110 2.5: a higher minor version is answered as the highest of its major that is spoken.
        guard text[start + 5] == UInt8(ascii: "1") else {
            throw RequestProblem(.versionNotSupported, "version_not_supported")
        }
        isHTTP10 = text[start + 7] == UInt8(ascii: "0")
    }

    private mutating func note(
        _ field: FieldLine, in text: Span<UInt8>
    ) throws(RequestProblem) {
        switch field.name.count {
        case 4 where FieldLine.equalsAnyCase(text, field.name, "host"):
            hosts += 1
            host = field.value
        case 6 where FieldLine.equalsAnyCase(text, field.name, "cookie"):
            cookies += 1
        case 6 where FieldLine.equalsAnyCase(text, field.name, "expect"):
            hasExpect = true
        case 10 where FieldLine.equalsAnyCase(text, field.name, "connection"):
            hasConnection = true
        case 14 where FieldLine.equalsAnyCase(text, field.name, "content-length"):
            contentLengths += 1
            contentLength = field.value
        case 17 where FieldLine.equalsAnyCase(text, field.name, "transfer-encoding"):
            transferEncodings += 1
            transferEncoding = field.value
        default:
            break
        }
    }

    private func framing(in bytes: [UInt8]) throws(RequestProblem) -> BodyFraming {
        if transferEncodings > 0 {
            // RFC 9112 6.1: two framings, two codings or a coding an old peer cannot know are attacks.
            guard transferEncodings == 1, contentLengths == 0, !isHTTP10,
                bytes[transferEncoding].lazy.map(ByteClass.lowercased).elementsEqual("chunked".utf8)
            else { throw RequestProblem(.badRequest, "bad_transfer_encoding") }
            return .chunked
        }
        guard contentLengths > 0 else { return .none }
        let digits = bytes[contentLength]
        // 18 digits always fit into 64 bits; no honest client sends more.
        guard contentLengths == 1, !digits.isEmpty, digits.count <= 18,
            digits.allSatisfy(ByteClass.isDigit)
        else { throw RequestProblem(.badRequest, "bad_content_length") }
        let length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return length == 0 ? .none : .length(length)
    }

    private static func checkCookies(
        _ fields: HeaderFields, most: Int
    ) throws(RequestProblem) {
        for line in fields.values("cookie") {
            for pair in line.utf8.split(separator: UInt8(ascii: ";"))
            // The equals sign between name and value is not counted.
            where TokenList.trimmed(pair).count > most + 1 {
                throw RequestProblem(.headerFieldsTooLarge, "cookie_too_large")
            }
        }
    }

    private static func method(_ range: Range<Int>, in text: Span<UInt8>) -> Method {
        switch range.count {
        case 3 where FieldLine.equals(text, range, "GET"): .get
        case 3 where FieldLine.equals(text, range, "PUT"): .put
        case 4 where FieldLine.equals(text, range, "POST"): .post
        case 4 where FieldLine.equals(text, range, "HEAD"): .head
        default: Method(String(decoding: range.map { text[$0] }, as: UTF8.self))
        }
    }
}

extension RequestProblem {
    static let badRequestLine = RequestProblem(.badRequest, "bad_request_line")
    static let badHeader = RequestProblem(.badRequest, "bad_header")
    static let badLineEnd = RequestProblem(.badRequest, "bad_line_end")
    static let badChunk = RequestProblem(.badRequest, "bad_chunk")
}

extension String {
    /// The text with A to Z in lower case, other characters unchanged.
    var lowercasedASCII: String {
        String(decoding: utf8.map(ByteClass.lowercased), as: UTF8.self)
    }
}

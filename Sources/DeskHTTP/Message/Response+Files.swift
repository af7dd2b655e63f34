extension Response {
    /// The response for a file on disk: 200, 206, 304, 412 or 416, by the request's fields.
    ///
    /// The caller gives the file's size; a media type from outside must be validated before.
    public static func file(
        at path: String, size: Int, headers: HeaderFields, validators: Validators,
        request: Request
    ) -> Response {
        part(
            ofSize: size, headers: headers, validators: validators, request: request
        ) { .file(path: path, range: $0) }
    }

    /// The response for bytes that `body` gives, as `file(at:size:headers:validators:request:)`.
    public static func part(
        ofSize size: Int, headers: HeaderFields, validators: Validators, request: Request,
        body: (Range<Int>) -> Body
    ) -> Response {
        let answer = representation(
            size: size, headers: headers, validators: validators, request: request)
        guard let range = answer.range else { return answer.response }
        var response = answer.response
        response.body = range.isEmpty ? .empty : body(range)
        return response
    }

    /// The response for bytes in memory, as `file(at:size:headers:validators:request:)`.
    public static func content(
        _ bytes: [UInt8], headers: HeaderFields, validators: Validators, request: Request
    ) -> Response {
        let answer = representation(
            size: bytes.count, headers: headers, validators: validators, request: request)
        guard let range = answer.range else { return answer.response }
        var response = answer.response
        response.body = .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
        return response
    }

    /// The range to send is nil when the response has no body.
    private static func representation(
        size: Int, headers: HeaderFields, validators: Validators, request: Request
    ) -> (response: Response, range: Range<Int>?) {
        var response = Response(status: .ok, headers: headers)
        validators.write(into: &response.headers)
        switch validators.judge(request.headers) {
        case .send: break
        case .notModified:
            response.status = .notModified
            // RFC 9110 15.4.5: what describes bytes stays away where there are none.
            for name in ["Content-Type", "Content-Encoding", "Content-Disposition"] {
                response.headers.remove(name)
            }
            return (response, nil)
        case .preconditionFailed:
            return (problem(.preconditionFailed, code: "precondition_failed"), nil)
        }
        response.headers.set("Accept-Ranges", "bytes")
        let mayBePart = request.method == .get && validators.allowsRange(request.headers)
        switch ByteRange(mayBePart ? request.headers["range"] : nil, size: size) {
        case .whole:
            return (response, 0..<size)
        case .part(let range):
            response.status = .partialContent
            response.headers.set(
                "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            return (response, range)
        case .unsatisfiable:
            var refusal = problem(
                .rangeNotSatisfiable, code: "range_not_satisfiable",
                detail: "The file has \(size) bytes; the range begins beyond them.")
            refusal.headers.set("Content-Range", "bytes */\(size)")
            return (refusal, nil)
        }
    }
}

import DeskHTTP
import Testing

/// Fields, cookies, routes, conditions and texts.
struct MessageTests {
    @Test(arguments: [
        ("X", "a\r\nSet-Cookie: b"), ("X", "a\nb"), ("X", "a\0"), ("X y", "a"), ("", "a"),
        ("X\r\n", "a"), ("X:", "a"),
    ])
    func `a field that could split a response is not accepted`(name: String, value: String) {
        var headers = HeaderFields()
        let answers = [headers.append(name, value), headers.set(name, value)]
        #expect(answers == [false, false])
        #expect(headers.isEmpty)
    }

    @Test func `setting a field replaces all of its name`() {
        var headers: HeaderFields = ["A": "1", "B": "2", "a": "3"]
        headers.set("a", "4")
        #expect(headers == ["B": "2", "a": "4"])
    }

    @Test(
        arguments: [
            (["B: 1"], nil), (["a: 1"], "1"), (["A: 1", "b: 2"], "1"), (["A: 1", "a: 2"], nil),
            (["A: 1", "a: 1"], nil), (["A:"], ""),
        ] as [([String], String?)])
    func `an only field is one that occurs once`(lines: [String], value: String?) {
        var headers = HeaderFields()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            headers.append(parts[0], parts.count < 2 ? "" : String(parts[1].dropFirst()))
        }
        #expect(headers.only("a") == value)
    }

    @Test func `a value given as bytes is judged as text is`() {
        var headers = HeaderFields()
        let isTaken = headers.append("A", Array("1".utf8))
        let isRefused = !headers.append("A", [0x31, 0x0D, 0x0A])
        #expect(isTaken)
        #expect(isRefused)
        #expect(headers == ["A": "1"])
    }

    @Test func `names that look alike are two names`() throws {
        let request = try Request(method: .get, target: "/?%C3%A9=1&e%CC%81=2")
        #expect(request.query["\u{e9}"] == "1")
        #expect(request.query["e\u{301}"] == "2")
    }

    @Test func `cookies are found by name`() throws {
        let request = try Request(
            method: .get, target: "/", headers: ["Cookie": "a=1; b=x=y;c=", "cookie": "d=4"])
        let cookies = request.cookies
        #expect(cookies["a"] == "1")
        #expect(cookies["b"] == "x=y")
        #expect(cookies["c"] == "")
        #expect(cookies["d"] == "4")
        #expect(cookies["e"] == nil)
    }

    private static func router() -> Router {
        var router = Router()
        func add(_ method: Method, _ pattern: String, _ name: String, limit: Int = 0) {
            router.add(method, pattern, operation: name, bodyLimit: limit) { request in
                let values = ["id", "path"].compactMap { request.parameters[$0] }
                return Response(text: ([name] + values).joined(separator: " "))
            }
        }
        add(.get, "/", "root")
        add(.get, "/c/{id}", "show")
        add(.post, "/c/{id}", "change", limit: 3)
        add(.get, "/c/new", "new")
        add(.get, "/c/{id}/m/{path}", "deep")
        add(.get, "/web/{path...}", "file")
        add(.get, "/K", "letter")
        return router
    }

    @Test(arguments: [
        (Method.get, "/", "200 root"), (.get, "/c/7", "200 show 7"), (.get, "/c/new", "200 new"),
        (.head, "/c/7", "200 show 7"), (.get, "/c/new/m/x", "200 deep new x"),
        (.get, "/web/a/b.js", "200 file a/b.js"), (.get, "/web/", "200 file "),
        // A Kelvin sign is canonically a K, and another path.
        (.get, "/K", "200 letter"), (.get, "/%4B", "200 letter"), (.get, "/%E2%84%AA", "404"),
        (.get, "/web", "404"), (.get, "/c/", "404"), (.get, "/c", "404"), (.get, "/c/7/", "404"),
        (.get, "//c/7", "404"), (.put, "/c/7", "405 GET, POST, HEAD"),
        (.trace, "/c/7", "405 GET, POST, HEAD"), (.other("BREW"), "/c/7", "405 GET, POST, HEAD"),
        (.connect, "/", "405 GET, HEAD"), (.options, "/nowhere", "404"),
        (.other("BREW"), "/", "405 GET, HEAD"),
    ])
    func `a request finds its route`(method: Method, target: String, answer: String) async throws {
        let response = await Self.router().respond(to: try Request(method: method, target: target))
        var text = "\(response.status.code)"
        if let allow = response.headers["allow"] { text += " \(allow)" }
        if response.status == .ok, case .bytes(let body) = response.body {
            text += " " + String(decoding: body, as: UTF8.self)
        }
        #expect(text == answer)
    }

    @Test(arguments: [(3, 200), (4, 413)])
    func `a route's body limit holds before its handler runs`(count: Int, status: Int) async throws
    {
        let body = [UInt8](repeating: 1, count: count)
        let request = try Request(method: .post, target: "/c/7", body: body)
        #expect(await Self.router().respond(to: request).status.code == status)
    }

    @Test func `a body is handed out once in pieces and again as a whole`() async throws {
        let body = RequestBody([1, 2, 3])
        #expect(try await body.next() == [1, 2, 3])
        #expect(try await body.next() == nil)
        #expect(try await body.collect(upTo: 3) == [1, 2, 3])
        await #expect(throws: BodyError.tooLarge) { try await body.collect(upTo: 2) }
    }

    @Test(arguments: [
        (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=2-", .part(2..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("bytes=5-99", .part(5..<10)),
        ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=3-2", .whole),
        ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole), ("items=0-1", .whole),
        ("bytes=99999999999999999999-", .whole), ("bytes=-", .whole),
    ])
    func `a range is read for ten bytes`(field: String?, range: ByteRange) {
        #expect(ByteRange(field, size: 10) == range)
    }

    @Test(arguments: [
        ("If-None-Match", "\"m\"", Validators.Verdict.notModified),
        ("If-None-Match", "W/\"m\"", .notModified), ("If-None-Match", "\"x\", \"m\"", .notModified),
        ("If-None-Match", "*", .notModified), ("If-None-Match", "\"x\"", .send),
        ("If-Match", "\"x\"", .preconditionFailed), ("If-Match", "W/\"m\"", .preconditionFailed),
        ("If-Match", "\"m\"", .send),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", .notModified),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", .send),
        ("If-Modified-Since", "nonsense", .send),
        ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", .preconditionFailed),
    ])
    func `a condition is judged`(name: String, value: String, verdict: Validators.Verdict) {
        let validators = Validators(contentMark: "m", modifiedAt: 784_111_777)
        var headers = HeaderFields()
        headers.set(name, value)
        #expect(validators.judge(headers) == verdict)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ])
    func `a date is written and read`(seconds: Int, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
        #expect(HTTPDate.secondsSince1970(text) == seconds)
    }

    @Test func `a response head is written with the server's own fields`() {
        var writer = ResponseHeadWriter()
        writer.setTime(secondsSince1970: 0)
        var bytes: [UInt8] = []
        writer.write(
            .ok, ["A": "b", "Content-Length": "9", "date": "now", "transfer-encoding": "x"],
            framing: .length(12), connection: .closes, into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nA: b\r\n"
                + "Content-Length: 12\r\nConnection: close\r\n\r\n")
    }

    @Test func `a form gives its fields back`() {
        let query = Query(items: [.init(name: "ä", value: "+ &")])
        #expect(FormCoding.decode(Array(FormCoding.encode(query).utf8)) == query)
    }
}

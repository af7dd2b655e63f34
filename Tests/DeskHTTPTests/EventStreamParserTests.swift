import DeskHTTP
import Testing

/// Event streams as clients read them, after HTML 9.2.6.
struct EventStreamParserTests {
    typealias Event = EventStreamParser.Event

    @Test(
        arguments: [
            ("data: a\n\n", [Event(id: nil, type: "message", data: Array("a".utf8))]),
            ("id: 1\nevent: t\ndata: a\n\n", [Event(id: "1", type: "t", data: Array("a".utf8))]),
            (
                "id:1\r\nevent:t\r\ndata:a\r\n\r\n",
                [Event(id: "1", type: "t", data: Array("a".utf8))]
            ),
            ("id:1\revent:t\rdata:a\r\r", [Event(id: "1", type: "t", data: Array("a".utf8))]),
            ("data: a\ndata: b\n\n", [Event(id: nil, type: "message", data: Array("a\nb".utf8))]),
            ("data:  a\n\n", [Event(id: nil, type: "message", data: Array(" a".utf8))]),
            ("data\n\n", [Event(id: nil, type: "message", data: [])]),
            ("\u{FEFF}data: a\n\n", [Event(id: nil, type: "message", data: Array("a".utf8))]),
            (": comment\n\n", []), ("event: t\n\n", []), ("data: a\n", []), ("data: a", []),
            ("", []),
            ("id: a\u{0}b\ndata: a\n\n", [Event(id: nil, type: "message", data: Array("a".utf8))]),
            ("other: x\nretry: 7\n\n", []),
            (
                "id: 1\nevent: t\n\ndata: a\n\n",
                [Event(id: nil, type: "message", data: Array("a".utf8))]
            ),
        ] as [(String, [Event])])
    func `a stream gives its events, whole and byte by byte`(
        text: String, expected: [Event]
    ) throws {
        var whole = EventStreamParser(limit: 100)
        #expect(try whole.read(Array(text.utf8)) == expected)
        var pieces = EventStreamParser(limit: 100)
        let found = try text.utf8.reduce(into: [Event]()) { $0 += try pieces.read([$1]) }
        #expect(found == expected)
    }

    @Test(arguments: [("7", 7), ("0", 0), ("x", nil), ("-1", nil), ("1234567890", nil), ("", nil)])
    func `the wait is a whole number of milliseconds`(text: String, wait: Int?) throws {
        var parser = EventStreamParser(limit: 100)
        _ = try parser.read(Array("retry: \(text)\n\n".utf8))
        #expect(parser.retryMilliseconds == wait)
    }

    @Test(arguments: ["aaaaaaaaaaa", "data: aa\ndata: bb\ndata: cc\ndata: dd\n"])
    func `a line or an event beyond the limit ends the stream`(text: String) throws {
        var parser = EventStreamParser(limit: 10)
        #expect(throws: EventStreamParser.TooLong.self) { try parser.read(Array(text.utf8)) }
    }
}

import DeskJSON
import Testing

struct ValueTests {
    private let text = """
        {"name": "Zo\\u00eb \\ud83d\\ude00", "list": [1, 2.50, -0, 1e2, 12345678901234567890],
         "deep": {"a/b": {"m~n": [null, true]}}, "": "empty"}
        """

    @Test func `values are read as they were written`() throws {
        let root = try JSONDocument(parsing: text).root
        #expect(root.kind == .object && root.count == 4)
        #expect(root["name"]?.string == "Zoë 😀")
        #expect(root["name"]?.equals("Zoë 😀") == true)
        #expect(root["name"]?.equals("Zoe") == false)
        #expect(root["name"]?.stringBytes == Array("Zoë 😀".utf8))
        #expect(root["missing"] == nil)
        #expect(root["list"]?.elements.map { $0.int } == [1, nil, 0, 100, nil])
        #expect(root["list"]?[1]?.double == 2.5)
        #expect(root["list"]?[1]?.numberText == "2.50")
        #expect(root["list"]?[2]?.numberText == "-0")
        #expect(root["list"]?[5] == nil)
        #expect(root["list"]?[-1] == nil)
        #expect(root["deep"]?["a/b"]?["m~n"]?[0]?.isNull == true)
        #expect(root["deep"]?["a/b"]?["m~n"]?[1]?.bool == true)
        #expect(root.members.map { $0.key } == ["name", "list", "deep", ""])
    }

    @Test(
        arguments: [
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", 1), ("0.1", nil),
            ("1e18", 1_000_000_000_000_000_000), ("1e400", nil), ("100e-2", 1), ("0e99", 0),
        ] as [(String, Int?)])
    func `whole numbers come out exactly or not at all`(text: String, value: Int?) throws {
        #expect(try JSONDocument(parsing: text).root.int == value)
    }

    /// Keys of 24 bytes that begin and end alike have the same hash.
    @Test(
        arguments: [
            (#"{"type": 1}"#, "type", 1), (#"{"\u0074ype": 1}"#, "type", 1),
            (#"{"t\u0079pe": 1, "typo": 2}"#, "type", 1), (#"{"typo": 1}"#, "type", nil),
            (#"{"\u0074ypo": 1}"#, "type", nil), (#"{"": 1}"#, "", 1), (#"{"a": 1}"#, "", nil),
            (#"{"\u00fc": 1}"#, "ü", 1), (#"{"u\u0308": 1}"#, "ü", nil),
            (#"{"12345678abcdefgh12345678": 1}"#, "12345678abcdefgh12345678", 1),
            (#"{"12345678abcdefgh12345678": 1}"#, "12345678ABCDEFGH12345678", nil),
            (#"{"12345678abcd\u0065fgh12345678": 1}"#, "12345678abcdefgh12345678", 1),
            (#"{"a": {"type": 1}, "b": [{"type": 2}], "type": 3}"#, "type", 3),
        ] as [(String, String, Int?)])
    func `a member is found by exactly its key, however that is written`(
        text: String, key: String, value: Int?
    ) throws {
        let root = try JSONDocument(parsing: text).root
        #expect(root[key]?.int == value)
        #expect(root.members.contains { $0.keyEquals(key) } == (value != nil))
    }

    @Test func `of a key that occurs twice the last one counts, where that is allowed`() throws {
        var limits = JSONLimits.standard
        limits.allowsDuplicateKeys = true
        let text = #"{"type": 1, "other": 2, "t\u0079pe": 3}"#
        #expect(try JSONDocument(parsing: text, limits: limits).root["type"]?.int == 3)
    }

    @Test func `every value knows its bytes, its place and its pointer`() throws {
        let document = try JSONDocument(parsing: text)
        let value = try #require(document.root["deep"]?["a/b"]?["m~n"]?[1])
        #expect(value.rawText == "true")
        #expect(value.position.line == 2)
        #expect(value.pointer.description == "/deep/a~1b/m~0n/1")
        #expect(document.find(value.pointer)?.range == value.range)
        #expect(document.pointer(at: value.range.lowerBound) == value.pointer)
        let member = try #require(document.root.members.first { $0.keyEquals("list") })
        #expect(document.bytes[member.keyRange].elementsEqual("\"list\"".utf8))
        #expect(document.pointer(at: member.keyRange.lowerBound).description == "/list")
        #expect(document.pointer(at: 0).description == "")
        #expect(document.pointer(at: 100_000).description == "")
    }

    @Test func `every offset leads to a pointer that leads back around it`() throws {
        let document = try JSONDocument(parsing: text)
        for offset in document.bytes.indices {
            let value = try #require(document.find(document.pointer(at: offset)))
            #expect(value.range == document.innermost(at: offset).range)
        }
    }

    @Test(
        arguments: [
            ("", ""), ("/", "empty"), ("/list/0", "1"), ("/list/00", nil), ("/list/-1", nil),
            ("/list/5", nil), ("/name/0", nil), ("/nope", nil),
        ] as [(String, String?)])
    func `pointers lead to values or nowhere`(pointer: String, text: String?) throws {
        let document = try JSONDocument(parsing: self.text)
        let value = document.find(try #require(JSONPointer(parsing: pointer)))
        guard pointer != "" else {
            #expect(value?.kind == .object)
            return
        }
        #expect((value?.string ?? value?.rawText) == text)
    }

    @Test(arguments: ["a", "/~", "/~2", "a/b"])
    func `what is no pointer is refused`(text: String) {
        #expect(JSONPointer(parsing: text) == nil)
    }

    @Test(
        arguments: [
            ("a\nb\nc", 4, 3, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1), ("é😀x", 6, 1, 3),
            ("abc", 99, 1, 4), ("", 0, 1, 1),
        ])
    func `places are counted in lines and scalars`(
        text: String, offset: Int, line: Int, column: Int
    ) {
        let position = JSONPosition(offset: offset, in: Array(text.utf8))
        #expect(position.line == line && position.column == column)
    }

    @Test func `places agree with a byte by byte count`() {
        let bytes = Array("a\r\n\u{e9}\r😀\n\n{\"\u{2028}\"}\r".utf8)
        var line = 1
        var column = 1
        for offset in 0...bytes.count {
            let position = JSONPosition(offset: offset, in: bytes)
            #expect(position.line == line && position.column == column, "offset \(offset)")
            guard offset < bytes.count else { break }
            let isHalf = bytes[offset] == 13 && offset + 1 < bytes.count && bytes[offset + 1] == 10
            if bytes[offset] == 10 || bytes[offset] == 13 && !isHalf {
                line += 1
                column = 1
            } else if bytes[offset] & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

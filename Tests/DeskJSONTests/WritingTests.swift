import DeskJSON
import Testing

struct WritingTests {
    @Test func `a tree is written in its order`() {
        let tree: JSON = [
            "z": 1, "a": [true, nil, "x\"y"], "n": .number("1.50"), "r": .raw(Array("{ }".utf8)),
            "e": [:],
        ]
        #expect(tree.text() == #"{"z":1,"a":[true,null,"x\"y"],"n":1.50,"r":{ },"e":{}}"#)
        #expect(tree["a"]?.text() == #"[true,null,"x\"y"]"#)
    }

    @Test(
        arguments: [
            ("\u{0}\u{8}\t\n\u{c}\r\u{1f}", #""\u0000\b\t\n\f\r\u001f""#),
            ("\"\\/", #""\"\\/""#), ("a\u{2028}b\u{2029}c", #""a\u2028b\u2029c""#),
            ("\u{2027}é😀\u{fffc}", "\"\u{2027}é😀\u{fffc}\""), ("", "\"\""),
        ])
    func `strings are escaped where they must be and nowhere else`(text: String, json: String) {
        #expect(JSON.string(text).text() == json)
        var out: [UInt8] = []
        JSONWriter.append(utf8: Array(text.utf8), to: &out)
        #expect(out == Array(json.utf8))
    }

    @Test func `every scalar up to U+3000 survives writing and reading`() throws {
        for value in UInt32(0)...0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(Character(scalar))b"
            let document = try JSONDocument(parsing: JSON.string(text).bytes())
            #expect(document.root.stringBytes == Array(text.utf8))
        }
    }

    @Test(arguments: ["\"", "\\", "\n", "\u{1f}", "\u{2028}"])
    func `an escape is found at every place`(mark: String) {
        for count in 1...40 {
            for place in 0..<count {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: "é", count: count - 1 - place)
                let alone = JSON.string(mark).text().dropFirst().dropLast()
                #expect(
                    JSON.string(before + mark + after).text() == "\"\(before)\(alone)\(after)\"")
            }
        }
    }

    @Test(arguments: [0, 9, 10, -1, 12345, Int.max, Int.min])
    func `whole numbers are written in full`(value: Int) {
        #expect(JSON.integer(value).text() == String(value))
    }

    @Test func `a copy of a parsed value says the same`() throws {
        let text = #"{"a":[1.50,-0,"\u00e9"],"b":{"c":null,"d":false}}"#
        let root = try JSONDocument(parsing: text).root
        #expect(JSON(root).text() == #"{"a":[1.50,-0,"é"],"b":{"c":null,"d":false}}"#)
    }

    @Test func `a text nested far too deep for the stack can still be copied`() throws {
        let text = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        let root = try JSONDocument(parsing: text, limits: .unlimited).root
        #expect(JSON(root).text() == text)
    }

    @Test func `the writer sets the commas`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.beginArray()
        writer.integer(1)
        writer.string("x")
        writer.beginObject()
        writer.endObject()
        writer.null()
        writer.endArray()
        writer.key(text: "b\n")
        writer.bool(true)
        writer.key("c")
        writer.raw(Array("[ 1 ]".utf8))
        writer.key("d")
        writer.value(["e": .double(0.5), "f": .double(2), "g": .double(.infinity)])
        writer.endObject()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"{"a":[1,"x",{},null],"b\n":true,"c":[ 1 ],"d":{"e":0.5,"f":2,"g":null}}"#)
    }

    @Test func `pretty text reads line by line`() {
        let tree: JSON = ["a": [1, 2], "b": [:]]
        #expect(
            String(decoding: tree.prettyBytes(), as: UTF8.self)
                == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}")
    }
}

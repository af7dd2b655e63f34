import DeskJSON
import TestSupport
import Testing

@testable import frontdesk

struct ImportFileTests {
    @Test(arguments: [
        ("{}", ["{}"]), ("{}{}", ["{}", "{}"]),
        (" [1]\n{\"a\":\"}{\"}\r\n", ["[1]", "{\"a\":\"}{\"}"]),
        (#"{"a":"\"}"}[]"#, [#"{"a":"\"}"}"#, "[]"]), (#"{"a":"\\"}"#, [#"{"a":"\\"}"#]), ("", []),
        ("  \n", []), (#"{"a":{"b":[{"c":1}]}}"#, [#"{"a":{"b":[{"c":1}]}}"#]),
        ("\u{FEFF}{}\n[1]", ["{}", "[1]"]),
    ])
    func `texts of JSON are cut apart wherever the pieces end`(
        text: String, texts: [String]
    ) throws {
        let bytes = Array(text.utf8)
        for size in 1...max(1, bytes.count) {
            var reader = JSONTexts()
            var found: [JSONTexts.Text] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try reader.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            try reader.finish()
            #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == texts)
            for one in found {
                #expect(Array(bytes[one.offset..<one.offset + one.bytes.count]) == one.bytes)
            }
        }
    }

    @Test(arguments: [
        ("x", JSONTexts.Fault.noText(at: 0)), ("{} 1", .noText(at: 3)), ("}", .noText(at: 0)),
        ("\u{FEFF}x", .noText(at: 3)), ("{}\u{FEFF}", .noText(at: 2)), ("{}\"", .noText(at: 2)),
        ("{\"a\"", .cutOff(at: 0)), ("{}[", .cutOff(at: 2)),
    ])
    func `what is no text, or has no end, is said with its place`(
        text: String, fault: JSONTexts.Fault
    ) {
        #expect(throws: fault) {
            var reader = JSONTexts()
            _ = try reader.take(Array(text.utf8))
            try reader.finish()
        }
    }

    @Test(arguments: [
        ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("", []), ("\n\n", ["", ""]),
        ("abcd\n", ["abcd"]),
        ("abcde\nf", [nil, "f"]), ("abcdefgh", [nil]), ("abcd\r\n", ["abcd"]),
    ])
    func `lines are cut apart wherever the pieces end, and too long ones are named`(
        text: String, lines: [String?]
    ) {
        let bytes = Array(text.utf8)
        for size in 1...max(1, bytes.count) {
            var splitter = LineSplitter(mostBytes: 4)
            var found: [LineSplitter.Line] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += splitter.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            if let last = splitter.finish() { found.append(last) }
            let expected = lines.map { line in
                line.map { LineSplitter.Line.bytes(Array($0.utf8)) } ?? .tooLong
            }
            #expect(found == expected, "pieces of \(size)")
        }
    }

    @Test(arguments: [
        ("Hello", "hello"), ("thank you!", "thank-you"), ("__", "text"), ("日本", "text"),
        ("a--b", "a-b"),
    ])
    func `a short code becomes the name of a template`(code: String, name: String) {
        var names: Set<String> = []
        #expect(CannedText.name(of: code, among: &names) == name)
        #expect(CannedText.name(of: code, among: &names) == name + "-2")
    }

    @Test(arguments: [
        ("Hello", "Hello", false), ("{{contact.name}}!", "{{customer.name}}!", true),
        ("{{ agent.name }} {{account.name}}", "{{agent.name}} {{business.name}}", false),
        ("{{contact.city}} {{", "{{contact.city}} {{", false),
    ])
    func `placeholders that both have are those of templates`(
        text: String, expected: String, needsName: Bool
    ) {
        let found = CannedText.placeholders(of: text)
        #expect(found.text == expected)
        #expect(found.needsName == needsName)
    }

    @Test func `a dry run finds what is not in order over requests`() {
        func line(_ customer: String, _ day: Int) -> [UInt8] {
            Array(
                #"{"type":"message","customer":"\#(customer)","time":"2025-03-0\#(day)T00:00:00Z"}"#
                    .utf8)
        }
        var watch = OrderWatch()
        // Within a request the server knows.
        #expect(watch.add(line("1", 3)) == nil)
        #expect(watch.add(line("1", 2)) == nil)
        watch.noteSent()
        #expect(watch.add(line("1", 2)) != nil)
        #expect(watch.add(line("1", 3)) == nil)
        #expect(watch.add(line("2", 1)) == nil)
        #expect(watch.add(Array("x".utf8)) == nil)
    }
}

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

    @Test func `a dry run counts once what several requests have`() {
        func line(_ words: String) -> [UInt8] { Array("{\(words)}".utf8) }
        let message = line(#""type":"message","customer":"1","id":"a","text":"x""#)
        let other = line(#""type":"message","customer":"1","id":"b","text":"x""#)
        let person = line(#""type":"customer","customer":"1","name":"Mio""#)
        let renamed = line(#""type":"customer","customer":"1","name":"Mio T.""#)
        var watch = RepeatWatch()
        // Within a request the server knows.
        #expect(watch.add([message, message, person], ["added", "known", "added"]).isEmpty)
        #expect(watch.knows(message) && !watch.knows(other))
        #expect(
            watch.add([other, [], message, person], ["refused", nil, "added", "added"]) == [
                RepeatWatch.Correction(type: "message", outcome: "known"),
                RepeatWatch.Correction(type: "customer", outcome: "known"),
            ])
        // What was refused is not there.
        #expect(watch.add([other], ["added"]).isEmpty)
        #expect(
            watch.add([renamed, other, message], ["added", "added", "known"]) == [
                RepeatWatch.Correction(type: "customer", outcome: "updated"),
                RepeatWatch.Correction(type: "message", outcome: "known"),
            ])
        #expect(!watch.isFull)
    }

    @Test func `a dry run keeps so many names and says that there were more`() {
        func line(_ id: Int) -> [UInt8] {
            Array(#"{"type":"note","customer":"1","id":"\#(id)","text":"x"}"#.utf8)
        }
        var watch = RepeatWatch(mostNames: 2)
        let lines = (1...3).map(line)
        #expect(watch.add(lines, ["added", "added", "added"]).isEmpty)
        #expect(watch.isFull)
        #expect(watch.add(lines, ["added", "added", "added"]).count == 2)
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

import DeskBytes
import DeskDiagnosis
import TestSupport
import Testing

/// A text that something has happened to.
struct DoctorCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let ids: [String]
    /// The text repaired; nil when it cannot be.
    let repaired: [UInt8]?

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ ids: [String], _ repaired: [UInt8]?) {
        self.name = name
        self.bytes = bytes
        self.ids = ids
        self.repaired = repaired
    }

    static let payload = #"{"type":"text","body":"Zoë 😀 said \"hi\"\n"}"#
    private static let plain = #"{"type":"text","body":"a"}"#

    private static func wide(_ text: String, mark: Bool, little: Bool) -> [UInt8] {
        var units = Array(text.utf16)
        if mark { units.insert(0xFEFF, at: 0) }
        return units.flatMap { (unit: UInt16) -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            return little ? pair.reversed() : pair
        }
    }

    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private static func gzip(_ text: String) -> [UInt8] {
        (try? Gzip.compress(Array(text.utf8))) ?? []
    }

    // A statement each: one literal of them all costs the compiler minutes.
    static let texts: [DoctorCase] = {
        var cases: [DoctorCase] = []
        cases.addBytes("gzip", gzip(payload), ["gzip"], Array(payload.utf8))
        cases.addBytes("gzip cut off", gzip(payload).dropLast(9), ["gzip"], nil)
        cases.addBytes(
            "gzip of UTF-16", (try? Gzip.compress(wide(plain, mark: true, little: true))) ?? [],
            ["gzip", "utf-16"], Array(plain.utf8))
        cases.addBytes(
            "UTF-16 LE, marked", wide(payload, mark: true, little: true), ["utf-16"],
            Array(payload.utf8))
        cases.addBytes(
            "UTF-16 BE, marked", wide(payload, mark: true, little: false), ["utf-16"],
            Array(payload.utf8))
        cases.addBytes(
            "UTF-16 LE", wide(payload, mark: false, little: true), ["utf-16"],
            Array(payload.utf8))
        cases.addBytes(
            "UTF-16 BE", wide(payload, mark: false, little: false), ["utf-16"],
            Array(payload.utf8))
        cases.addBytes(
            "UTF-16 with a line end of one byte",
            join(wide(payload, mark: true, little: true), [0x0A]), ["utf-16"], Array(payload.utf8))
        cases.addBytes(
            "UTF-16 cut within a pair",
            Array(wide("{\"a\":\"😀", mark: true, little: true).dropLast(2)), ["utf-16"], nil)
        cases.addBytes(
            "UTF-32", plain.utf8.flatMap { (byte: UInt8) -> [UInt8] in [byte, 0, 0, 0] },
            ["utf-32"],
            Array(plain.utf8))
        cases.addBytes(
            "byte order mark", join([0xEF, 0xBB, 0xBF], Array(payload.utf8)), ["byte-order-mark"],
            Array(payload.utf8))
        cases.addBytes(
            "Windows", join(Array(#"{"body":"caf"#.utf8), [0xE9, 0x20, 0x93], Array(#""}"#.utf8)),
            ["windows-1252"], Array(#"{"body":"café “"}"#.utf8))
        cases.addBytes(
            "CESU-8",
            join(
                Array(#"{"body":""#.utf8), [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
                Array(#""}"#.utf8)),
            ["cesu-8"], Array(#"{"body":"😀"}"#.utf8))
        cases.add(
            "base64 of the whole", Base64.encode(Array(payload.utf8)), ["base64-text"], payload)
        cases.add("base64 of gzip", Base64.encode(gzip(payload)), ["base64-text", "gzip"], payload)
        cases.add("hex of the whole", Hex.encode(Array(payload.utf8)), ["hex-text"], payload)
        cases.add(
            "a form's field", "payload=%7B%22type%22%3A%22text%22%2C%22body%22%3A%22a+b%22%7D",
            ["percent-encoded-text"], #"{"type":"text","body":"a b"}"#)
        cases.add(
            "HTML", "{&quot;type&quot;:&quot;text&quot;,&quot;body&quot;:&quot;a&amp;b&quot;}",
            ["html-escaped"], #"{"type":"text","body":"a&b"}"#)
        cases.add(
            "JSON in a JSON text", #""{\"type\":\"text\",\"body\":\"a\\nb\"}""#,
            ["escaped-json"], #"{"type":"text","body":"a\nb"}"#)
        cases.add(
            "twice in a JSON text", #""\"{\\\"type\\\":\\\"text\\\"}\"""#,
            ["escaped-json", "escaped-json"], #"{"type":"text"}"#)
        cases.add(
            "a time before it", #"2026-11-21T08:00:00Z [INFO] sent {"type":"text","body":"a"}"#,
            ["log-line"], plain)
        cases.add("a status behind it", #"{"type":"text","body":"a"} 200 OK"#, ["log-line"], plain)
        cases.add(
            "a thread's brackets", #"[worker-1] [12] body={"type":"text","body":"a"}, 3 ms"#,
            ["log-line"], plain)
        cases.add("escaped", #"{\"type\":\"text\",\"body\":\"a\"}"#, ["escaped-json"], plain)
        cases.add(
            "escaped in a record's rest",
            #"08:00 "body":"{\"type\":\"text\",\"body\":\"a\"}","level":"info"}"#,
            ["log-line", "escaped-json"], plain)
        cases.add(
            "escaped twice", #"{\\\"type\\\":\\\"text\\\",\\\"body\\\":\\\"a\\\"}"#,
            ["escaped-json"], plain)
        cases.add(
            "escaped with line ends", #"{\n  \"type\": \"text\",\n  \"body\": \"a\"\n}"#,
            ["escaped-json"], "{\n  \"type\": \"text\",\n  \"body\": \"a\"\n}")
        cases.add(
            "a server's access log", #"{\x22type\x22:\x22text\x22,\x22body\x22:\x22a\x22}"#,
            ["escaped-json"], plain)
        cases.add(
            "a record of a log",
            #"{"level":"info","message":"{\"type\":\"text\",\"body\":\"a\"}"}"#, ["log-record"],
            plain)
        cases.add(
            "two lines of a log", "1 {\"type\":\"text\"}\n2 {\"type\":\"text\"}\n",
            ["several-texts"], nil)
        cases.add(
            "smart quotes", "{“type”: “text”, “body”: “say „hi“ now”}", ["smart-quotes"],
            #"{"type": "text", "body": "say „hi“ now"}"#)
        cases.add("one smart quote", #"{"type”: "text"}"#, ["smart-quotes"], #"{"type": "text"}"#)
        cases.add(
            "apostrophes", "{'type': 'text', 'body': 'it\\'s \"x\"'}",
            ["single-quotes", "bad-escape"], #"{"type": "text", "body": "it's \"x\""}"#)
        cases.add(
            "Python", "{'a': True, 'b': None, 'c': [False]}",
            ["single-quotes", "python-words"], #"{"a": true, "b": null, "c": [false]}"#)
        cases.add(
            "JavaScript", "{type: \"text\", // said\n body: \"a\",}",
            ["bare-keys", "comment", "trailing-comma"], "{\"type\": \"text\", \n \"body\": \"a\"}")
        cases.add(
            "a hard space", "{\"a\":\u{A0}1}\u{FEFF}", ["invisible-character"],
            "{\"a\": 1}")
        cases.add(
            "a bare line end", "{\"body\":\"a\nb\"}", ["raw-control"], #"{"body":"a\u000ab"}"#)
        cases.add("half a pair", #"{"body":"a\ud83d"}"#, ["lone-surrogate"], #"{"body":"a\ufffd"}"#)
        return cases
    }()

    /// Texts that look as if, and that must stay as they are.
    static let healthy: [String] = [
        payload, "{}", "[]", "", " ", "null", "\"a\"", "12", "not JSON at all", "{", "{]",
        #""{hello}""#, #""{}""#, #"{"body":"“quoted”, he said"}"#, #"{"body":"it's {'a': 1}"}"#,
        #"{"body":"{\"type\":\"text\"}","type":"text"}"#, #"{"body":"%257B"}"#,
        #"{"type":"text","body":"&quot;"}"#, #"{"a":1,"a":2}"#,
        // A JSON text that is neither of the protocol nor of a log.
        #"{"level":"info","message":"{\"a\":1}"}"#,
        "deadbeefdeadbeefdeadbeef", "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=", "100% {sure}", "a=%zz",
        "[INFO] nothing here", "see [1] and [2] and {}", "\u{FFFD}",
    ]
}

extension [DoctorCase] {
    fileprivate mutating func addBytes(
        _ name: String, _ bytes: [UInt8], _ ids: [String], _ repaired: [UInt8]?
    ) {
        append(DoctorCase(name, bytes, ids, repaired))
    }

    fileprivate mutating func add(
        _ name: String, _ text: String, _ ids: [String], _ repaired: String?
    ) {
        append(DoctorCase(name, [UInt8](text.utf8), ids, repaired.map { [UInt8]($0.utf8) }))
    }
}

struct DoctorTests {
    @Test(arguments: DoctorCase.texts)
    func `what happened to a text is recognised and undone`(_ row: DoctorCase) {
        let diagnosis = Doctor.examine(row.bytes)
        #expect(diagnosis.defects.map(\.id) == row.ids)
        #expect(
            diagnosis.repaired.map { String(decoding: $0, as: UTF8.self) }
                == row.repaired.map { String(decoding: $0, as: UTF8.self) })
        #expect(!diagnosis.isHealthy)
        #expect(diagnosis.isRepairedWhole == (row.repaired != nil))
        for defect in diagnosis.defects {
            #expect(!defect.found.isEmpty && !defect.sentence.isEmpty)
            #expect(defect.place.line >= 1 && defect.place.column >= 1)
        }
    }

    @Test(arguments: DoctorCase.healthy)
    func `what may be meant stays as it is`(_ text: String) {
        let diagnosis = Doctor.examine(Array(text.utf8))
        #expect(diagnosis.defects.map(\.id) == [])
        #expect(diagnosis.repaired == nil)
    }

    @Test(arguments: DoctorCase.texts.filter { $0.repaired != nil })
    func `what was repaired needs no doctor`(_ row: DoctorCase) throws {
        let repaired = try #require(row.repaired)
        #expect(Doctor.examine(repaired).defects.isEmpty)
    }

    @Test func `a text over the limit is said to be so, and gzip that unpacks beyond it too`()
        throws
    {
        let large = [UInt8](repeating: 0x20, count: Doctor.maximumBytes + 1)
        #expect(Doctor.examine(large).defects.map(\.id) == ["too-large"])
        let bomb = try Gzip.compress(large)
        let diagnosis = Doctor.examine(bomb)
        #expect(diagnosis.defects.map(\.id) == ["gzip"])
        #expect(diagnosis.repaired == nil)
        #expect(Doctor.examine(Array(large.dropLast())).defects.isEmpty)
    }

    @Test func `texts that end anywhere, and mutated ones, never trap`() {
        let seed: UInt64 = 20_261_121
        var random = SeededRandom(seed: seed)
        for row in DoctorCase.texts + DoctorValueTests.rows.map(\.text) {
            for end in row.bytes.indices { _ = Doctor.examine(Array(row.bytes[..<end])) }
            for _ in 0..<40 {
                var bytes = row.bytes
                for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1:
                        bytes[place] = "{}[]\\\"',:%ux“&".utf8.randomElement(using: &random) ?? 0
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(contentsOf: bytes[..<place].suffix(4), at: place)
                    }
                }
                let diagnosis = Doctor.examine(bytes)
                _ = DoctorText.render(diagnosis, of: bytes, file: "mutated")
                // What is repaired is found whole, or has been said not to be.
                if diagnosis.isRepairedWhole, let repaired = diagnosis.repaired {
                    let again = Doctor.examine(repaired)
                    #expect(again.repaired == nil, "seed \(seed), \(row.name): \(bytes)")
                }
            }
        }
    }
}

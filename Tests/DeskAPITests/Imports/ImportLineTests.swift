import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

struct ImportLineTests {
    private static let whole = [
        ##"{"type":"label","name":"Refund","colour":"#112233"}"##,
        #"{"type":"template","name":"a","title":"A","text":"Hello","parameters":[]}"#,
        #"{"type":"customer","customer":"17","name":"Mio","externalId":"C","locale":"ja","notes":"","openedAt":"2025-03-01T09:00:00+09:00"}"#,
        #"{"type":"conversation","customer":"17","state":"snoozed","snoozedUntil":"2030-03-01T09:00:00Z","labels":"a|b\\|c","priority":"low"}"#,
        #"{"type":"message","customer":"17","id":"m1","time":"2025-03-01T09:00:00Z","direction":"inbound","payload":{"type":"text","body":"x"},"inReplyTo":null}"#,
        #"{"type":"message","customer":"17","id":"m2","time":"2025-03-01T09:00:00Z","direction":"inbound","text":null,"payload":null,"kind":"form","erasedAt":"2025-03-02T09:00:00Z"}"#,
        #"{"type":"note","customer":"17","id":"n1","time":"2025-03-01T09:00:00Z","text":"x"}"#,
    ]

    private static let reading = ImportReading(
        now: Timestamp(milliseconds: 1_780_000_000_000), limits: APILimits())

    @Test(arguments: whole)
    func `a whole line is read`(line: String) throws {
        let read = try Self.reading.read(Array(line.utf8))
        #expect(line.contains("\"\(read.kind.rawValue)\""))
        #expect(!read.name.isEmpty)
    }

    @Test(arguments: [
        #"{"type":"customer"}"#, #"{"type":"customer","customer":""}"#,
        #"{"type":"label","name":" "}"#,
        #"{"type":"message","customer":"1","id":"","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"x"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"yesterday","direction":"inbound","text":"x"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"2999-03-01T09:00:00Z","direction":"inbound","text":"x"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"2025-03-01T09:00:00Z","direction":"inbound"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"2025-03-01T09:00:00Z","text":"x"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"2025-03-01T09:00:00Z","direction":"inbound","erasedAt":"once"}"#,
        #"{"type":"message","customer":"1","id":"a","time":"2025-03-01T09:00:00Z","direction":"inbound","payload":"no"}"#,
        #"{"type":"template","name":"Not so","title":"A","text":"x"}"#,
        #"{"type":"conversation","customer":"1","labels":[1]}"#,
        #"{"type":"conversation","customer":"1","labels":"a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u"}"#,
        #"{"type":1}"#, #"{}"#, #"[]"#, #""#, #"{"type":"customer","customer":"1\u0000"}"#,
    ])
    func `a line that breaks a rule is refused with findings`(line: String) throws {
        let problem = #expect(throws: Problem.self) {
            try Self.reading.read(Array(line.utf8))
        }
        let found = try #require(problem)
        #expect(found.code == .malformedJSON || !found.errors.isEmpty)
    }

    @Test func `whatever a line is made of, it is read or refused`() throws {
        var seeds = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0 ... .max, using: &seeds)
        var random = SeededRandom(seed: seed)
        for _ in 0..<4_000 {
            guard var line = Self.whole.randomElement(using: &random).map({ Array($0.utf8) }) else {
                continue
            }
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: line[place] = UInt8.random(in: 0 ... .max, using: &random)
                case 1: line.remove(at: place)
                case 2: line.insert(contentsOf: line[0...place], at: place)
                default: line.removeSubrange(place...)
                }
                if line.isEmpty { line = [0x7B] }
            }
            do throws(Problem) {
                let read = try Self.reading.read(line)
                #expect(read.name.utf8.count <= 4_096, "seed \(seed)")
            } catch {
                #expect(
                    error.code == .malformedJSON || error.code == .invalid,
                    "seed \(seed): \(error.code)")
            }
        }
    }

    @Test(arguments: [
        (["a"], "a"), (["a", "b"], "a|b"), (["a|b"], #"a\|b"#), ([#"a\"#, "b"], #"a\\|b"#),
        (["発送", "é"], "発送|é"),
    ])
    func `joined texts come apart as they were`(texts: [String], joined: String) {
        #expect(JoinedTexts.join(texts) == joined)
        #expect(JoinedTexts.split(joined) == texts)
    }

    @Test func `names are the same for the same thing, and others for others`() throws {
        let one = ImportNames(business: BusinessID(UniqueID(high: 1, low: 1)), system: "a")
        let other = ImportNames(business: BusinessID(UniqueID(high: 1, low: 1)), system: "b")
        #expect(one.customer("7") == one.customer("7"))
        #expect(one.customer("7") != other.customer("7"))
        #expect(one.customer("7") != one.customer("8"))
        let known = try #require(CustomerID("urn:mbid:AAAA"))
        #expect(one.customer(known.text) == known)
        #expect(other.customer(known.text) == known)
        let conversation = one.conversation(of: known)
        #expect(conversation.text.dropFirst(14).first == "8")
        #expect(one.note("1", of: known) != one.note("2", of: known))
        #expect(one.message("1", of: known) != other.message("1", of: known))
        #expect(UniqueID(one.message("1", of: known).text) != nil)
        let own = "4E3D8B0A-9f3e-4a53-8f6f-3a4ad1f3a001"
        #expect(one.message(own, of: known).text == own)
    }
}

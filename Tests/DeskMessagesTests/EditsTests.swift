import DeskDiagnosis
import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct EditsTests {
    /// Edits as `start-end:text`, those of one finding with commas between, findings with bars.
    static let rows: [(edits: String, result: String)] = [
        // One finding's edits, in any order.
        ("0-1:A,3-3:-", "Abc-d"),
        ("3-4:,0-1:", "bc"),
        // The earlier finding wins, and a finding is applied whole or not at all.
        ("1-3:X|2-4:Y", "aXd"),
        ("1-3:X|2-4:Y,0-1:Z", "aXd"),
        // Neighbours do not touch, two texts for one place do.
        ("1-2:X|2-3:Y", "aXYd"),
        ("2-2:X|2-2:Y", "abXcd"),
        ("2-2:X|1-2:Y", "aYXcd"),
        // Edits of another text change nothing.
        ("3-9:X|0-1:A", "Abcd"),
        ("", "abcd"),
    ]

    @Test(arguments: rows)
    func `edits are applied finding by finding`(_ edits: String, _ result: String) {
        let findings = edits.split(separator: "|").map { list in
            Finding(
                rule: .unknownKey, severity: .error, pointer: "", line: 1, column: 1, start: 0,
                end: 1, found: "", allowed: "", fix: "",
                edits: list.split(separator: ",").map(Self.edit))
        }
        #expect(Edits.apply(findings, to: Array("abcd".utf8)) == Array(result.utf8))
    }

    private static func edit(_ text: Substring) -> Edit {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let range = parts[0].split(separator: "-").compactMap { Int($0) }
        return Edit(start: range[0], end: range[1], replacement: String(parts[1]))
    }

    @Test func `a finding has its edits in JSON`() throws {
        let finding = Finding(
            rule: .unknownKey, severity: .error, pointer: "", line: 1, column: 1, start: 0,
            end: 1, found: "a", allowed: "b", fix: "c",
            edits: [Edit(start: 4, end: 7, replacement: "\"v\"")])
        #expect(
            finding.json.text().hasSuffix(
                #""edits":[{"start":4,"end":7,"replacement":"\"v\""}]}"#))
    }

    @Test func `a warning that is stored with its message has no edits`() throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now, profile: .lenient)
        let payload = try Corpus.payload("outbound/attachments/valid-old-spelling-lenient")
        let judgement = try Corpus.rulebook.get().judge(payload, context)
        #expect(judgement.warnings.contains { !$0.edits.isEmpty })
        let stored = try JSONDocument(parsing: judgement.warningsText).root
        #expect(stored.count == judgement.warnings.count)
        for warning in stored.elements { #expect(warning["edits"] == nil) }
    }

    @Test(arguments: [
        (#"{"type":"text","body":"a\ufffc\uFFFC"}"#, #"{"type":"text","body":"a"}"#),
        (#"{"type":"text","body":"\\ufffc \ufffc"}"#, #"{"type":"text","body":"\\ufffc "}"#),
        (#"{"body":"a"}"#, #"{"type": "text", "body":"a"}"#),
        (#"{"type":"text","body":"a","$schema":"x"}"#, #"{"type":"text","body":"a"}"#),
        (#"{"type":"text","body":"a","v":2}"#, #"{"type":"text","body":"a","v":1}"#),
        (#"{"type":"text","body":"a","id":null,"v":1}"#, #"{"type":"text","body":"a","v":1}"#),
        (#"{"type":"text","body":"a","v":null}"#, #"{"type":"text","body":"a"}"#),
        // Elsewhere null means what is left out.
        (
            #"{"type":"text","body":"a","locale":null}"#,
            #"{"type":"text","body":"a","locale":null}"#
        ),
        // Both names at once, saying the same.
        (#"{"type":"text","body":"a","Body":"a"}"#, #"{"type":"text","body":"a"}"#),
        // They say different things: the author has to decide.
        (#"{"type":"text","body":"a","Body":"b"}"#, #"{"type":"text","body":"a","Body":"b"}"#),
        (#"{"type":"text","body":null}"#, #"{"type":"text","body":null}"#),
        // Two slips for one key: the second would put it there twice.
        (#"{"type":"text","bodi":"a","bodyy":"b"}"#, #"{"type":"text","body":"a","bodyy":"b"}"#),
        // A key that means nothing here is one deletion.
        (#"{"type":"text","multipleSelection":true,"body":"a"}"#, #"{"type":"text","body":"a"}"#),
        // More than one value is for its author to move.
        (
            #"{"type":"text","body":"a","more":{"b":1}}"#,
            #"{"type":"text","body":"a","more":{"b":1}}"#
        ),
        // What is missing may be what the key was meant as.
        (#"{"type":"text","words":"a"}"#, #"{"type":"text","words":"a"}"#),
    ])
    func `an edit changes what is wrong and nothing else`(
        _ posted: String, _ fixed: String
    ) throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        let judgement = try Corpus.rulebook.get().judge(Array(posted.utf8), context)
        let bytes = Edits.apply(judgement.findings, to: Array(posted.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == fixed)
    }
}

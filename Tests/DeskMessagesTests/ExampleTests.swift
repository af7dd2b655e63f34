import DeskDiagnosis
import DeskMessages
import DeskModel
import TestSupport
import Testing

struct ExampleTests {
    /// Schemas that accept any kind, for editors: their examples are those of the kinds.
    private static let takesAnyKind: Set = ["inbound/message", "outbound/message"]

    @Test func `every schema has three valid examples and ten invalid ones`() throws {
        let schemas = Set(
            Corpus.schemas.map { String($0.name.dropLast(5)) }.filter {
                !$0.contains("shared/") && !Self.takesAnyKind.contains($0)
            })
        #expect(schemas.count >= 50)
        let examples = Dictionary(grouping: Example.all, by: \.folder)
        #expect(Set(examples.keys) == schemas.union(["outbound/attachments"]))
        for (folder, examples) in examples {
            #expect(examples.count { !$0.isStatedInvalid } >= 3, "\(folder)")
            #expect(examples.count(where: \.isStatedInvalid) >= 10, "\(folder)")
        }
    }

    @Test(arguments: Example.all.filter { $0.findings.contains { !$0.edits.isEmpty } })
    func `an edit fixes its finding and breaks nothing`(_ example: Example) throws {
        let before = try example.judge(example.payload)
        for finding in before.findings where !finding.edits.isEmpty {
            let fixed = Edits.apply(finding.edits, to: example.payload)
            let after = try example.judge(fixed)
            #expect(!after.isMalformed)
            #expect(after.errors.count <= before.errors.count)
            #expect(after.findings.count < before.findings.count)
            let isLeft = after.findings.contains {
                $0.rule == finding.rule && $0.pointer == finding.pointer
                    && $0.found == finding.found
            }
            #expect(!isLeft)
        }
    }

    @Test(arguments: Example.all.filter { $0.findings.contains { !$0.edits.isEmpty } })
    func `applying all edits again and again comes to an end`(_ example: Example) throws {
        var text = example.payload
        var rounds = 0
        while rounds < 8 {
            let next = Edits.apply(try example.judge(text).findings, to: text)
            guard next != text else { break }
            text = next
            rounds += 1
        }
        #expect(rounds < 8)
        #expect(try !example.judge(text).findings.contains { !$0.edits.isEmpty })
    }

    @Test(arguments: Example.all)
    func `an example gets exactly the findings it states`(_ example: Example) throws {
        let judgement = try example.judge(example.payload)
        #expect(!judgement.isMalformed)
        let found = judgement.findings.map { ExpectedFinding($0).description }
        #expect(found.sorted() == example.findings.map(\.description).sorted())
        #expect(judgement.findings.count == Set(judgement.findings).count)
        #expect(judgement.isRefused == example.isStatedInvalid)
    }

    @Test(arguments: Example.all)
    func `every finding lies inside the text and says what to do`(_ example: Example) throws {
        let judgement = try example.judge(example.payload)
        for finding in judgement.findings {
            #expect(0 <= finding.start && finding.start < finding.end)
            #expect(finding.end <= example.payload.count)
            #expect(finding.line >= 1 && finding.column >= 1)
            #expect(!finding.found.isEmpty && !finding.allowed.isEmpty && !finding.fix.isEmpty)
        }
        let starts = judgement.findings.map(\.start)
        #expect(starts == starts.sorted())
    }

    @Test(arguments: Example.messages.filter { !$0.isStatedInvalid })
    func `a valid example says what it is and has a summary`(_ example: Example) throws {
        let judgement = try Corpus.rulebook.get().judge(example.payload, example.context)
        let kind = try #require(judgement.payload)
        let summary = Summary.text(of: judgement, direction: example.context.direction)
        #expect(summary.isEmpty == (kind == .typingStart || kind == .typingEnd))
        let name = try #require(Rulebook.schemaName(of: kind, example.context.direction))
        let folder = example.name.split(separator: "/").prefix(2).joined(separator: "/")
        #expect(name == "\(folder == "outbound/attachments" ? "outbound/text" : folder).json")
    }

    @Test(arguments: Example.all.filter { !$0.isStatedInvalid && $0.context.profile == .strict })
    func `what is strictly valid is leniently valid`(_ example: Example) throws {
        var context = example.context
        context.profile = .lenient
        #expect(try example.judge(example.payload, context).errors.isEmpty)
    }

    @Test func `cut and mutated examples never trap, and their edits leave JSON`() throws {
        var random = SeededRandom(seed: 20_261_121)
        for example in Example.all {
            for _ in 0..<(example.document == nil ? 20 : 4) {
                var bytes = example.payload
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes[place] = "{}[]\",:0\\".utf8.randomElement(using: &random) ?? 0
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(bytes[place], at: place)
                    }
                    if bytes.isEmpty { break }
                }
                let judgement = try example.judge(bytes)
                let fixed = Edits.apply(judgement.findings, to: bytes)
                #expect(
                    try judgement.isMalformed || !example.judge(fixed).isMalformed,
                    "\(example.name)")
                _ = LintText.render(judgement, in: bytes, file: "mutated.json")
                _ = Summary.text(of: judgement, direction: example.context.direction)
                _ = judgement.stated.completed(
                    bytes, id: "i", sourceID: "s", destinationID: "d")
            }
        }
    }
}

import DeskDiagnosis
import DeskJSON
import DeskMessages
import DeskModel
import FoundationEssentials
import Testing

/// The schemas, examples and rule pages of this checkout.
enum Corpus {
    static let root: URL = {
        var url = URL(filePath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url
    }()

    /// Every file of Schemas/, by its path below it.
    static let files: [(name: String, bytes: [UInt8])] = {
        let folder = root.appending(path: "Schemas")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".json") }.compactMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
            return (name, Array(data))
        }
    }()

    /// The schemas of what others write; what the server writes, `events/`, has tests of its own.
    static let schemas = files.filter {
        !$0.name.hasPrefix("examples/") && !$0.name.hasPrefix("events/")
    }

    static let rulebook = Result { try Rulebook(schemas: files) }

    /// The moment of judgement for all examples: 2026-06-01T00:00:00Z.
    static let now = Timestamp(milliseconds: 1_780_272_000_000)

    static func text(at path: String) -> String? {
        guard let data = try? Data(contentsOf: root.appending(path: path)) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The payload of an example by its path below Schemas/examples, without `.json`.
    static func payload(_ name: String) throws -> [UInt8] {
        try #require(files.first { $0.name == "examples/\(name).json" }).bytes
    }
}

/// A finding as an expectation file states it.
struct ExpectedFinding: Hashable, CustomStringConvertible {
    let rule: String
    let severity: String
    let pointer: String
    let line: Int
    let column: Int
    let edits: [Edit]

    init(_ finding: Finding) {
        rule = finding.rule.id
        severity = finding.severity.rawValue
        pointer = finding.pointer
        line = finding.line
        column = finding.column
        edits = finding.edits
    }

    init(_ stated: JSONValue) {
        rule = stated["rule"]?.string ?? ""
        severity = stated["severity"]?.string ?? ""
        pointer = stated["pointer"]?.string ?? "?"
        line = stated["line"]?.int ?? 0
        column = stated["column"]?.int ?? 0
        let list = stated["edits"].map { Array($0.elements) } ?? []
        edits = list.compactMap { edit in
            guard let start = edit["start"]?.int, let end = edit["end"]?.int,
                let text = edit["replacement"]?.string
            else { return nil }
            return Edit(start: start, end: end, replacement: text)
        }
    }

    var description: String {
        let changes = edits.map { "\($0.start)-\($0.end):\($0.replacement.prefix(80))" }
        return "\(severity) \(rule) at \(pointer), \(line):\(column) \(changes)"
    }
}

/// One text of Schemas/examples with what it is judged by and what is to be found.
struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let payload: [UInt8]
    let context: JudgementContext
    let findings: [ExpectedFinding]
    let isStatedInvalid: Bool
    /// The schema of what is no message; nil for a message.
    let document: String?

    var testDescription: String { name }

    /// Direction and kind, or the document.
    var folder: String { name.split(separator: "/").dropLast().joined(separator: "/") }

    static let all: [Example] = {
        let prefix = "examples/"
        let files = Dictionary(uniqueKeysWithValues: Corpus.files.map { ($0.name, $0.bytes) })
        return Corpus.files.compactMap { file in
            guard file.name.hasPrefix(prefix), !file.name.hasSuffix(".expected.json") else {
                return nil
            }
            let stem = String(file.name.dropLast(5))
            return Example(
                String(stem.dropFirst(prefix.count)), file.bytes, files[stem + ".expected.json"])
        }
    }()

    static let messages = all.filter { $0.document == nil }

    private init?(_ name: String, _ payload: [UInt8], _ expected: [UInt8]?) {
        let settings = expected.flatMap { try? JSONDocument(parsing: $0).root }
        let steps = name.split(separator: "/")
        let direction = steps.first.flatMap { Direction(rawValue: String($0)) }
        guard (expected == nil) == (settings == nil) else { return nil }
        self.name = name
        self.payload = payload
        isStatedInvalid = name.contains("/invalid-")
        document = direction == nil ? steps.dropLast().joined(separator: "/") : nil
        context = JudgementContext(
            direction: direction ?? .outbound,
            now: settings?["now"]?.string.flatMap { Timestamp($0) } ?? Corpus.now,
            profile: settings?["profile"]?.string.flatMap { Profile(rawValue: $0) } ?? .strict,
            mode: settings?["mode"]?.string.flatMap { Mode(rawValue: $0) } ?? .live,
            capabilities: settings?["capabilities"]?.string.map { CapabilityList(header: $0) })
        findings = (settings?["findings"].map { Array($0.elements) } ?? []).map {
            ExpectedFinding($0)
        }
    }

    /// What the rulebook says of a text in this example's place.
    func judge(_ text: [UInt8], _ context: JudgementContext? = nil) throws -> Judgement {
        let rulebook = try Corpus.rulebook.get()
        let context = context ?? self.context
        guard let document else { return rulebook.judge(text, context) }
        return try #require(rulebook.judge(text, asDocument: document, context))
    }
}

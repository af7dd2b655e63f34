import DeskCommandLine
import DeskJSON
import DeskMessages
import DeskModel
import FoundationEssentials
import Testing

@testable import DeskLint

/// A folder of the test's own, gone with it.
final class LintFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/frontdesk-lint-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // Safe: the folder is temporary.
    }

    func write(_ name: String, _ text: String = "{}") throws {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + name, withDestinationPath: target)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try FileText.read(path + "/" + name, upTo: 1 << 20), as: UTF8.self)
    }
}

struct LintTests {
    /// The schemas of this checkout.
    private static func schemas() throws -> SchemaFolder {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return try SchemaFolder(root.path + "/Schemas")
    }

    private func collect(
        _ folder: LintFolder, _ words: [String] = [""], flags: LintSettings = LintSettings()
    ) throws -> [(path: String, settings: LintSettings)] {
        var files = try LintFiles(flags, try Self.schemas())
        for word in words { try files.add(word.isEmpty ? folder.path : folder.path + "/" + word) }
        return files.files.map { (String($0.path.dropFirst(folder.path.count + 1)), $0.settings) }
    }

    @Test func `a folder gives its payloads and nothing else, in the order of paths`() throws {
        let folder = try LintFolder()
        for name in [
            "b.json", "a/z.json", "a/b/c.json", "c.txt", ".d.json", ".git/e.json",
            "x.expected.json",
            "b.expected.json", "lonely.expected.json",
        ] { try folder.write(name) }
        let outside = try LintFolder()
        try outside.write("secret.json")
        try folder.link("out", to: outside.path)
        try folder.link("out.json", to: outside.path + "/secret.json")
        let found = try collect(folder).map(\.path)
        #expect(
            found == [
                "b.json", "lonely.expected.json", "x.expected.json", "a/z.json", "a/b/c.json",
            ])
        #expect(try collect(folder, ["out.json", "b.expected.json"]).count == 2)
        #expect(throws: UsageError.self) { try collect(folder, ["none"]) }
        try folder.write("empty/note.txt")
        #expect(throws: UsageError.self) { try collect(folder, ["empty"]) }
    }

    @Test func `the nearest settings file counts, and a flag wins over it`() throws {
        let folder = try LintFolder()
        try folder.write(
            ".frontdesk-lint.json",
            #"{"profile":"lenient","direction":"auto","ignore":["node_modules","/a/b","*.skip.json"]}"#
        )
        try folder.write(
            "a/.frontdesk-lint.json",
            #"{"capabilities":["LIST"],"now":"2026-06-01T00:00:00Z","warnings":"error","#
                + #""kind":"template","references":"refused"}"#)
        for name in ["x.json", "y.skip.json", "node_modules/m.json", "a/x.json"] {
            try folder.write(name)
        }
        var flags = LintSettings()
        flags.way = .inbound
        let found = try collect(folder, flags: flags)
        #expect(found.map(\.path) == ["x.json", "a/x.json"])
        #expect(found[0].settings.profile == .lenient && found[0].settings.way == .inbound)
        #expect(found[1].settings.profile == nil && found[1].settings.warnings == .error)
        #expect(found[1].settings.capabilities == CapabilityList([.list]))
        #expect(found[1].settings.kind == .document("template"))
        #expect(found[1].settings.references == .refused && found[0].settings.references == nil)
        #expect(found[1].settings.now == Timestamp("2026-06-01T00:00:00Z"))
    }

    @Test func `the mode's earlier name is still read from a settings file`() throws {
        let folder = try LintFolder()
        try folder.write(".frontdesk-lint.json", "{\"\(Mode.earlierName)\":\"test\"}")
        try folder.write("x.json")
        #expect(try collect(folder).map(\.settings.mode) == [.test])
    }

    @Test(arguments: [
        (#"{"profil":"strict"}"#, "did you mean \"profile\"?"),
        (#"{"profile":"stric"}"#, "did you mean \"strict\"?"),
        (#"{"kind":"templat"}"#, "did you mean \"template\"?"),
        (#"{"colour":1}"#, "see: frontdesk schema show lint-settings"),
        (#"{"now":"today"}"#, "write it like this: 2026-06-01T00:00:00Z"),
        (#"{"profile":}"#, nil),
    ])
    func `a settings file that makes no sense is refused with a hint`(
        text: String, hint: String?
    ) throws {
        let folder = try LintFolder()
        try folder.write(".frontdesk-lint.json", text)
        try folder.write("a.json")
        let error = #expect(throws: UsageError.self) { try collect(folder) }
        #expect(error?.hint == hint)
        #expect(error?.message.contains(".frontdesk-lint.json") == true)
    }

    @Test(arguments: [
        (
            #"{"sourceId":"urn:mbid:AQ","destinationId":"b9159070-c454-4135-8bf3-049809624818"}"#,
            "x.json", Direction.inbound
        ),
        (#"{"destinationId":"urn:mbid:AQ"}"#, "inbound/x.json", .outbound),
        (#"{"destinationId":"tel:+1"}"#, "x.json", .outbound),
        (#"{"interactiveData":{"data":{"replyMessage":{}}}}"#, "x.json", .inbound),
        (#"{"interactiveData":{"data":{"dynamic":{"selections":[]}}}}"#, "x.json", .inbound),
        (#"{"type":"text"}"#, "a/inbound/b/x.json", .inbound),
        (#"{"type":"text"}"#, "inbound/outbound/x.json", .outbound),
        (#"{"type":"text"}"#, "x.json", .outbound), ("{", "inbound/x.json", .outbound),
    ])
    func `auto finds the direction by the ends, the shape, the folder`(
        text: String, name: String, direction: Direction
    ) throws {
        let folder = try LintFolder()
        try folder.write(name, text)
        var settings = LintSettings()
        settings.way = .auto
        let linter = try Self.linter(.json)
        let auto = linter.lint(LintFile(path: folder.path + "/" + name, settings: settings))
        settings.way = direction == .inbound ? .inbound : .outbound
        let said = linter.lint(LintFile(path: folder.path + "/" + name, settings: settings))
        #expect(auto.piece == said.piece && !auto.piece.isEmpty)
    }

    @Test func `a fix goes into the file at once, and the file keeps its mode`() throws {
        let folder = try LintFolder()
        let text = #"{"type":"text","body":"a","mime-type":1,"locale":"en_US"}"#
        try folder.write("a.json", text)
        try folder.link("b.json", to: "a.json")
        try FileText.replace(folder.path + "/b.json", with: Array("[]".utf8))
        #expect(try folder.text("a.json") == "[]")
        let kept = try FileManager.default.attributesOfItem(atPath: folder.path + "/b.json")
        #expect(kept[.type] as? FileAttributeType == .typeSymbolicLink)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: folder.path + "/a.json")
        try FileText.replace(folder.path + "/a.json", with: Array("{}".utf8))
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path + "/a.json")
        #expect((facts[.posixPermissions] as? Int) == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        #expect(throws: UsageError.self) {
            try FileText.replace(folder.path + "/none.json", with: [])
        }
    }

    @Test func `a file over the limit, and a folder, are not read`() throws {
        let folder = try LintFolder()
        try folder.write("a.json", "12345")
        #expect(try FileText.read(folder.path + "/a.json", upTo: 5).count == 5)
        #expect(throws: UsageError.self) {
            try FileText.read(folder.path + "/a.json", upTo: 4)
        }
        #expect(throws: UsageError.self) { try FileText.read(folder.path, upTo: 5) }
    }

    /// Compiled once: a debug build needs a second for that.
    private static let rulebook = Result { try schemas().makeRulebook() }

    private static func linter(_ format: LintFormat) throws -> Linter {
        Linter(
            rulebook: try rulebook.get(), writer: LintWriter(format, [], version: "0"),
            now: Timestamp("2026-06-01T00:00:00Z") ?? Timestamp(seconds: 0), fixes: false)
    }

    @Test(arguments: [
        ([#"{}"#], "error"), ([#"{"profile":"lenient"}"#], "warning"),
        ([#"{"profile":"lenient"}"#, #"{"profile":"strict"}"#], "error"),
    ])
    func `a SARIF log states the severities of the settings files`(
        settings: [String], level: String
    ) throws {
        let folder = try LintFolder()
        for (place, text) in settings.enumerated() {
            try folder.write("\(place)/.frontdesk-lint.json", text)
            try folder.write("\(place)/a.json")
        }
        let writer = LintWriter(.sarif, try collect(folder).map(\.settings), version: "0")
        let log = try JSONDocument(parsing: writer.head + writer.tail).root
        let rules = log["runs"]?[0]?["tool"]?["driver"]?["rules"].map { Array($0.elements) } ?? []
        let rule = try #require(rules.first { $0["id"]?.string == "text-empty" })
        #expect(rule["defaultConfiguration"]?["level"]?.string == level)
    }
}

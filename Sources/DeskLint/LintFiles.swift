package import DeskCommandLine
import FoundationEssentials
import Glibc

/// One text to judge.
package struct LintFile: Sendable {
    /// The path as it is shown; `-` for standard input.
    package let path: String
    /// What the file is judged by.
    package let settings: LintSettings

    /// A text at a path.
    package init(path: String, settings: LintSettings) {
        self.path = path
        self.settings = settings
    }
}

/// Collects what a command line names: files as they are, folders with all payloads in them.
///
/// Of a folder: every `*.json` at any depth, sorted by path. Left out are names that begin with a
/// dot, symbolic links, `NAME.expected.json` beside a `NAME.json`, and what a settings file ignores.
package struct LintFiles {
    /// Most files of one run; more are refused, for a folder that holds them is not one of payloads.
    private static let maximumFiles = 1_000_000

    private let flags: LintSettings
    private var settings: LintSettingsFile
    package private(set) var files: [LintFile] = []

    package init(_ flags: LintSettings, _ schemas: SchemaFolder) throws(UsageError) {
        self.flags = flags
        settings = try LintSettingsFile(schemas)
    }

    /// Adds what one word of the command line names.
    package mutating func add(_ word: String) throws(UsageError) {
        if word == "-" { return try add(word, in: try FileText.resolved(".")) }
        let whole = try FileText.resolved(word)
        guard Self.kind(of: whole) == S_IFDIR else {
            return try add(word, in: Self.parent(of: whole))
        }
        var shown = word[...]
        while shown.utf8.count > 1, shown.hasSuffix("/") { shown = shown.dropLast() }
        let before = files.count
        try walk(String(shown), whole)
        guard files.count > before else {
            throw UsageError("there is no *.json to judge in \(word)")
        }
    }

    private mutating func add(_ path: String, in folder: String) throws(UsageError) {
        let found = try settings.settings(in: folder)
        files.append(LintFile(path: path, settings: flags.over(found.settings)))
    }

    /// Walks a folder in the order of its names, without following links out of it.
    private mutating func walk(_ shown: String, _ whole: String) throws(UsageError) {
        var folders = [(shown: shown, whole: whole)]
        while let next = folders.popLast() {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: next.whole)
            } catch { throw UsageError("\(next.shown) cannot be read") }
            let found = try settings.settings(in: next.whole)
            let here = next.shown == "/" ? "" : next.shown
            let all = Set(names)
            var below: [(shown: String, whole: String)] = []
            for name in names.sorted() where !name.hasPrefix(".") {
                let path = (shown: "\(here)/\(name)", whole: "\(next.whole)/\(name)")
                guard !found.ignores(path.whole) else { continue }
                let kind = Self.kind(of: path.whole)
                if kind == S_IFDIR {
                    below.append(path)
                } else if kind == S_IFREG, Self.isPayload(name, beside: all) {
                    files.append(
                        LintFile(path: path.shown, settings: flags.over(found.settings)))
                }
            }
            guard files.count <= Self.maximumFiles else {
                throw UsageError("there are more than \(Self.maximumFiles) files in \(shown)")
            }
            folders.append(contentsOf: below.reversed())
        }
    }

    /// Whether a folder's file is judged: not what an example is expected to give.
    private static func isPayload(_ name: String, beside all: Set<String>) -> Bool {
        guard name.hasSuffix(".json") else { return false }
        let mark = ".expected.json"
        return !name.hasSuffix(mark) || !all.contains(name.dropLast(mark.count) + ".json")
    }

    /// What lies at a path, a link being a link; 0 for nothing.
    private static func kind(of path: String) -> mode_t {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : 0
    }

    private static func parent(of path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}

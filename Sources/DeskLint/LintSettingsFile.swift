import DeskCommandLine
import DeskJSON
import DeskMessages
import DeskModel
import FoundationEssentials

/// Finds and reads `.frontdesk-lint.json`, the nearest one above a file.
struct LintSettingsFile {
    static let name = ".frontdesk-lint.json"
    /// Largest settings file in bytes; a larger one is refused.
    private static let maximumBytes = 64 * 1_024

    /// What one settings file says.
    struct Found: Sendable {
        var settings = LintSettings()
        /// Paths below the settings file's folder that are not walked into.
        var ignored: [String] = []
        /// The folder it lies in.
        var folder = ""
    }

    private let schema: JSONSchema
    private var known: [String: Found] = [:]

    init(_ schemas: SchemaFolder) throws(UsageError) {
        schema = try schemas.compile("lint-settings.json")
    }

    /// The settings for the files of a folder, given by its whole path.
    mutating func settings(in folder: String) throws(UsageError) -> Found {
        if let found = known[folder] { return found }
        let path = folder == "/" ? "/" + Self.name : folder + "/" + Self.name
        let found: Found
        if FileManager.default.fileExists(atPath: path) {
            found = try read(path, folder)
        } else if folder == "/" || folder.isEmpty {
            found = Found()
        } else {
            let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
            found = try settings(in: parent.isEmpty ? "/" : String(parent))
        }
        known[folder] = found
        return found
    }

    private func read(_ path: String, _ folder: String) throws(UsageError) -> Found {
        let bytes = try FileText.read(path, upTo: Self.maximumBytes)
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw UsageError("\(path):\(error.line):\(error.column): \(error.sentence)")
        }
        if let finding = schema.findings(root).first {
            let position = JSONPosition(offset: finding.range.lowerBound, in: bytes)
            let allowed =
                finding.isAboutKey
                ? "see: frontdesk schema show lint-settings" : "allowed: \(finding.allowed)"
            throw UsageError(
                "\(path):\(position.line):\(position.column): found \(finding.found)",
                hint: finding.suggestion.map { "did you mean \"\($0)\"?" } ?? allowed)
        }
        return try take(root, path, folder)
    }

    private func take(
        _ root: JSONValue, _ path: String, _ folder: String
    ) throws(UsageError) -> Found {
        var found = Found()
        found.folder = folder
        found.settings.profile = root["profile"]?.string.flatMap { Profile(rawValue: $0) }
        found.settings.way = root["direction"]?.string.flatMap { .init(rawValue: $0) }
        found.settings.kind = root["kind"]?.string.map { .init($0) }
        found.settings.references = root["references"]?.string.flatMap { .init(rawValue: $0) }
        found.settings.mode = root["mode"]?.string.flatMap { Mode(rawValue: $0) }
        found.settings.warnings = root["warnings"]?.string.flatMap { .init(rawValue: $0) }
        if found.settings.mode == nil {
            found.settings.mode = root[Mode.earlierName]?.string.flatMap { .init(rawValue: $0) }
        }
        if let words = root["capabilities"] {
            found.settings.capabilities = try LintSettings.capabilities(
                words.elements.compactMap(\.string))
        }
        if let text = root["now"]?.string {
            guard let now = Timestamp(text) else {
                throw UsageError(
                    "\(path): \"now\" is no moment: \"\(text)\"",
                    hint: "write it like this: 2026-06-01T00:00:00Z")
            }
            found.settings.now = now
        }
        found.ignored = root["ignore"].map { $0.elements.compactMap(\.string) } ?? []
        return found
    }
}

extension LintSettingsFile.Found {
    /// Whether a path, given whole, is left out of a walk: an entry names it, or a folder above it.
    func ignores(_ path: String) -> Bool {
        guard !ignored.isEmpty, path.hasPrefix(folder + "/") || folder == "/" else { return false }
        let below = path.dropFirst(folder == "/" ? 1 : folder.count + 1)
        let steps = below.split(separator: "/")
        return ignored.contains { entry in
            let pattern = entry.split(separator: "/").filter { $0 != "." }
            guard !pattern.isEmpty, pattern.count <= steps.count else { return false }
            // A single name is meant wherever it occurs; a path from the settings file on.
            if pattern.count == 1, !entry.hasPrefix("/"), !entry.hasPrefix("./") {
                return steps.contains { Self.fits($0, pattern[0]) }
            }
            return zip(steps, pattern).allSatisfy { Self.fits($0, $1) }
        }
    }

    /// Whether a name fits a pattern in which `*` matches any letters.
    private static func fits(_ name: Substring, _ pattern: Substring) -> Bool {
        let name = Array(name.utf8)
        let pattern = Array(pattern.utf8)
        var (place, at) = (0, 0)
        var star: (pattern: Int, name: Int)?
        while place < name.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = (at, place)
                at += 1
            } else if at < pattern.count, pattern[at] == name[place] {
                (place, at) = (place + 1, at + 1)
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (place, at) = (last.name + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

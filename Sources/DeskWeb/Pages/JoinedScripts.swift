import DeskLog
import Synchronization

/// The joined scripts of pages, each made when a browser asks for it first and kept packed from then on.
///
/// Not at the start: it would last as long as all the rest of it, and many servers are asked for no page.
final class JoinedScripts: Sendable {
    /// The modules that pages begin with.
    let entries: [String]
    private let files: FileSet
    private let log: Log
    private let made = Mutex<[String: Task<[String: FileSet.File], Never>]>([:])

    /// Joins the scripts of the pages of a folder that is at `address`.
    init(_ files: FileSet, at address: String, log: Log) {
        self.files = files
        self.log = log
        entries = Self.entries(of: files, at: address)
    }

    /// The modules that the pages of a folder begin with.
    static func entries(of files: FileSet, at address: String) -> [String] {
        let tag = "<script type=\"module\" src=\"\(address)"
        var found: Set<String> = []
        for path in files.paths where path.hasSuffix(".html") {
            let text = String(decoding: files[path]?.bytes ?? [], as: UTF8.self)
            for piece in text.split(separator: tag, omittingEmptySubsequences: false).dropFirst() {
                found.insert(String(piece.prefix { $0 != "\"" }))
            }
        }
        return found.filter { files[$0] != nil }.sorted()
    }

    /// The joined script of a path, or a part of one; nil for another file.
    ///
    /// Cancel: ignored; what was begun is made for those who ask next.
    func file(_ path: String) async -> FileSet.File? {
        guard let entry = entries.first(where: { Self.isOf($0, path) }) else { return nil }
        let task = made.withLock { made in
            if let known = made[entry] { return known }
            let begun = Task.detached { [files, log] in Self.make(entry, of: files, log) }
            made[entry] = begun
            return begun
        }
        return await task.value[path]
    }

    private static func isOf(_ entry: String, _ path: String) -> Bool {
        path == entry || path.hasPrefix(ScriptJoiner.folder(of: entry))
    }

    private static func make(
        _ entry: String, of files: FileSet, _ log: Log
    ) -> [String: FileSet.File] {
        var joiner = ScriptJoiner { files[$0]?.bytes }
        let texts: [String: [UInt8]]
        do throws(ModuleText.Failure) {
            texts = try joiner.join(entry)
        } catch {
            // It stays as it is, and has the browser load the modules one by one.
            log.warning("scripts_not_joined", ["detail": .text(error.description)])
            return [:]
        }
        var made: [String: FileSet.File] = [:]
        for (path, bytes) in texts {
            let file = FileSet.File(path: path, bytes: bytes)
            file.packed?.pack()
            made[path] = file
        }
        return made
    }
}

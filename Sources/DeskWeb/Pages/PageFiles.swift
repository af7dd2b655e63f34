import DeskBytes
import DeskCrypto

/// The files of the pages, each also at an address that changes with any of them: `~MARK/` before its path.
///
/// Pages refer to their scripts and style sheets by such addresses, and what those refer to by relative ones
/// has the mark too. A browser keeps them for ever and asks for none of them again until the server is
/// another version. Each remains at its plain address, where it is asked for again at every use.
public struct PageFiles: Sendable {
    /// A file, and whether what it holds can never differ at the address under which it was found.
    package struct Found: Sendable {
        package let file: FileSet.File
        package let isFinal: Bool
    }

    /// The files; of the pages among them, those with marked addresses.
    package let files: FileSet
    /// Begins the marked addresses below the folder's.
    package let marked: String

    /// Why scripts could not be joined: their pages load their modules one by one.
    public let failures: [String]

    /// Marks a folder's files, which are at `address` and below, such as `/web/`, and joins the scripts of its pages.
    public init(_ files: FileSet, at address: String) {
        let marked = "~\(files.mark.prefix(16))/"
        self.marked = marked
        var scripts: [String: [UInt8]] = [:]
        var failures: [String] = []
        var joiner = ScriptJoiner { files[$0]?.bytes }
        for script in Self.scripts(of: files, at: address) {
            do throws(ModuleText.Failure) {
                scripts.merge(try joiner.join(script)) { known, _ in known }
            } catch {
                failures.append(error.description)
            }
        }
        self.failures = failures
        self.files = files.replacing { path, bytes in
            guard path.hasSuffix(".html") else { return nil }
            // The text of a page of ours is UTF-8.
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(
                Self.mark(text, address: address, marked: marked) {
                    scripts[ScriptJoiner.folder + $0] == nil ? "" : ScriptJoiner.folder
                }.utf8)
        }
        .adding(scripts)
    }

    /// The modules that pages begin with.
    static func scripts(of files: FileSet, at address: String) -> [String] {
        var found: Set<String> = []
        for path in files.paths where path.hasSuffix(".html") {
            let text = String(decoding: files[path]?.bytes ?? [], as: UTF8.self)
            for piece in text.split(separator: "<script type=\"module\" src=\"\(address)")
                .dropFirst()
            {
                found.insert(String(piece.prefix { $0 != "\"" }))
            }
        }
        return found.sorted()
    }

    /// The file of a path below the folder, with or without a mark.
    ///
    /// With the mark of another version, whose page came from another node, it is this version's, and not final.
    package subscript(_ path: String) -> Found? {
        guard path.utf8.first == UInt8(ascii: "~") else {
            return files[path].map { Found(file: $0, isFinal: $0.isMarked) }
        }
        let parts = path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let file = files[String(parts[1])] else { return nil }
        return Found(file: file, isFinal: path.hasPrefix(marked) || file.isMarked)
    }

    /// Writes the mark into the addresses of scripts and style sheets, as attributes have them, and the folder of
    /// those that are joined.
    private static func mark(
        _ page: String, address: String, marked: String, folder: (String) -> String
    ) -> String {
        var pieces = page.split(separator: "\"\(address)", omittingEmptySubsequences: false)[...]
        var text = String(pieces.removeFirst())
        for piece in pieces {
            let path = piece.prefix { $0 != "\"" }
            let isMarked = path.hasSuffix(".js") || path.hasSuffix(".css")
            text += "\"\(address)\(isMarked ? marked : "")\(folder(String(path)))\(piece)"
        }
        return text
    }
}

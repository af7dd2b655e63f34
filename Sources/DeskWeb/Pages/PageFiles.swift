import DeskBytes
import DeskCrypto
public import DeskLog

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

    private let joined: JoinedScripts

    /// Marks a folder's files, which are at `address` and below, such as `/web/`; the scripts of its pages are joined
    /// when they are asked for.
    public init(_ files: FileSet, at address: String, log: Log = .silent) {
        let marked = "~\(files.mark.prefix(16))\(ScriptJoiner.form)/"
        self.marked = marked
        joined = JoinedScripts(files, at: address, log: log)
        self.files = files.replacing { path, bytes in
            guard path.hasSuffix(".html") else { return nil }
            // The text of a page of ours is UTF-8.
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(Self.mark(text, address: address, marked: marked).utf8)
        }
    }

    /// The file of a path below the folder, with or without a mark.
    ///
    /// With the mark of another version, whose page came from another node, it is this version's, and not final.
    package func find(_ path: String) async -> Found? {
        guard path.utf8.first == UInt8(ascii: "~") else {
            return await file(path).map { Found(file: $0, isFinal: $0.isMarked) }
        }
        let parts = path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let file = await file(String(parts[1])) else { return nil }
        return Found(file: file, isFinal: path.hasPrefix(marked) || file.isMarked)
    }

    private func file(_ path: String) async -> FileSet.File? {
        await joined.file(path) ?? files[path]
    }

    /// Writes the mark into the addresses of scripts and style sheets, as attributes have them.
    private static func mark(_ page: String, address: String, marked: String) -> String {
        var pieces = page.split(separator: "\"\(address)", omittingEmptySubsequences: false)[...]
        var text = String(pieces.removeFirst())
        for piece in pieces {
            let path = piece.prefix { $0 != "\"" }
            let isMarked = path.hasSuffix(".js") || path.hasSuffix(".css")
            text += "\"\(address)\(isMarked ? marked : "")\(piece)"
        }
        return text
    }
}

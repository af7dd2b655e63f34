import DeskCommandLine
import DeskWeb
import FoundationEssentials

/// Where the web files, schemas and pages lie that are read at start.
struct ShareFolders: Sendable, Equatable {
    let web: String
    let schemas: String
    /// Nil when this installation has no documentation; its pages are then 404.
    let docs: String?

    /// Finds the folders: said, else beside the executable, else in the checkout that it was built in.
    ///
    /// `exists` says whether a path is a folder.
    static func find(
        web: String?, schemas: String?, executable: String,
        exists: (String) -> Bool = ShareFolders.isFolder
    ) throws(UsageError) -> ShareFolders {
        let roots = roots(of: executable)
        let webFolder = try folder("web", flag: "web", said: web, in: roots, exists: exists)
        let schemaFolder = try folder(
            "Schemas", flag: "schemas", said: schemas, in: roots, exists: exists)
        let docs = [parent(of: webFolder) + "/docs"] + roots.map { $0 + "/docs" }
        return ShareFolders(
            web: webFolder, schemas: schemaFolder, docs: docs.first(where: exists))
    }

    /// Finds the schemas alone, for commands that need no pages.
    static func findSchemas(_ said: String?, executable: String) throws(UsageError) -> String {
        try folder(
            "Schemas", flag: "schemas", said: said, in: roots(of: executable), exists: isFolder)
    }

    /// Finds the documentation alone; nil when this installation has none.
    static func findDocs(executable: String) -> String? {
        roots(of: executable).map { $0 + "/docs" }.first { isFolder($0 + "/rules") }
    }

    /// Whether the executable lies in a checkout, where `make run` starts it.
    static func isInCheckout(executable: String) -> Bool {
        roots(of: executable).contains { isFolder($0 + "/Sources/frontdesk") }
    }

    /// The pages, schemas and documentation of the folders.
    ///
    /// - Throws: `UsageError` where there is no console among the pages, and what `FileSet` throws.
    func read() throws -> (web: FileSet, schemas: FileSet, docs: FileSet) {
        let pages = try FileSet(folder: web)
        guard pages["console/index.html"] != nil else {
            throw UsageError(
                "--web: the folder \(web) has no console/index.html",
                hint: "it is the folder \"web\" of this version")
        }
        return (
            pages, try FileSet(folder: schemas),
            try docs.map { try FileSet(folder: $0) } ?? FileSet()
        )
    }

    static func isFolder(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && isDirectory
    }

    private static func folder(
        _ name: String, flag: String, said: String?, in roots: [String],
        exists: (String) -> Bool
    ) throws(UsageError) -> String {
        if let said {
            guard exists(said) else { throw UsageError("--\(flag): no such folder: \(said)") }
            return said
        }
        let places = roots.map { $0 + "/" + name }
        if let found = places.first(where: exists) { return found }
        throw UsageError(
            "the folder \"\(name)\" is in none of: \(places.joined(separator: ", "))",
            hint: "name it with --\(flag) DIR")
    }

    /// `PREFIX/share/frontdesk`, then every folder above the executable, which covers a checkout's
    /// `.build`.
    private static func roots(of executable: String) -> [String] {
        var folder = parent(of: executable)
        var roots = [parent(of: folder) + "/share/frontdesk"]
        while folder != "/", folder != ".", !folder.isEmpty {
            folder = parent(of: folder)
            roots.append(folder == "/" ? "" : folder)
        }
        return roots.filter { !$0.isEmpty }
    }

    private static func parent(of path: String) -> String {
        var rest = path[...]
        while rest.utf8.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }
}

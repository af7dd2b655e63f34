import DeskJSON
import DeskMessages
import FoundationEssentials

/// The schemas of this installation, without the examples beside them.
struct SchemaFolder: Sendable {
    /// The files by their path below the folder, sorted.
    let files: [(name: String, bytes: [UInt8])]
    private let folder: String

    private static let maximumBytes = 8 * 1_024 * 1_024

    /// Reads the folder that was said, or the one of this installation.
    init(_ said: String?, executable: String) throws(UsageError) {
        folder = try ShareFolders.findSchemas(said, executable: executable)
        var files: [(name: String, bytes: [UInt8])] = []
        let below = Self.names(in: folder).filter { $0 != "examples" }.map { $0 + "/" }
        for part in [""] + below {
            for name in Self.names(in: folder + "/" + part) where name.hasSuffix(".json") {
                let path = folder + "/" + part + name
                files.append((part + name, try FileText.read(path, upTo: Self.maximumBytes)))
            }
        }
        self.files = files
    }

    /// The rules, compiled from these schemas.
    func makeRulebook() throws(UsageError) -> Rulebook {
        do throws(RulebookError) {
            return try Rulebook(schemas: files)
        } catch {
            throw UsageError("the schemas in \(folder) cannot be used: \(error)")
        }
    }

    /// One schema, compiled by itself.
    func compile(_ name: String) throws(UsageError) -> JSONSchema {
        do throws(SchemaError) {
            var library = SchemaLibrary()
            for file in files {
                try library.register(file.bytes, at: "https://frontdesk.invalid/\(file.name)")
            }
            return try library.compile("https://frontdesk.invalid/\(name)")
        } catch {
            throw UsageError("the schemas in \(folder) cannot be used: \(error)")
        }
    }

    private static func names(in folder: String) -> [String] {
        // Safe: what is no folder has no schemas, and whoever needs one will say so.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}

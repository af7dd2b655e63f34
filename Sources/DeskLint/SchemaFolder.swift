package import DeskCommandLine
package import DeskJSON
package import DeskMessages
import FoundationEssentials

/// The schemas of this installation, without the examples beside them.
package struct SchemaFolder: Sendable {
    /// The files by their path below the folder, sorted.
    package let files: [(name: String, bytes: [UInt8])]
    private let folder: String

    /// Longest path below the folder that is looked into, in bytes; a link may lead round in it.
    private static let maximumPathBytes = 64
    private static let maximumBytes = 8 * 1_024 * 1_024

    /// Reads a folder.
    package init(_ folder: String) throws(UsageError) {
        self.folder = folder
        var files: [(name: String, bytes: [UInt8])] = []
        var parts = [""]
        while let part = parts.popLast() {
            for name in Self.names(in: folder + "/" + part) where part + name != "examples" {
                if name.hasSuffix(".json") {
                    let path = folder + "/" + part + name
                    files.append((part + name, try FileText.read(path, upTo: Self.maximumBytes)))
                } else if part.utf8.count < Self.maximumPathBytes {
                    parts.append(part + name + "/")
                }
            }
        }
        self.files = files.sorted { $0.name < $1.name }
    }

    /// The rules, compiled from these schemas.
    package func makeRulebook() throws(UsageError) -> Rulebook {
        do throws(RulebookError) {
            return try Rulebook(schemas: files)
        } catch {
            throw UsageError("the schemas in \(folder) cannot be used: \(error)")
        }
    }

    /// One schema, compiled by itself.
    package func compile(_ name: String) throws(UsageError) -> JSONSchema {
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
        // Safe: what is no folder has no schemas; a caller that needs one reports that it is
        // missing.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}

import DeskModel
import DeskStore
import FoundationEssentials
import TestSupport

@testable import DeskStoreSQLite

/// A store of one schema version as SQL text, in `Fixtures`.
///
/// Each holds the same conversations and registry entries, as far as its version had tables for them:
/// `SchemaFixture+Making.swift` writes those of the newest version, and shows what is in them.
enum SchemaFixture {
    /// The attachments that every fixture names; their files lie beside the database.
    static let files = ["a picture", "another picture"]

    static func path(of version: Int) -> String {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let number = version < 10 ? "0\(version)" : "\(version)"
        return here.path + "/../Fixtures/schema-\(number).sql"
    }

    /// The fixture's text; nil when there is none.
    static func text(of version: Int) -> String? {
        guard let bytes = FileManager.default.contents(atPath: path(of: version)) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the key that encrypts the fixtures' secrets into a data directory.
    static func writeKey(in directory: String) throws {
        guard let keys = EncryptionKeys([Array(repeating: 9, count: EncryptionKeys.keyBytes)])
        else { throw Unexpected("the fixtures' key") }
        try EncryptionKeyFile(in: directory).write(keys)
    }

    /// Lays a data directory out as a program of that version left it.
    static func layOut(_ version: Int, in directory: String) async throws {
        guard let text = text(of: version) else { throw Unexpected("no fixture \(version)") }
        try writeKey(in: directory)
        let blobs = try DirectoryBlobStore(directory: directory + "/blobs")
        for file in files { _ = try await blobs.store(Array(file.utf8)) }
        let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
        try file.execute("BEGIN; \(text) COMMIT")
    }

    /// What a database's tables, indexes and triggers are made by, without the layout of the text.
    static func schema(of file: Connection) throws -> [String: String] {
        let rows = try file.prepare(
            "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        ).all { ($0.text(), $0.text()) }
        return Dictionary(
            uniqueKeysWithValues: rows.map { name, sql in
                (name, sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            })
    }

    /// Writes a database as SQL text that makes it again.
    static func dump(_ file: Connection, version: Int) throws -> String {
        let objects = try file.prepare(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
        ).all { ($0.text(), $0.text(), $0.text()) }
        let tables = objects.filter { $0.0 == "table" && $0.1 != "sqlite_sequence" }
        var lines = [
            "-- A store of schema version \(version).",
            "-- Tables and rows: written by the program of this version through its public protocols"
                + " (SchemaFixture+Making.swift). Never edited.",
        ]
        lines += tables.map { "\($0.2);" }
        for (_, name, _) in tables {
            let columns = try file.prepare("SELECT name FROM pragma_table_info('\(name)')")
                .all { $0.text() }
            let values = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
            lines += try file.prepare(
                "SELECT 'INSERT INTO \(name) VALUES (' || \(values) || ');' FROM \(name)"
            ).all { $0.text() }
        }
        // Last, so that no trigger counts a row twice.
        lines += objects.filter { $0.0 != "table" }.map { "\($0.2);" }
        lines.append("PRAGMA user_version = \(version);")
        return lines.joined(separator: "\n") + "\n"
    }
}

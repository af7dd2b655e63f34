import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// Whether every engine has the same registries.
@Suite struct RegistrySchemaTests {
    /// A column's name, and whether it may be NULL.
    private struct Column: Hashable, CustomStringConvertible {
        let name: String
        let mayBeNull: Bool
        var description: String { "\(name)\(mayBeNull ? "?" : "")" }
    }

    private static func inSQLite(
        _ table: String, on connection: Connection
    ) throws(StoreError) -> Set<Column> {
        let rows = try connection.prepare(
            "SELECT name, \"notnull\" OR pk > 0 FROM pragma_table_info('\(table)')"
        ).all { Column(name: $0.text(), mayBeNull: !$0.bool()) }
        return Set(rows)
    }

    private static func inPostgreSQL(
        _ store: any SQLRegistries, _ table: String
    ) async throws -> Set<Column> {
        let rows = try await store.readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                SELECT column_name::text, is_nullable::text FROM information_schema.columns \
                WHERE table_schema = current_schema() AND table_name = ?
                """)
            try statement.bind(table)
            var rows: [(String, String)] = []
            while try statement.step() {
                rows.append((statement.textIfAny() ?? "", statement.textIfAny() ?? ""))
            }
            return rows
        }
        return Set(rows.map { Column(name: $0.0, mayBeNull: $0.1 == "YES") })
    }

    @Test func `a new database has the columns that the migrations of SQLite lead to`()
        async throws
    {
        try await withScratch { directory in
            let migrated = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: migrated)
            let stated = try Connection(path: directory + "/b.sqlite", mayWrite: true)
            try stated.execute(RegistrySchema.statements(for: .sqlite))
            for table in RegistrySchema.tables {
                let columns = try Self.inSQLite(table, on: migrated)
                #expect(!columns.isEmpty, "\(table)")
                #expect(try Self.inSQLite(table, on: stated) == columns, "\(table)")
            }
            try await KeptRegistries.withPostgres { stores in
                for table in RegistrySchema.tables + LogSchema.tables {
                    let columns = try Self.inSQLite(table, on: migrated)
                    #expect(try await Self.inPostgreSQL(stores[0], table) == columns, "\(table)")
                }
            }
        }
    }

    @Test func `every table of SQLite is a registry's or the log's`() async throws {
        // Rows that lag behind are SQLite's own.
        let tablesOfLog = Set(LogSchema.tables).union(["settled"])
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            let tables = try connection.prepare(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).all { $0.text() }
            #expect(
                Set(tables).subtracting(tablesOfLog).symmetricDifference(RegistrySchema.tables)
                    .isEmpty, "\(tables.sorted())")
        }
    }

    @Test func `every other table of PostgreSQL is one that SQLite has no use for`() async throws {
        let turns = ["schema_version", "log_turn", "commits", "leases"]
        let nodes = ["nodes", "credential_changes"]
        // SQLite's store has files beside it.
        let files = [
            "blobs", "blob_uploads", "blob_pieces", "search_state", "search_terms",
            "search_note_state", "search_notes",
        ]
        try await KeptRegistries.withPostgres { stores in
            let tables = try await stores[0].readRegistry { sql throws(StoreError) in
                try sql.statement(
                    literal: """
                        SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()
                        """
                ).all { $0.textIfAny() ?? "" }
            }
            #expect(
                Set(tables).subtracting(RegistrySchema.tables).subtracting(LogSchema.tables)
                    == Set(turns + nodes + files), "\(tables.sorted())")
        }
    }

    @Test(arguments: [
        ("SELECT 1", "SELECT 1"),
        ("a = ? AND b = ?", "a = $1 AND b = $2"),
        ("a = ?2 AND b = ?1 AND c = ?", "a = $2 AND b = $1 AND c = $3"),
        ("(?10, ?1)", "($10, $1)"),
        ("name = 'caf\u{e9}' AND b > ?", "name = 'caf\u{e9}' AND b > $1"),
    ])
    func `parameters are written as the engine reads them`(text: String, dollars: String) {
        #expect(Dialect.sqlite.statement(text) == text)
        #expect(Dialect.postgreSQL.statement(text) == dollars)
    }
}

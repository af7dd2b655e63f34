import DeskStore
import Testing

@testable import DeskStoreSQLite

/// What migrations promise.
@Suite struct MigrationTests {
    @Test func `a fresh database is brought to the newest version`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            #expect(try Migrations.version(of: connection) == Migrations.newest)
            // Running them again does nothing.
            try Migrations.run(on: connection)
            #expect(try Migrations.version(of: connection) == Migrations.newest)
        }
    }

    @Test func `a step that fails leaves the version before it`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            let steps = [
                "CREATE TABLE one (x)", "CREATE TABLE two (x); CREATE TABLE one (x)",
            ]
            #expect(throws: StoreError.self) {
                try Migrations.run(on: connection, through: steps)
            }
            #expect(try Migrations.version(of: connection) == 1)
            let tables = try connection.prepare("SELECT name FROM sqlite_schema").all { $0.text() }
            #expect(tables == ["one"])
        }
    }

    @Test func `a newer database is not touched`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try connection.execute("PRAGMA user_version = 1000")
            #expect(throws: StoreError(.tooNew, "schema 1000, known \(Migrations.newest)")) {
                try Migrations.run(on: connection)
            }
        }
    }

    @Test func `the accept path has no index that was not counted`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            let indexes = try connection.prepare(
                """
                SELECT tbl_name || ' ' || coalesce(sql, 'unique') FROM sqlite_schema \
                WHERE type = 'index' AND tbl_name IN ('messages', 'events', 'conversations') \
                ORDER BY tbl_name, name
                """
            ).all { $0.text() }
            #expect(indexes.count { $0.hasPrefix("messages") } == 1)
            #expect(indexes.count { $0.hasPrefix("events") } == 0)
            #expect(indexes.count { $0.hasPrefix("conversations") } == 4)
        }
    }
}

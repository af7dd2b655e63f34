import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStoreSQLite

/// Writes that change many pages at once.
@Suite struct LargeWriteTests {
    /// Where SQLite keeps what a savepoint can undo: in a file, as while migrations run, or in memory.
    @Test(arguments: ["DEFAULT", "MEMORY"], [400, 40_000])
    func `what a savepoint can undo has any size`(place: String, rows: Int) async throws {
        try await withScratch { folder in
            let connection = try Connection(path: folder + "/large", mayWrite: true)
            try connection.execute(
                """
                PRAGMA journal_mode = WAL; PRAGMA temp_store = \(place);
                CREATE TABLE large (number INTEGER, bytes BLOB);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
                INSERT INTO large SELECT 1, zeroblob(200) FROM n;
                BEGIN; SAVEPOINT one; UPDATE large SET number = 2; RELEASE one;
                SAVEPOINT two; UPDATE large SET number = 3; ROLLBACK TO two; RELEASE two; COMMIT;
                """)
            let sum = try connection.prepare("SELECT sum(number) FROM large").first {
                $0.integer()
            }
            #expect(sum == Int64(2 * rows))
        }
    }

    @Test func `what the writer can undo is in no file, since it may be what is erased`()
        async throws
    {
        try await withScratch { folder in
            let store = try SQLiteStore(directory: folder + "/data", newEpoch: Epoch(1))
            let place = try await store.writeRegistry { sql, _ throws(StoreError) in
                try sql.statement(once: "PRAGMA temp_store").first { $0.integer() }
            }
            #expect(place == 2)
            await store.close()
        }
    }
}

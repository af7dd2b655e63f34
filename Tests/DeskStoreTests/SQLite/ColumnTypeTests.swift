import StoreSupport
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// Whether SQLite, which stores any type in any column, stores what an engine with strict types would.
@Suite struct ColumnTypeTests {
    @Test func `every value of a filled store has the type that its column states`() async throws {
        try await withScratch { directory in
            try await FilledStore.make(in: directory).close()
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: false)
            let columns = try file.prepare(
                """
                SELECT t.name, c.name, lower(c.type) FROM pragma_table_list t \
                JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
                """
            ).all { (table: $0.text(), name: $0.text(), type: $0.text()) }
            #expect(columns.contains { $0 == ("events", "data", "blob") })
            for column in columns {
                let others = try file.prepare(
                    """
                    SELECT count(*) FROM \(column.table) \
                    WHERE typeof(\(column.name)) NOT IN ('null', '\(column.type)')
                    """
                ).first { $0.integer() }
                #expect(others == 0, "\(column.table).\(column.name)")
            }
        }
    }
}

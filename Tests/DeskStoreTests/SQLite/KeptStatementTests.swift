import DeskStore
import Testing

@testable import DeskStoreSQLite

/// How many prepared statements a connection keeps.
@Suite struct KeptStatementTests {
    @Test func `a connection keeps so many statements and no more, and one in use goes on`() throws
    {
        let connection = try Connection(path: Connection.memory, mayWrite: true)
        let first = try connection.statement("SELECT 1 UNION ALL SELECT 2 ORDER BY 1")
        #expect(try first.step())
        for number in 0..<2 * Connection.mostComposed {
            let statement = try connection.statement("SELECT \(number)")
            #expect(try statement.first { $0.integer() } == Int64(number))
        }
        #expect(connection.composedCount <= Connection.mostComposed)
        #expect(first.integer() == 1)
        #expect(try first.step())
        #expect(first.integer() == 2)
    }
}

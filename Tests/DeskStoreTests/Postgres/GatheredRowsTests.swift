import DeskSQL
import DeskStore
import PostgresSupport
import Testing

@testable import DeskStorePostgres

/// Rows of one INSERT that follow each other are sent together, and nothing else is different by that.
@Suite struct GatheredRowsTests {
    private static let insert: StaticString = "INSERT INTO pairs (number, name) VALUES (?, ?)"

    private static func with(
        _ body: (PostgresConnection) throws(StoreError) -> Void
    ) async throws {
        try await PostgresSchema.with { address in
            let connection = try PostgresFixture.connect(to: address)
            try connection.execute("CREATE TABLE pairs (number bigint PRIMARY KEY, name text)")
            connection.sendsAhead = true
            try body(connection)
        }
    }

    private static func add(
        _ number: Int64, on connection: PostgresConnection
    ) throws(StoreError) {
        let statement = try connection.statement(literal: insert)
        try statement.bind(number)
        if number % 3 == 0 { statement.bindNull() } else { try statement.bind("name \(number)") }
        try statement.run()
    }

    private static func all(on connection: PostgresConnection) throws(StoreError) -> [String] {
        try connection.statement(
            literal: "SELECT number || coalesce(name, '') FROM pairs ORDER BY number"
        ).all { $0.textIfAny() ?? "" }
    }

    @Test(arguments: [1, 2, 3, 31, 32, 33, 75, 600])
    func `as many rows as there were are stored, each with its own values`(count: Int64)
        async throws
    {
        try await Self.with { connection throws(StoreError) in
            try connection.begin("BEGIN")
            for number in 1...count { try Self.add(number, on: connection) }
            try connection.commit()
            let expected = (1...count).map { $0 % 3 == 0 ? "\($0)" : "\($0)name \($0)" }
            #expect(try Self.all(on: connection) == expected)
        }
    }

    @Test func `what is asked between two rows sees the first`() async throws {
        try await Self.with { connection throws(StoreError) in
            try connection.begin("BEGIN")
            for number in Int64(1)...5 {
                try Self.add(number, on: connection)
                #expect(try Self.all(on: connection).count == Int(number))
            }
            try connection.commit()
        }
    }

    @Test(arguments: [1, 40])
    func `rows of a transaction that failed are not stored with the next`(before: Int64)
        async throws
    {
        try await Self.with { connection throws(StoreError) in
            try Self.add(7, on: connection)
            try connection.readAhead()
            try connection.begin("BEGIN")
            let error = #expect(throws: StoreError.self) {
                for number in 100..<100 + before { try Self.add(number, on: connection) }
                try Self.add(7, on: connection)
                try connection.commit()
            }
            #expect(error?.code == .refused && connection.hasDuplicate)
            try connection.rollBack()
            try connection.begin("BEGIN")
            try Self.add(8, on: connection)
            // Never sent.
            try connection.rollBack()
            try connection.begin("BEGIN")
            try Self.add(10, on: connection)
            try connection.commit()
            #expect(try Self.all(on: connection) == ["7name 7", "10name 10"])
        }
    }

    @Test(arguments: [
        ("INSERT INTO t (a, b) VALUES (?, ?)", 2), ("INSERT INTO t (a) VALUES (?)", 1),
        ("INSERT INTO t (a) VALUES (?) ON CONFLICT DO NOTHING", nil),
        ("INSERT INTO t (a) VALUES (?) RETURNING a", nil),
        ("INSERT INTO t (a, b) VALUES (?, now())", nil), ("INSERT INTO t (a) VALUES (1)", nil),
        ("INSERT INTO t (a) SELECT a FROM u WHERE a IN (?)", nil), ("UPDATE t SET a = (?)", nil),
    ])
    func `only an INSERT of one row that binds all its values waits for more`(
        sql: String, columns: Int?
    ) {
        #expect(GatheredRows(sql)?.columns == columns)
    }
}

import DeskModel
import DeskSQL
import DeskStore

extension Connection {
    /// The connection as the registries use it; statements stay prepared.
    var sql: SQLiteSession { SQLiteSession(connection: self) }
}

extension Statement {
    /// The statement as the registries use it.
    var sql: SQLiteStatement { SQLiteStatement(statement: self) }
}

/// A connection to SQLite as the registries use it.
struct SQLiteSession: SQLSession {
    let connection: Connection

    var dialect: Dialect { .sqlite }

    func statement(literal sql: StaticString) throws(StoreError) -> any SQLStatement {
        try connection.statement(literal: sql).sql
    }

    func statement(_ sql: String) throws(StoreError) -> any SQLStatement {
        try connection.statement(sql).sql
    }

    func statement(once sql: String) throws(StoreError) -> any SQLStatement {
        try connection.prepare(sql).sql
    }

    func statement(streaming sql: String) throws(StoreError) -> any SQLStatement {
        try connection.prepare(sql).sql
    }

    func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try body()
    }
}

/// A statement of SQLite as the registries use it.
struct SQLiteStatement: SQLStatement {
    let statement: Statement

    func bind(_ value: Int64) throws(StoreError) { try statement.bind(value) }
    func bind(_ value: Bool) throws(StoreError) { try statement.bind(value) }
    func bind(_ text: String) throws(StoreError) { try statement.bind(text) }
    func bind(_ bytes: [UInt8]) throws(StoreError) { try statement.bind(bytes) }
    func bind(_ id: UniqueID) throws(StoreError) { try statement.bind(id) }
    func bind(_ digest: Digest) throws(StoreError) { try statement.bind(digest) }
    func bindNull() { statement.bindNull() }
    func beginChecksum() { statement.beginChecksum() }
    func bindChecksum(_ row: CheckedRow) throws(StoreError) {
        try statement.bindChecksum(row.layout)
    }

    func step() throws(StoreError) -> Bool { try statement.step() }
    func runCounting() throws(StoreError) -> Int { try statement.runCounting() }
    func run() throws(StoreError) { try statement.run() }
    func reset() { statement.reset() }

    var column: Int { Int(statement.column) }
    func skip(_ columns: Int) { statement.skip(columns) }
    func move(to column: Int) { statement.move(to: column) }
    func integerIfAny() -> Int64? { statement.integerIfAny() }
    func textIfAny() -> String? { statement.textIfAny() }
    func bytesIfAny() -> [UInt8]? { statement.bytesIfAny() }
    func verifiedColumns(_ row: CheckedRow) -> Int? { statement.verifiedColumns(row.layout) }
}

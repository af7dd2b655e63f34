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

    func statement(literal sql: StaticString) throws(StoreError) -> any SQLStatement {
        try connection.statement(literal: sql).sql
    }

    func statement(_ sql: String) throws(StoreError) -> any SQLStatement {
        try connection.statement(sql).sql
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
    func reset() { statement.reset() }

    var column: Int { Int(statement.column) }
    func skip(_ columns: Int) { statement.skip(columns) }
    func integerIfAny() -> Int64? { statement.integerIfAny() }
    func textIfAny() -> String? { statement.textIfAny() }
    func bytesIfAny() -> [UInt8]? { statement.bytesIfAny() }
    func isVerified(_ row: CheckedRow) -> Bool { statement.isVerified(row.layout) }
}

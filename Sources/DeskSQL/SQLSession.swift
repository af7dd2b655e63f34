public import DeskModel
public import DeskStore

/// One connection to a database, inside a transaction or reading beside others; one thread at a time.
///
/// The registries are written over it once, in the SQL that every engine understands. A statement
/// is written with SQLite's parameters (`?`, `?1`); `Dialect` says how an engine spells them.
public protocol SQLSession {
    /// How the engine spells what differs.
    var dialect: Dialect { get }

    /// The prepared statement for a literal; the session prepares it once.
    func statement(literal sql: StaticString) throws(StoreError) -> any SQLStatement

    /// The prepared statement for a text of ours that is put together from pieces.
    func statement(_ sql: String) throws(StoreError) -> any SQLStatement

    /// A statement for one use, which ends before the session makes the next of this kind.
    func statement(once sql: String) throws(StoreError) -> any SQLStatement

    /// A statement that is stepped through once, however many rows there are, a few of which are held at a time.
    ///
    /// It binds nothing. Inside a transaction it ends with it.
    func statement(streaming sql: String) throws(StoreError) -> any SQLStatement

    /// Reads rows so that the transaction goes on where that fails.
    func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value
}

/// One prepared statement: bind in order, step, read in order, and it is reset for the next use.
public protocol SQLStatement {
    // MARK: Binding, one parameter after the other

    /// Binds a number.
    func bind(_ value: Int64) throws(StoreError)
    /// Binds a claim.
    func bind(_ value: Bool) throws(StoreError)
    /// Binds a text.
    func bind(_ text: String) throws(StoreError)
    /// Binds bytes.
    func bind(_ bytes: [UInt8]) throws(StoreError)
    /// Binds an id's 16 bytes.
    func bind(_ id: UniqueID) throws(StoreError)
    /// Binds a digest's 32 bytes.
    func bind(_ digest: Digest) throws(StoreError)
    /// Leaves a parameter as it is: at first, and after each reset, it is NULL.
    func bindNull()
    /// Begins a row checksum over what is bound from here on.
    func beginChecksum()
    /// Binds the checksum of a row, all of whose columns were bound since `beginChecksum`, and ends it.
    func bindChecksum(_ row: CheckedRow) throws(StoreError)

    // MARK: Running

    /// Moves to the next row; false after the last, and then the statement is reset.
    func step() throws(StoreError) -> Bool
    /// Runs a statement without rows and returns how many rows it changed.
    func runCounting() throws(StoreError) -> Int
    /// Runs a statement without rows; where a session sends ahead, its failure is thrown by a later call.
    func run() throws(StoreError)
    /// Makes the statement ready for its next use.
    func reset()

    // MARK: Reading, one column after the other

    /// The column that is read next, from 0.
    var column: Int { get }
    /// Leaves columns out.
    func skip(_ columns: Int)
    /// Continues reading at a column.
    func move(to column: Int)
    /// Reads a number or a claim (1 or 0); nil for NULL.
    func integerIfAny() -> Int64?
    /// Reads a text; nil for NULL.
    func textIfAny() -> String?
    /// Reads bytes; nil for NULL.
    func bytesIfAny() -> [UInt8]?
    /// How many of a row's columns, which lie from the next one on with their checksum behind them,
    /// that checksum covers; nil when the columns are not what was written.
    ///
    /// The column that is read next stays the same.
    func verifiedColumns(_ row: CheckedRow) -> Int?
}

/// What the checksum of a row covers.
public struct CheckedRow: Sendable {
    /// The row's columns and coverages.
    package let layout: RowLayout

    init(_ layout: RowLayout) { self.layout = layout }

    /// Rows of conversations.
    package static let conversations = CheckedRow(.conversations)
    /// Rows of messages.
    package static let messages = CheckedRow(.messages)
    /// Rows of events.
    package static let events = CheckedRow(.events)
    /// Rows of notes.
    package static let notes = CheckedRow(.notes)
}

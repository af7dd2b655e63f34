import DeskModel
import DeskSQL
import DeskStore

/// The rows of a statement, some at a time: the server holds where it is, and this process what it reads next.
final class PostgresCursor: SQLStatement {
    /// Rows of one round trip: as many messages of the largest size as may lie in memory.
    static let rowsAtOnce = 64

    private let fetch: PostgresStatement
    private var isEmpty = true
    private var isOver = false

    init(fetching fetch: PostgresStatement) { self.fetch = fetch }

    func step() throws(StoreError) -> Bool {
        while !isOver {
            if try fetch.step() {
                isEmpty = false
                return true
            }
            isOver = isEmpty
            isEmpty = true
        }
        return false
    }

    func reset() { fetch.reset() }

    // MARK: Reading

    var column: Int { fetch.column }
    func skip(_ columns: Int) { fetch.skip(columns) }
    func move(to column: Int) { fetch.move(to: column) }
    func integerIfAny() -> Int64? { fetch.integerIfAny() }
    func textIfAny() -> String? { fetch.textIfAny() }
    func bytesIfAny() -> [UInt8]? { fetch.bytesIfAny() }
    func verifiedColumns(_ row: CheckedRow) -> Int? { fetch.verifiedColumns(row) }

    // MARK: It binds nothing, and is stepped through

    func bind(_ value: Int64) { refuse() }
    func bind(_ value: Bool) { refuse() }
    func bind(_ text: String) { refuse() }
    func bind(_ bytes: [UInt8]) { refuse() }
    func bind(_ id: UniqueID) { refuse() }
    func bind(_ digest: Digest) { refuse() }
    func bindNull() { refuse() }
    func beginChecksum() { refuse() }
    func bindChecksum(_ row: CheckedRow) { refuse() }
    func runCounting() -> Int { refuse() }
    func run() { refuse() }

    private func refuse() -> Never { preconditionFailure("a cursor has rows and nothing else") }
}

import DeskSQL
import DeskStore

/// How rows of one INSERT that follow each other are sent as few statements: a statement of many rows costs the
/// server, and this process, a third less for each.
///
/// Limit: `mostRows` and `mostBytes` wait, then they are sent.
struct GatheredRows {
    /// How many rows a statement has: each has a prepared statement of its own, made when it is first needed.
    private static let sizes = [32, 8, 2, 1]
    private static let mostRows = 32
    private static let mostBytes = 1 << 20

    /// What stands before the first row's values.
    private let head: Substring
    /// How many values a row has.
    let columns: Int
    /// How many rows wait.
    private(set) var rows = 0
    private var prepared: [Int: String] = [:]

    /// Reads a statement; nil for what is no INSERT of one row that binds each of its values.
    init?(_ sql: String) {
        guard sql.hasPrefix("INSERT INTO "), sql.last == ")", let start = sql.lastIndex(of: "("),
            sql[..<start].hasSuffix("VALUES ")
        else { return nil }
        let values = sql[sql.index(after: start)...].dropLast().split(separator: ",")
        guard values.allSatisfy({ $0.filter { $0 != " " } == "?" }) else { return nil }
        head = sql[..<start]
        columns = values.count
    }

    /// Notes that one more row waits; whether it is time to send them.
    mutating func add(bytes: Int) -> Bool {
        rows += 1
        return rows >= Self.mostRows || bytes >= Self.mostBytes
    }

    /// The statements that send what waits: how many rows each has, in order.
    mutating func take() -> [Int] {
        var sizes: [Int] = []
        while rows > 0 {
            let size = Self.sizes.first { $0 <= rows } ?? 1
            sizes.append(size)
            rows -= size
        }
        return sizes
    }

    /// Forgets what waits.
    mutating func drop() { rows = 0 }

    /// The prepared statement for so many rows, which `prepare` makes of its text and a suffix of its name.
    mutating func statement(
        of rows: Int, _ prepare: (String, String) throws(StoreError) -> String
    ) throws(StoreError) -> String {
        if let known = prepared[rows] { return known }
        let row = "(\(Dialect.parameters(columns)))"
        let made = try prepare(
            head + Array(repeating: row, count: rows).joined(separator: ", "), "x\(rows)")
        prepared[rows] = made
        return made
    }
}

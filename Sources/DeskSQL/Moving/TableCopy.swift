import DeskModel
import DeskStore

/// Copies the rows of one table from one engine to the other, in the order of its primary key.
struct TableCopy {
    /// Rows that are read at once: a page of the largest is some 50 MB.
    static let page = 250

    /// A column's value.
    enum Value {
        case null
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
    }

    let shape: TableShape
    private let checksum: EventRowChecksum?

    init(shape: TableShape) {
        self.shape = shape
        checksum = EventRowChecksum(shape)
    }

    // MARK: Reading

    /// The rows behind one with this key, or the first; a table without a key is read whole.
    func read(
        after key: [Value]?, on sql: any SQLSession
    ) throws(StoreError) -> [[Value]] {
        let statement = try sql.statement(select(isFirst: key == nil))
        if let key { for value in key { try Self.bind(value, to: statement) } }
        if !shape.key.isEmpty { try statement.bind(Int64(Self.page)) }
        return try statement.all { row throws(StoreError) in try self.values(of: row) }
    }

    private func select(isFirst: Bool) -> String {
        let columns = shape.columns.map(\.name).joined(separator: ", ")
        let key = shape.key.map { shape.columns[$0].name }
        guard !key.isEmpty else { return "SELECT \(columns) FROM \(shape.name)" }
        let names = key.joined(separator: ", ")
        let behind =
            isFirst ? "" : " WHERE (\(names)) > (\(Dialect.parameters(key.count)))"
        return "SELECT \(columns) FROM \(shape.name)\(behind) ORDER BY \(names) LIMIT ?"
    }

    private func values(of row: any SQLStatement) throws(StoreError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(shape.columns.count)
        for column in shape.columns {
            switch column.kind {
            case .integer: values.append(row.integerIfAny().map { .integer($0) } ?? .null)
            case .bytes: values.append(row.bytesIfAny().map { .bytes($0) } ?? .null)
            case .text:
                guard let bytes = row.bytesIfAny() else {
                    values.append(.null)
                    continue
                }
                guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0)
                else {
                    throw StoreError(
                        .refused,
                        "a row of the table \(shape.name) has a text in \(column.name) that is not "
                            + "UTF-8, or has U+0000, which PostgreSQL does not keep")
                }
                values.append(.text(text))
            }
        }
        checksum?.renew(&values)
        return values
    }

    /// The key of a row.
    func key(of row: [Value]) -> [Value] { shape.key.map { row[$0] } }

    /// The key of the last row; nil when there is none.
    func lastKey(on sql: any SQLSession) throws(StoreError) -> [Value]? {
        let key = shape.key.map { shape.columns[$0] }
        let names = key.map(\.name)
        let falling = names.map { "\($0) DESC" }.joined(separator: ", ")
        let statement = try sql.statement(
            once: """
                SELECT \(names.joined(separator: ", ")) FROM \(shape.name) \
                ORDER BY \(falling) LIMIT 1
                """)
        let narrow = TableCopy(shape: TableShape(name: shape.name, columns: key))
        precondition(narrow.shape.columns.count == 1, "only tables with a key of one column go on")
        return try statement.first { row throws(StoreError) in try narrow.values(of: row) }
    }

    /// How many rows there are.
    func count(on sql: any SQLSession) throws(StoreError) -> Int64 {
        try sql.statement(once: "SELECT count(*) FROM \(shape.name)").first { $0.integer() } ?? 0
    }

    // MARK: Writing

    /// Adds a row; the numbers that the other engine gave are kept.
    func add(_ row: [Value], on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(insert(sql.dialect))
        for value in row { try Self.bind(value, to: statement) }
        try statement.run()
    }

    private func insert(_ dialect: Dialect) -> String {
        """
        INSERT INTO \(shape.name) (\(shape.columns.map(\.name).joined(separator: ", ")))\
        \(dialect.givenNumbers) VALUES (\(Dialect.parameters(shape.columns.count)))
        """
    }

    /// Removes every row.
    func clear(on sql: any SQLSession) throws(StoreError) {
        try sql.statement(once: "DELETE FROM \(shape.name)").run()
    }

    private static func bind(_ value: Value, to statement: any SQLStatement) throws(StoreError) {
        switch value {
        case .null: statement.bindNull()
        case .integer(let number): try statement.bind(number)
        case .text(let text): try statement.bind(text)
        case .bytes(let bytes): try statement.bind(bytes)
        }
    }
}

/// What the rows of a table are, whichever engine has them.
struct TableSum: Equatable {
    private(set) var rows: Int64 = 0
    private var sum = RowChecksum()

    mutating func add(_ row: [TableCopy.Value]) {
        rows += 1
        for value in row {
            switch value {
            case .null: sum.addNull()
            case .integer(let number): sum.add(number)
            case .text(let text): sum.add(text)
            case .bytes(let bytes): sum.add(blob: bytes.span)
            }
        }
    }

    static func == (one: TableSum, other: TableSum) -> Bool {
        one.rows == other.rows && one.sum.value == other.sum.value
    }
}

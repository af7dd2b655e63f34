import CSQLite
import DeskModel
import DeskStore

extension Statement {
    /// Adds a column's value to a checksum, as it lies in the row.
    func add(_ column: Int32, to sum: inout RowChecksum) {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: sum.addNull()
        case SQLITE_INTEGER: sum.add(unsafe sqlite3_column_int64(handle, column))
        case SQLITE_TEXT: unsafe lend(column) { sum.add(text: unsafe $0.span) }
        case SQLITE_BLOB: unsafe lend(column) { sum.add(blob: unsafe $0.span) }
        default: sum.addForeign()
        }
    }

    /// Lends a column's bytes, which lie there until the next step.
    private func lend(_ column: Int32, to body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0) }
    }

    /// How many of a layout's columns, which lie from the next one on with their checksum behind them,
    /// that checksum covers; nil when the columns are not what was written.
    ///
    /// The place to read at stays where it is.
    func verifiedColumns(_ layout: RowLayout) -> Int? {
        let place = column + Int32(layout.count)
        guard unsafe sqlite3_column_type(handle, place) == SQLITE_INTEGER else { return nil }
        let stored = unsafe sqlite3_column_int64(handle, place)
        guard let coverage = layout.coverage(of: stored) else { return nil }
        var sum = RowChecksum()
        for offset in 0..<Int32(coverage.count) {
            let covered = column + offset
            if coverage.skipsAbsentLast, offset == Int32(coverage.count) - 1,
                unsafe sqlite3_column_type(handle, covered) == SQLITE_NULL
            {
                continue
            }
            add(covered, to: &sum)
        }
        return stored & 0xFFFF_FFFF == sum.value ? coverage.count : nil
    }

    /// Whether the columns from the next one on are what was written.
    func isVerified(_ layout: RowLayout) -> Bool { verifiedColumns(layout) != nil }

    /// Binds a column's value.
    func bind(_ value: RowValue) throws(StoreError) {
        switch value {
        case .null: bindNull()
        case .integer(let number): try bind(number)
        case .text(let text): try bind(text)
        case .id(let id): try bind(id)
        case .digest(let digest): try bind(digest)
        }
    }

    /// Binds another statement's column as it is.
    func bind(column: Int32, of other: Statement) throws(StoreError) {
        parameter += 1
        try judge(
            unsafe sqlite3_bind_value(
                handle, parameter, sqlite3_column_value(other.handle, column)))
    }

    /// A column's number, wherever reading is.
    func number(at column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Begins a sum over what is bound from here on.
    func beginChecksum() { sum = RowChecksum() }

    /// Binds the checksum of a row of that layout, all of whose columns were bound since `beginChecksum`.
    func bindChecksum(_ layout: RowLayout) throws(StoreError) {
        guard let made = sum else { preconditionFailure("no checksum was begun") }
        sum = nil
        try bind(layout.stored(made))
    }
}

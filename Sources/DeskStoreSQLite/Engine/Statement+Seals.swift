import CSQLite
import DeskStore

extension Statement {
    /// Adds a column's value to a seal, as it lies in the row.
    func add(_ column: Int32, to seal: inout RowSeal) {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: seal.addNull()
        case SQLITE_INTEGER: seal.add(unsafe sqlite3_column_int64(handle, column))
        case SQLITE_TEXT: unsafe lend(column) { seal.add(text: unsafe $0.span) }
        case SQLITE_BLOB: unsafe lend(column) { seal.add(blob: unsafe $0.span) }
        default: seal.addForeign()
        }
    }

    /// Lends a column's bytes, which lie there until the next step.
    private func lend(_ column: Int32, to body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0) }
    }

    /// Whether the columns from the next one on give the seal that lies behind them.
    ///
    /// The place to read at stays where it is. With `later` the seal covers one more column where
    /// that has a value: rows from before the column was there have none.
    func provesWhole(_ columns: Int, later: Bool = false) -> Bool {
        var seal = RowSeal()
        for place in 0..<Int32(columns) { add(column + place, to: &seal) }
        var place = column + Int32(columns)
        if later {
            if unsafe sqlite3_column_type(handle, place) != SQLITE_NULL { add(place, to: &seal) }
            place += 1
        }
        let kind = unsafe sqlite3_column_type(handle, place)
        let stored = unsafe sqlite3_column_int64(handle, place)
        return kind == SQLITE_INTEGER && stored == seal.value
    }

    /// Binds another statement's column as it is.
    func bind(column: Int32, of other: Statement) throws(StoreError) {
        parameter += 1
        if var sum = seal {
            other.add(column, to: &sum)
            seal = sum
        }
        try judge(
            unsafe sqlite3_bind_value(
                handle, parameter, sqlite3_column_value(other.handle, column)))
    }

    /// A column's number, wherever reading is.
    func number(at column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Begins a sum over what is bound from here on.
    func beginSeal() { seal = RowSeal() }

    /// Binds the sum over what was bound since `beginSeal`, and ends it.
    func bindSeal() throws(StoreError) {
        guard let made = seal else { preconditionFailure("no seal was begun") }
        seal = nil
        try bind(made.value)
    }
}

import CSQLite
import DeskModel
import DeskStore

/// One prepared statement: bind in order, step, read in order, and it is reset for the next use.
@safe final class Statement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    var parameter: Int32 = 0
    private(set) var column: Int32 = 0
    /// Where bound bytes lie until the reset; SQLite reads them here and makes no copy of its own.
    private var lent = LentBytes()
    /// The sum of what was bound since `beginChecksum`.
    var sum: RowChecksum?

    init(adopting handle: OpaquePointer, of connection: OpaquePointer) {
        unsafe self.handle = handle
        unsafe self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    // MARK: Binding, one parameter after the other

    func bind(_ value: Int64) throws(StoreError) {
        parameter += 1
        sum?.add(value)
        try judge(unsafe sqlite3_bind_int64(handle, parameter, value))
    }

    func bind(_ value: Int64?) throws(StoreError) {
        if let value { try bind(value) } else { bindNull() }
    }

    func bind(_ value: Bool) throws(StoreError) { try bind(value ? 1 : 0 as Int64) }

    /// Leaves a parameter as it is: at first, and after each reset, it is NULL.
    func bindNull() {
        parameter += 1
        sum?.addNull()
    }

    func bind(_ text: String) throws(StoreError) {
        parameter += 1
        var text = text
        let code = text.withUTF8 { bytes in
            sum?.add(text: unsafe bytes.span)
            return unsafe bindText(UnsafeRawBufferPointer(bytes))
        }
        try judge(code)
    }

    func bind(_ text: String?) throws(StoreError) {
        if let text { try bind(text) } else { bindNull() }
    }

    func bind(_ bytes: [UInt8]) throws(StoreError) {
        parameter += 1
        sum?.add(blob: bytes.span)
        let code = unsafe bytes.withUnsafeBytes {
            unsafe bindBlob($0)
        }
        try judge(code)
    }

    func bind(_ bytes: [UInt8]?) throws(StoreError) {
        if let bytes { try bind(bytes) } else { bindNull() }
    }

    func bind(_ id: UniqueID) throws(StoreError) {
        parameter += 1
        sum?.add(id)
        var words = (id.high.bigEndian, id.low.bigEndian)
        let code = unsafe withUnsafeBytes(of: &words) {
            unsafe bindBlob($0)
        }
        try judge(code)
    }

    func bind(_ id: UniqueID?) throws(StoreError) {
        if let id { try bind(id) } else { bindNull() }
    }

    func bind(_ digest: Digest) throws(StoreError) {
        parameter += 1
        sum?.add(digest)
        let words = digest.words
        var order = (
            words[0].bigEndian, words[1].bigEndian, words[2].bigEndian, words[3].bigEndian
        )
        let code = unsafe withUnsafeBytes(of: &order) {
            unsafe bindBlob($0)
        }
        try judge(code)
    }

    func bind(_ digest: Digest?) throws(StoreError) {
        if let digest { try bind(digest) } else { bindNull() }
    }

    private func bindText(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let kept = unsafe lent.keep(bytes)
        guard let kept = unsafe kept else {
            return unsafe frontdesk_bind_text(
                handle, parameter, bytes.baseAddress, Int32(bytes.count))
        }
        return unsafe frontdesk_lend_text(handle, parameter, kept, Int32(bytes.count))
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let kept = unsafe lent.keep(bytes)
        guard let kept = unsafe kept else {
            return unsafe frontdesk_bind_blob(
                handle, parameter, bytes.baseAddress, Int32(bytes.count))
        }
        return unsafe frontdesk_lend_blob(handle, parameter, kept, Int32(bytes.count))
    }

    func bind(_ time: Timestamp) throws(StoreError) { try bind(time.milliseconds) }

    func bind(_ time: Timestamp?) throws(StoreError) { try bind(time?.milliseconds) }

    // MARK: Running

    /// Moves to the next row; false after the last, and then the statement is reset.
    func step() throws(StoreError) -> Bool {
        column = 0
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = unsafe SQLiteCode.error(of: connection, code)
            reset()
            throw error
        }
        reset()
        return false
    }

    /// Runs a statement without rows.
    func run() throws(StoreError) {
        let hasRow = try step()
        precondition(!hasRow, "a statement that was run gave a row")
    }

    /// Runs a statement and returns how many rows it changed.
    func runCounting() throws(StoreError) -> Int {
        try run()
        return Int(unsafe sqlite3_changes(connection))
    }

    /// Reads all rows; `limit` is what the statement itself promises.
    func all<Row>(_ read: (Statement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        do {
            while try step() { rows.append(try read(self)) }
        } catch {
            reset()
            throw error
        }
        return rows
    }

    /// Reads the first row, if there is one.
    func first<Row>(_ read: (Statement) throws(StoreError) -> Row) throws(StoreError) -> Row? {
        guard try step() else { return nil }
        defer { reset() }
        return try read(self)
    }

    func reset() {
        // The code repeats what the last step said, which was judged there.
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
        lent.empty()
        sum = nil
        parameter = 0
    }

    // MARK: Reading, one column after the other

    func integer() -> Int64 {
        defer { column += 1 }
        return unsafe sqlite3_column_int64(handle, column)
    }

    func skip(_ columns: Int) { column += Int32(columns) }

    func move(to place: Int) { column = Int32(place) }

    func integerIfAny() -> Int64? {
        let isNull = unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
        let value = integer()
        return isNull ? nil : value
    }

    func bool() -> Bool { integer() != 0 }

    func time() -> Timestamp { Timestamp(milliseconds: integer()) }

    func timeIfAny() -> Timestamp? { integerIfAny().map { Timestamp(milliseconds: $0) } }

    func text() -> String { textIfAny() ?? "" }

    func textIfAny() -> String? {
        guard let bytes = bytesIfAny() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func bytes() -> [UInt8] { bytesIfAny() ?? [] }

    func bytesIfAny() -> [UInt8]? {
        defer { column += 1 }
        guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        // Safe: the pointer lives until the next step; the array copies.
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func idIfAny() -> UniqueID? { bytesIfAny().flatMap { UniqueID(bytes: $0) } }

    func id() throws(StoreError) -> UniqueID { try require(idIfAny(), "an id") }

    func digestIfAny() -> Digest? { bytesIfAny().flatMap { Digest(bytes: $0) } }

    func digest() throws(StoreError) -> Digest { try require(digestIfAny(), "a digest") }

    /// Reads a text that `make` knows; anything else is damage.
    func value<Value>(_ make: (String) -> Value?) throws(StoreError) -> Value {
        try require(make(text()), "a word")
    }

    func require<Value>(_ value: Value?, _ what: String) throws(StoreError) -> Value {
        guard let value else {
            throw StoreError(.damaged, "column \(column - 1) does not hold \(what)")
        }
        return value
    }

    func judge(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw unsafe SQLiteCode.error(of: connection, code) }
    }
}

/// Turns SQLite's codes into the store's.
enum SQLiteCode {
    static func error(of connection: OpaquePointer?, _ code: Int32) -> StoreError {
        let last = unsafe connection.map { unsafe sqlite3_extended_errcode($0) } ?? code
        // A step of a backup leaves its code with no connection, which has that of a call before.
        let detail = "sqlite \(last & 0xFF == code & 0xFF ? last : code)"
        return switch code & 0xFF {
        case SQLITE_FULL: StoreError(.full, detail)
        case SQLITE_BUSY, SQLITE_LOCKED: StoreError(.busy, detail)
        case SQLITE_CORRUPT, SQLITE_NOTADB: StoreError(.damaged, detail)
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISUSE, SQLITE_ERROR:
            StoreError(.refused, detail)
        default: StoreError(.failed, detail)
        }
    }
}

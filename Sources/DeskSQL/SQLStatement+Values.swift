package import DeskModel
package import DeskStore

extension SQLStatement {
    // MARK: Binding

    package func bind(_ value: Int64?) throws(StoreError) {
        if let value { try bind(value) } else { bindNull() }
    }

    package func bind(_ text: String?) throws(StoreError) {
        if let text { try bind(text) } else { bindNull() }
    }

    package func bind(_ bytes: [UInt8]?) throws(StoreError) {
        if let bytes { try bind(bytes) } else { bindNull() }
    }

    package func bind(_ id: UniqueID?) throws(StoreError) {
        if let id { try bind(id) } else { bindNull() }
    }

    package func bind(_ digest: Digest?) throws(StoreError) {
        if let digest { try bind(digest) } else { bindNull() }
    }

    package func bind(_ time: Timestamp) throws(StoreError) { try bind(time.milliseconds) }

    package func bind(_ time: Timestamp?) throws(StoreError) { try bind(time?.milliseconds) }

    /// Binds a column's value.
    package func bind(_ value: RowValue) throws(StoreError) {
        switch value {
        case .null: bindNull()
        case .integer(let number): try bind(number)
        case .text(let text): try bind(text)
        case .id(let id): try bind(id)
        case .digest(let digest): try bind(digest)
        }
    }

    // MARK: Running

    /// Reads all rows; `limit` is what the statement itself promises.
    package func all<Row>(
        _ read: (any SQLStatement) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
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
    package func first<Row>(
        _ read: (any SQLStatement) throws(StoreError) -> Row
    ) throws(StoreError) -> Row? {
        guard try step() else { return nil }
        defer { reset() }
        return try read(self)
    }

    // MARK: Reading

    package func integer() -> Int64 { integerIfAny() ?? 0 }

    package func bool() -> Bool { integer() != 0 }

    package func time() -> Timestamp { Timestamp(milliseconds: integer()) }

    package func timeIfAny() -> Timestamp? { integerIfAny().map { Timestamp(milliseconds: $0) } }

    package func text() -> String { textIfAny() ?? "" }

    package func bytes() -> [UInt8] { bytesIfAny() ?? [] }

    package func idIfAny() -> UniqueID? { bytesIfAny().flatMap { UniqueID(bytes: $0) } }

    package func id() throws(StoreError) -> UniqueID { try require(idIfAny(), "an id") }

    package func digestIfAny() -> Digest? { bytesIfAny().flatMap { Digest(bytes: $0) } }

    package func digest() throws(StoreError) -> Digest { try require(digestIfAny(), "a digest") }

    /// Reads a text that `make` knows; anything else is damage.
    package func value<Value>(_ make: (String) -> Value?) throws(StoreError) -> Value {
        try require(make(text()), "a word")
    }

    package func require<Value>(_ value: Value?, _ what: String) throws(StoreError) -> Value {
        guard let value else {
            throw StoreError(.damaged, "column \(column - 1) does not hold \(what)")
        }
        return value
    }

    /// Whether the columns from the next one on are what was written.
    package func isVerified(_ row: CheckedRow) -> Bool { verifiedColumns(row) != nil }

    /// A column's value, wherever reading is; a value of another kind is read as absent.
    package func value(at place: Int, _ kind: RowValue.Kind) -> RowValue {
        let next = column
        move(to: place)
        defer { move(to: next) }
        return switch kind {
        case .integer, .claim, .time: integerIfAny().map { .integer($0) } ?? .null
        case .text: textIfAny().map { .text($0) } ?? .null
        case .id: idIfAny().map { .id($0) } ?? .null
        case .digest: digestIfAny().map { .digest($0) } ?? .null
        }
    }
}

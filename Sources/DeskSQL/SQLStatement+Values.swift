import DeskModel
import DeskStore

extension SQLStatement {
    // MARK: Binding

    func bind(_ value: Int64?) throws(StoreError) {
        if let value { try bind(value) } else { bindNull() }
    }

    func bind(_ text: String?) throws(StoreError) {
        if let text { try bind(text) } else { bindNull() }
    }

    func bind(_ bytes: [UInt8]?) throws(StoreError) {
        if let bytes { try bind(bytes) } else { bindNull() }
    }

    func bind(_ id: UniqueID?) throws(StoreError) {
        if let id { try bind(id) } else { bindNull() }
    }

    func bind(_ digest: Digest?) throws(StoreError) {
        if let digest { try bind(digest) } else { bindNull() }
    }

    func bind(_ time: Timestamp) throws(StoreError) { try bind(time.milliseconds) }

    func bind(_ time: Timestamp?) throws(StoreError) { try bind(time?.milliseconds) }

    // MARK: Running

    /// Runs a statement without rows.
    func run() throws(StoreError) { _ = try runCounting() }

    /// Reads all rows; `limit` is what the statement itself promises.
    func all<Row>(
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
    func first<Row>(
        _ read: (any SQLStatement) throws(StoreError) -> Row
    ) throws(StoreError) -> Row? {
        guard try step() else { return nil }
        defer { reset() }
        return try read(self)
    }

    // MARK: Reading

    func integer() -> Int64 { integerIfAny() ?? 0 }

    func bool() -> Bool { integer() != 0 }

    func time() -> Timestamp { Timestamp(milliseconds: integer()) }

    func timeIfAny() -> Timestamp? { integerIfAny().map { Timestamp(milliseconds: $0) } }

    func text() -> String { textIfAny() ?? "" }

    func bytes() -> [UInt8] { bytesIfAny() ?? [] }

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
}

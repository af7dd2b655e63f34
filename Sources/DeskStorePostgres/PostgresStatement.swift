import CPostgres
import DeskModel
import DeskSQL
import DeskStore

/// One prepared statement: bind in order, step, read in order, and it is reset for the next use.
///
/// Numbers travel as text, since the server decides whether a parameter is a number of 32 or 64 bits
/// or a claim; texts and bytes travel as they are. Results come in binary.
@safe final class PostgresStatement: SQLStatement {
    private let name: String
    // The connection owns its statements.
    private unowned let connection: PostgresConnection
    /// What is bound, one value after the other, each followed by a zero.
    private var bytes: [UInt8] = []
    /// Where a value begins in `bytes`; nil for NULL.
    private var places: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var sum: RowChecksum?
    /// The rows that wait, the first of what is bound; nil for a statement whose rows never do.
    private var gathered: GatheredRows?
    private var result: OpaquePointer?
    private var row: Int32 = -1
    private(set) var column = 0

    init(name: String, of connection: PostgresConnection, gathering rows: GatheredRows? = nil) {
        self.name = name
        self.connection = connection
        gathered = rows
    }

    deinit { unsafe frontdesk_pq_clear(result) }

    // MARK: Binding

    private static let asText: Int32 = 0
    private static let asBytes: Int32 = 1

    private func add(_ value: some Sequence<UInt8>, _ format: Int32) {
        places.append(bytes.count)
        bytes.append(contentsOf: value)
        lengths.append(Int32(bytes.count - (places.last.flatMap(\.self) ?? 0)))
        formats.append(format)
        bytes.append(0)
    }

    func bind(_ value: Int64) {
        sum?.add(value)
        add(String(value).utf8, Self.asText)
    }

    func bind(_ value: Bool) { bind(value ? 1 : 0 as Int64) }

    func bind(_ text: String) {
        sum?.add(text)
        add(text.utf8, Self.asBytes)
    }

    func bind(_ value: [UInt8]) {
        sum?.add(blob: value.span)
        add(value, Self.asBytes)
    }

    func bind(_ id: UniqueID) { bind(id.bytes) }

    func bind(_ digest: Digest) { bind(digest.bytes) }

    func bindNull() {
        sum?.addNull()
        places.append(nil)
        lengths.append(0)
        formats.append(Self.asText)
    }

    func beginChecksum() { sum = RowChecksum() }

    func bindChecksum(_ row: CheckedRow) {
        guard let made = sum else { preconditionFailure("no row checksum was begun") }
        sum = nil
        bind(row.layout.stored(made))
    }

    // MARK: Running

    func step() throws(StoreError) -> Bool {
        if unsafe result == nil { try ask() }
        column = 0
        row += 1
        guard unsafe row < frontdesk_pq_rows(result) else {
            reset()
            return false
        }
        return true
    }

    func runCounting() throws(StoreError) -> Int {
        try ask()
        defer { reset() }
        precondition(
            unsafe frontdesk_pq_rows(result) == 0, "a statement that was run gave a row")
        return Int(unsafe String(cString: frontdesk_pq_changed(result))) ?? 0
    }

    func run() throws(StoreError) {
        guard connection.sendsAhead else {
            _ = try runCounting()
            return
        }
        guard gathered == nil else { return try gather() }
        defer { reset() }
        try connection.sendGathered()
        try send(name, 0..<places.count)
    }

    /// Lets the bound row wait for those that follow it.
    private func gather() throws(StoreError) {
        if gathered?.rows == 0 { connection.gather(self) }
        if gathered?.add(bytes: bytes.count) == true { try connection.sendGathered() }
    }

    /// Sends the rows that wait; what is bound behind them stays.
    func sendGathered() throws(StoreError) {
        guard let sizes = gathered?.take(), let columns = gathered?.columns else { return }
        var first = 0
        defer { forget(first) }
        for size in sizes {
            let values = first..<first + size * columns
            first = values.upperBound
            let of = try gathered?.statement(of: size) { sql, suffix throws(StoreError) in
                try connection.prepare(sql, as: name + suffix)
            }
            try send(of ?? name, values)
        }
    }

    /// Forgets the rows that wait.
    func dropGathered() {
        gathered?.drop()
        reset()
    }

    private func forget(_ count: Int) {
        guard count < places.count else { return reset() }
        places.removeFirst(count)
        lengths.removeFirst(count)
        formats.removeFirst(count)
    }

    /// Sends a statement with some of the bound values behind those that were sent ahead.
    private func send(_ name: String, _ values: Range<Int>) throws(StoreError) {
        try connection.enqueue()
        guard
            unsafe withValues(
                values,
                {
                    unsafe frontdesk_pq_send(connection.handle, name, $0, $1, $2, $3)
                }) == 1
        else { throw StoreError(.unavailable, "postgres connection lost") }
    }

    /// Runs the statement and waits for its rows.
    private func ask() throws(StoreError) {
        do throws(StoreError) {
            unsafe result = try answer()
        } catch {
            reset()
            throw error
        }
        row = -1
    }

    /// What the server answers, in one round trip with all that was sent ahead.
    private func answer() throws(StoreError) -> OpaquePointer? {
        try connection.sendGathered()
        let values = 0..<places.count
        guard !connection.isAhead else {
            try send(name, values)
            return try unsafe connection.finishSending()
        }
        let made = unsafe withValues(values) {
            unsafe frontdesk_pq_run(connection.handle, name, $0, $1, $2, $3)
        }
        try unsafe connection.judge(made)
        return unsafe made
    }

    /// Lends some of the bound values: how many, where they lie, how long they are and in which form.
    private func withValues<Answer>(
        _ range: Range<Int>,
        _ body: (
            Int32, [UnsafePointer<CChar>?], UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Answer
    ) -> Answer {
        // Safe: the pointers lead into `bytes`, `lengths` and `formats`, which stay as they are while the call lasts.
        unsafe bytes.withUnsafeBytes { bytes in
            let values = unsafe places[range].map { place -> UnsafePointer<CChar>? in
                guard let place, let start = bytes.baseAddress else { return nil }
                return unsafe (start + place).assumingMemoryBound(to: CChar.self)
            }
            return unsafe lengths.withUnsafeBufferPointer { lengths in
                unsafe formats.withUnsafeBufferPointer { formats in
                    unsafe body(
                        Int32(range.count), values,
                        lengths.baseAddress.map { unsafe $0 + range.lowerBound },
                        formats.baseAddress.map { unsafe $0 + range.lowerBound })
                }
            }
        }
    }

    func reset() {
        unsafe frontdesk_pq_clear(result)
        unsafe result = nil
        row = -1
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        sum = nil
    }

    // MARK: Reading

    func skip(_ columns: Int) { column += columns }

    func move(to place: Int) { column = place }

    func integerIfAny() -> Int64? {
        defer { column += 1 }
        return unsafe withValue(at: column) { unsafe Self.integer($0) }
    }

    func textIfAny() -> String? {
        defer { column += 1 }
        return unsafe withValue(at: column) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    func bytesIfAny() -> [UInt8]? {
        defer { column += 1 }
        return unsafe withValue(at: column) { unsafe [UInt8]($0) }
    }

    /// Lends a column's bytes; nil for NULL.
    @inline(__always)
    private func withValue<Value>(
        at column: Int, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value? {
        let place = Int32(column)
        guard unsafe frontdesk_pq_is_null(result, row, place) == 0 else { return nil }
        // Safe: the result owns the bytes until it is cleared, which nothing does meanwhile.
        let start = unsafe frontdesk_pq_value(result, row, place)
        let count = Int(unsafe frontdesk_pq_length(result, row, place))
        return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A number of 2, 4 or 8 bytes, or a claim of one; network order.
    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        var value: Int64 = unsafe bytes.first.map { $0 >= 0x80 && bytes.count > 1 ? -1 : 0 } ?? 0
        for place in bytes.indices { unsafe value = value << 8 | Int64(bytes[place]) }
        return value
    }

    func verifiedColumns(_ row: CheckedRow) -> Int? {
        guard
            let stored = unsafe withValue(
                at: column + row.layout.count, { unsafe Self.integer($0) }),
            let coverage = row.layout.coverage(of: stored)
        else { return nil }
        var sum = RowChecksum()
        for offset in 0..<coverage.count {
            let place = column + offset
            let kind = Kind(unsafe frontdesk_pq_type(result, Int32(place)))
            let isThere: Void? = unsafe withValue(at: place) { value in
                let bytes = unsafe Span<UInt8>(_unsafeBytes: value)
                switch kind {
                case .integer: sum.add(unsafe Self.integer(value))
                case .text: sum.add(text: bytes)
                case .bytes: sum.add(blob: bytes)
                case .other: sum.addForeign()
                }
            }
            guard isThere == nil else { continue }
            if !(coverage.skipsAbsentLast && offset == coverage.count - 1) { sum.addNull() }
        }
        return stored & 0xFFFF_FFFF == sum.value ? coverage.count : nil
    }

    /// What a column holds, by the number of its type in the server's catalogue (pg_type.dat).
    private enum Kind {
        case integer, text, bytes, other

        init(_ type: UInt32) {
            switch type {
            case 16, 20, 21, 23: self = .integer
            case 25, 1043: self = .text
            case 17: self = .bytes
            default: self = .other
            }
        }
    }
}

package import DeskModel
package import DeskStore

/// Copies every table of a store to another engine, compares the copy, and begins its epoch.
///
/// Positions, sequences and numbers stay as they are. Interrupted, it goes on where it was: the rows of the
/// log that are there stay, everything else is copied again.
package struct StoreMove {
    /// How far it is.
    package struct Progress: Sendable {
        /// What is done now.
        package enum Work: Sendable {
            case copying, comparing
        }

        package let work: Work
        package let table: String
        package let rows: Int64
        package let all: Int64
    }

    /// Pages that are written in one transaction.
    private static let pagesPerCommit = 40

    private let source: any MoveSource
    private let target: any MoveTarget
    private let report: (Progress) -> Void
    private let copies: [TableCopy]
    private var sums: [String: TableSum] = [:]

    /// Prepares a move between two sides that no server uses.
    ///
    /// - Throws: `refused` when the sides have not the same tables and columns.
    package init(
        from source: any MoveSource, to target: any MoveTarget,
        report: @escaping (Progress) -> Void
    ) throws(StoreError) {
        self.source = source
        self.target = target
        self.report = report
        let (here, there) = (try Self.shapes(of: source), try Self.shapes(of: target))
        copies = try MovedTables.copied.map { name throws(StoreError) in
            guard let one = here[name], one == there[name] else {
                throw StoreError(
                    .refused, "the table \(name) has not the same columns on both sides")
            }
            return TableCopy(shape: one)
        }
    }

    private static func shapes(
        of side: any MoveSide
    ) throws(StoreError) -> [String: TableShape] {
        var found: [String: TableShape] = [:]
        for table in try side.tables() { found[table.name] = table }
        return found
    }

    /// How many rows each table has on the other side by now.
    package var rows: [String: Int64] { sums.mapValues(\.rows) }

    /// Copies all rows and compares them.
    ///
    /// - Throws: `refused` for a text that the other engine does not keep, `damaged` when the copy is not
    ///   what was read.
    package mutating func copy() throws(StoreError) {
        let isContinued = try begin()
        for copy in copies {
            try self.copy(copy, isContinued: isContinued && Self.goesOn(copy))
        }
        for copy in copies { try compare(copy) }
    }

    /// Begins the new epoch and lets servers in.
    ///
    /// Readers of the log go on at their positions, whose epoch is the new one; what was being attempted
    /// when the server ended is due again.
    package func finish(newEpoch: Epoch) throws(StoreError) {
        let (sql, epoch) = (target.sql, Int64(bitPattern: newEpoch.value))
        let numbers = try source.lastNumbers()
        try target.transaction { () throws(StoreError) in
            try target.setLastNumbers(numbers)
            let readers = try sql.statement(
                once: """
                    UPDATE readers SET epoch = ? WHERE epoch = \
                    (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1)
                    """)
            try readers.bind(epoch)
            try readers.run()
            let first = try sql.statement(
                once: """
                    INSERT INTO epochs (epoch, first_position) \
                    SELECT ?, coalesce(max(position), 0) + 1 FROM events
                    """)
            try first.bind(epoch)
            try first.run()
            try sql.statement(once: "UPDATE deliveries SET claim = NULL").run()
        }
        try target.finish()
    }

    private static func goesOn(_ copy: TableCopy) -> Bool {
        MovedTables.continued.contains(copy.shape.name)
    }

    /// Removes what an earlier attempt left, but for rows of the same log; true when there are such.
    private func begin() throws(StoreError) -> Bool {
        let mark = try MoveMark(of: source.sql)
        let before = try MoveMark(in: target.sql)
        try target.transaction { () throws(StoreError) in
            for copy in copies.reversed() where mark != before || !Self.goesOn(copy) {
                try copy.clear(on: target.sql)
            }
            try target.sql.statement(once: "DELETE FROM \(MoveMark.table)").run()
            let statement = try target.sql.statement(
                once: "INSERT INTO \(MoveMark.table) (mark) VALUES (?)")
            try statement.bind(mark.text)
            try statement.run()
        }
        return mark == before
    }

    private mutating func copy(_ copy: TableCopy, isContinued: Bool) throws(StoreError) {
        let all = try copy.count(on: source.sql)
        var sum = TableSum()
        var key: [TableCopy.Value]?
        if isContinued, let last = try copy.lastKey(on: target.sql) {
            (sum, key) = try read(copy, through: last)
        }
        var isOver = false
        while !isOver {
            try target.transaction { () throws(StoreError) in
                for _ in 0..<Self.pagesPerCommit where !isOver {
                    let rows = try copy.read(after: key, on: source.sql)
                    for row in rows {
                        sum.add(row)
                        try copy.add(row, on: target.sql)
                    }
                    key = rows.last.map { copy.key(of: $0) } ?? key
                    isOver = rows.count < TableCopy.page || copy.shape.key.isEmpty
                }
            }
            report(
                Progress(work: .copying, table: copy.shape.name, rows: sum.rows, all: all))
        }
        sums[copy.shape.name] = sum
    }

    /// The sum of the source's rows that an earlier attempt copied.
    private func read(
        _ copy: TableCopy, through last: [TableCopy.Value]
    ) throws(StoreError) -> (TableSum, [TableCopy.Value]) {
        guard case .integer(let end)? = last.first else {
            throw StoreError(.damaged, "the table \(copy.shape.name) has a row without a number")
        }
        var sum = TableSum()
        var key: [TableCopy.Value]?
        while true {
            let rows = try copy.read(after: key, on: source.sql)
            for row in rows {
                guard case .integer(let place)? = copy.key(of: row).first, place <= end else {
                    return (sum, last)
                }
                sum.add(row)
            }
            guard let next = rows.last, rows.count == TableCopy.page else { return (sum, last) }
            key = copy.key(of: next)
        }
    }

    private func compare(_ copy: TableCopy) throws(StoreError) {
        let expected = sums[copy.shape.name] ?? TableSum()
        var found = TableSum()
        var key: [TableCopy.Value]?
        while true {
            let rows = try copy.read(after: key, on: target.sql)
            for row in rows { found.add(row) }
            report(
                Progress(
                    work: .comparing, table: copy.shape.name, rows: found.rows,
                    all: expected.rows))
            guard let last = rows.last, rows.count == TableCopy.page, !copy.shape.key.isEmpty
            else { break }
            key = copy.key(of: last)
        }
        guard found == expected else {
            throw StoreError(
                .damaged,
                "the copy of the table \(copy.shape.name) is not what was read: "
                    + "\(found.rows) rows of \(expected.rows)")
        }
    }
}

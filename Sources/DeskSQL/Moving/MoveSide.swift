package import DeskStore

/// The tables of a store on one side of a move, which writes it alone.
///
/// Thread: one task uses it.
package protocol MoveSide: AnyObject {
    /// The connection to read and write with.
    var sql: any SQLSession { get }

    /// Every table that is there.
    func tables() throws(StoreError) -> [TableShape]

    /// The last number that each table gave to a row; tables that number none are left out.
    func lastNumbers() throws(StoreError) -> [String: Int64]
}

/// What is moved from; nothing writes to it until it is let go.
package protocol MoveSource: MoveSide {
    /// Notes for good where the data went, so that no server serves it by mistake.
    func note(_ note: MoveNote) throws(StoreError)
}

/// What is moved to: tables without rows, or those of an attempt that was interrupted.
///
/// No server serves it before `finish`.
package protocol MoveTarget: MoveSide {
    /// Runs writes that are stored together.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError)

    /// Has every table go on numbering behind what the other side gave.
    func setLastNumbers(_ numbers: [String: Int64]) throws(StoreError)

    /// Lets servers in. Durable: on return.
    func finish() throws(StoreError)
}

/// What a move copies, so that another attempt knows whether it is still the same.
package struct MoveMark: Sendable, Equatable {
    /// The table that has it while the move is under way.
    package static let table = "moving"

    package let text: String

    /// The mark of a side's rows: every write of the log changes it, and so do erasures and pruning.
    init(of sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            once: """
                SELECT (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), \
                (SELECT coalesce(max(position), 0) FROM events), (SELECT position FROM pruned), \
                (SELECT coalesce(max(number), 0) FROM erasures), \
                (SELECT coalesce(max(number), 0) FROM audit)
                """)
        let numbers = try statement.first { row in
            (0..<5).map { _ in String(row.integer()) }
        }
        text = (numbers ?? []).joined(separator: " ")
    }

    /// The mark of the attempt that a target has; nil when none began.
    package init?(in sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(once: "SELECT mark FROM \(Self.table)")
        guard let found = try statement.first({ $0.text() }) else { return nil }
        text = found
    }
}

/// Where data went that is served elsewhere from now on.
package struct MoveNote: Sendable, Equatable {
    /// The table that has it in a database.
    package static let table = "moved"
    /// The file that has it in a data directory.
    package static let fileName = "moved"

    /// The place, in words, and the day in UTC.
    package let place: String
    package let day: String

    /// A note.
    package init(place: String, day: String) {
        self.place = place
        self.day = day
    }
}

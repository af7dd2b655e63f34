package import DeskStore

/// Where the log begins and ends.
package struct LogBounds: Hashable, Sendable {
    /// Events up to here were forgotten.
    package let pruned: Int64
    /// The newest event.
    package let newest: Int64
    /// Rows of conversations have everything up to here.
    package let settled: Int64
    /// Reading begins after this.
    var start: Int64

    /// Reads the bounds.
    package init(of engine: InspectedEngine, on sql: any SQLSession) throws(StoreError) {
        let settled = try sql.statement(engine.settled).first { $0.integer() }
        let pruned = try sql.statement(literal: "SELECT position FROM pruned")
            .first { $0.integer() }
        newest = try Self.newest(on: sql)
        self.settled = settled ?? 0
        self.pruned = try LogStart.check(pruned ?? 0, newest: newest)
        start = self.pruned
    }

    /// The newest event that there is now.
    static func newest(on sql: any SQLSession) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: "SELECT coalesce(max(position), 0) FROM events")
        return try statement.first { $0.integer() } ?? 0
    }
}

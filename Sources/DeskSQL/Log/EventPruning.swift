package import DeskStore

/// How events are forgotten for replay.
package enum EventPruning {
    /// Removes the events up to a position, and notes that.
    package static func prune(
        upTo last: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM events WHERE position <= ?")
        try statement.bind(last)
        try statement.run()
        let note = try sql.statement(literal: "UPDATE pruned SET position = ?")
        try note.bind(last)
        try note.run()
        try EventRanges.forget(before: last + 1, on: sql)
    }
}

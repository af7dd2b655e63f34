package import DeskStore

/// Where the log begins, as the one row of the table `pruned` says.
package enum LogStart {
    /// Refuses what no program wrote: what is computed from it would end the process without a word.
    ///
    /// - Throws: `damaged`, with the row and what to do.
    package static func check(_ position: Int64, newest: Int64) throws(StoreError) -> Int64 {
        guard position < 0 || position > newest else { return position }
        throw StoreError(
            .damaged,
            "the row of the table pruned says that events up to \(position) are forgotten, and the "
                + "newest is \(newest): set it to the smallest position in the table events, less 1"
        )
    }
}

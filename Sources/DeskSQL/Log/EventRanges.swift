package import DeskStore

/// Ranges of the log that have every event of a business.
///
/// A reader of a small business that resumes from far back looks at these and not at the
/// events of all businesses.
package enum EventRanges {
    /// Positions of a range, as a power of two.
    package static let bits: Int64 = 6

    /// Notes that a business has events in the range of a position.
    package static func note(
        _ position: Int64, of business: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO event_stretches (business, stretch) VALUES (?, ?) \
                ON CONFLICT DO NOTHING
                """)
        try statement.bind(business)
        try statement.bind(position >> bits)
        try statement.run()
    }

    /// Forgets the ranges that end before a position.
    package static func forget(before position: Int64, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM event_stretches WHERE stretch < ?")
        try statement.bind(position >> bits)
        try statement.run()
    }

    /// The first range from one on where any of the businesses has events.
    package static func next(
        from range: Int64, of businesses: [Int64], on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        var next: Int64?
        for business in businesses {
            let statement = try sql.statement(
                literal: """
                    SELECT stretch FROM event_stretches WHERE business = ? AND stretch >= ? \
                    ORDER BY stretch LIMIT 1
                    """)
            try statement.bind(business)
            try statement.bind(range)
            guard let found = try statement.first({ $0.integer() }) else { continue }
            next = min(next ?? found, found)
        }
        return next
    }
}

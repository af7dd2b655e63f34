public import DeskModel
public import DeskStore

/// The rows of what businesses chose about asking their customers, one for each that chose.
package enum SatisfactionRows {
    package static let columns = "SELECT business, delay_minutes, data FROM satisfaction"

    package static func read(
        _ row: any SQLStatement
    ) throws(StoreError) -> (BusinessID, StoredSatisfaction) {
        let business = BusinessID(try row.id())
        let plan = row.integerIfAny().map { SatisfactionPlan(delayMinutes: Int($0)) }
        return (business, StoredSatisfaction(plan, row.bytes()))
    }

    package static func find(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> StoredSatisfaction? {
        let statement = try sql.statement("\(columns) WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in try read(row).1 }
    }

    /// Keeps what a business chose instead of what it chose before.
    package static func put(
        _ chosen: StoredSatisfaction, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO satisfaction (business, delay_minutes, data) VALUES (?, ?, ?) \
                ON CONFLICT (business) DO UPDATE SET delay_minutes = excluded.delay_minutes, \
                data = excluded.data
                """)
        try statement.bind(business.value)
        try statement.bind(chosen.plan.map { Int64($0.delayMinutes) })
        try statement.bind(chosen.data)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Finds what a business chose; nil where it never chose.
    public func satisfaction(
        of business: BusinessID
    ) async throws(StoreError) -> StoredSatisfaction? {
        try await readRegistry { sql throws(StoreError) in
            try SatisfactionRows.find(of: business, on: sql)
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of service levels.
package enum ServiceLevelRows {
    package static let columns = "SELECT business, data FROM service_levels"

    /// Sets levels instead of those before, or with nil removes them.
    package static func put(
        _ data: [UInt8]?, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let remover = try sql.statement(
            literal: "DELETE FROM service_levels WHERE business = ?")
        try remover.bind(business.value)
        try remover.run()
        guard let data else { return }
        let statement = try sql.statement(
            literal: "INSERT INTO service_levels (business, data) VALUES (?, ?)")
        try statement.bind(business.value)
        try statement.bind(data)
        try statement.run()
    }

    package static func find(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [UInt8]? {
        let statement = try sql.statement(
            literal: "SELECT data FROM service_levels WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { $0.bytes() }
    }
}

extension SQLRegistries {
    /// Finds what a business promises; nil where it promises nothing.
    public func serviceLevels(of business: BusinessID) async throws(StoreError) -> [UInt8]? {
        try await readRegistry { sql throws(StoreError) in
            try ServiceLevelRows.find(of: business, on: sql)
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of business hours; a business's own have no bytes as their team.
package enum Hours {
    package static let columns = "SELECT business, team, data FROM business_hours"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> StoredHours {
        StoredHours(
            of: BusinessID(try row.id()), for: row.idIfAny().map { TeamID($0) }, data: row.bytes())
    }

    /// Sets hours instead of those before, or with nil removes them.
    package static func put(
        _ data: [UInt8]?, of business: BusinessID, for team: TeamID?, on sql: any SQLSession
    ) throws(StoreError) {
        let remover = try sql.statement(
            literal: "DELETE FROM business_hours WHERE business = ? AND team = ?")
        try bind(business, team, to: remover)
        try remover.run()
        guard let data else { return }
        let statement = try sql.statement(
            literal: "INSERT INTO business_hours (business, team, data) VALUES (?, ?, ?)")
        try bind(business, team, to: statement)
        try statement.bind(data)
        try statement.run()
    }

    private static func bind(
        _ business: BusinessID, _ team: TeamID?, to statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(business.value)
        if let team { try statement.bind(team.value) } else { try statement.bind([UInt8]()) }
    }
}

extension SQLRegistries {
    /// Lists the hours of a business, its own first, and those of its teams.
    public func hours(of business: BusinessID) async throws(StoreError) -> [StoredHours] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement("\(Hours.columns) WHERE business = ? ORDER BY team")
            try statement.bind(business.value)
            return try statement.all { row throws(StoreError) in try Hours.read(row) }
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of teams; the members are a list of ids with commas.
package enum Teams {
    package static let columns = "SELECT id, business, name, colour, members, is_retired FROM teams"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Team {
        Team(
            id: TeamID(try row.id()), business: BusinessID(try row.id()), name: row.text(),
            colour: row.text(), members: try row.value { Self.members($0) },
            isRetired: row.bool())
    }

    private static func members(_ text: String) -> [AgentID]? {
        let ids = text.split(separator: ",").map { AgentID($0) }
        return ids.allSatisfy { $0 != nil } ? ids.compactMap(\.self) : nil
    }

    /// The teams of a business by their names.
    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [Team] {
        let statement = try sql.statement("\(columns) WHERE business = ? ORDER BY name, number")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds a team, or replaces what may change of it.
    package static func save(_ team: Team, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO teams (id, business, name, colour, members, is_retired) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
                colour = excluded.colour, members = excluded.members, \
                is_retired = excluded.is_retired
                """)
        try statement.bind(team.id.value)
        try statement.bind(team.business.value)
        try statement.bind(team.name)
        try statement.bind(team.colour)
        try statement.bind(team.members.map(\.text).joined(separator: ","))
        try statement.bind(team.isRetired)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists a business's teams by their names, retired ones included.
    public func teams(of business: BusinessID) async throws(StoreError) -> [Team] {
        try await readRegistry { sql throws(StoreError) in
            try Teams.all(of: business, on: sql)
        }
    }
}

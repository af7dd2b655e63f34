public import DeskModel
public import DeskStore

/// The rows of saved views.
package enum SavedViews {
    package static let columns =
        "SELECT id, business, owner, name, filter, place FROM saved_views"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> SavedView {
        let id = SavedViewID(try row.id())
        let business = row.idIfAny().map { BusinessID($0) }
        let owner = row.idIfAny().map { AgentID($0) }
        return SavedView(
            id: id, business: business, owner: owner, name: row.text(), filter: row.bytes(),
            order: Int(row.integer()))
    }

    package static func find(
        _ id: SavedViewID, on sql: any SQLSession
    ) throws(StoreError) -> SavedView? {
        let statement = try sql.statement("\(columns) WHERE id = ?")
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    /// How many views a business shares, or an agent has alone.
    package static func count(
        on scope: SavedView.Scope, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement: any SQLStatement
        switch scope {
        case .business(let business):
            statement = try sql.statement(
                literal: """
                    SELECT count(*) FROM saved_views WHERE business = ? AND owner IS NULL
                    """)
            try statement.bind(business.value)
        case .agent(let agent):
            statement = try sql.statement(
                literal: "SELECT count(*) FROM saved_views WHERE owner = ?")
            try statement.bind(agent.value)
        }
        return Int(try statement.first { $0.integer() } ?? 0)
    }

    /// Adds a view, or replaces what may change of it.
    package static func put(_ view: SavedView, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO saved_views (id, business, owner, name, filter, place) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                business = excluded.business, owner = excluded.owner, name = excluded.name, \
                filter = excluded.filter, place = excluded.place
                """)
        try statement.bind(view.id.value)
        try statement.bind(view.business?.value)
        try statement.bind(view.owner?.value)
        try statement.bind(view.name)
        try statement.bind(view.filter)
        try statement.bind(Int64(view.order))
        try statement.run()
    }

    package static func remove(
        _ id: SavedViewID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM saved_views WHERE id = ?")
        try statement.bind(id.value)
        try statement.run()
    }

    /// Removes the views that an agent had of a business alone.
    static func remove(
        of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM saved_views WHERE business = ? AND owner = ?")
        try statement.bind(business.value)
        try statement.bind(agent.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists an agent's own views and those that some businesses share, by their order, then by name.
    public func savedViews(
        of agent: AgentID?, in businesses: Set<BusinessID>
    ) async throws(StoreError) -> [SavedView] {
        try await readRegistry { sql throws(StoreError) in
            var found: [SavedView] = []
            for business in businesses {
                let statement = try sql.statement(
                    "\(SavedViews.columns) WHERE business = ? AND owner IS NULL")
                try statement.bind(business.value)
                found += try statement.all { row throws(StoreError) in try SavedViews.read(row) }
            }
            if let agent {
                let statement = try sql.statement("\(SavedViews.columns) WHERE owner = ?")
                try statement.bind(agent.value)
                let own = try statement.all { row throws(StoreError) in try SavedViews.read(row) }
                found += own.filter { $0.business.map { businesses.contains($0) } ?? true }
            }
            return found.sorted {
                ($0.order, $0.name, $0.id.text) < ($1.order, $1.name, $1.id.text)
            }
        }
    }
}

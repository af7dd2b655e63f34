public import DeskModel
public import DeskStore

/// The rows of macros.
package enum Macros {
    package static let columns =
        "SELECT id, business, owner, name, parameters, actions, is_retired FROM macros"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Macro {
        let id = MacroID(try row.id())
        let business = BusinessID(try row.id())
        let owner = row.idIfAny().map { AgentID($0) }
        return Macro(
            id: id, business: business, owner: owner, name: row.text(), parameters: row.bytes(),
            actions: row.bytes(), isRetired: row.bool())
    }

    /// Adds a macro, or replaces what may change of it.
    package static func put(_ macro: Macro, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO macros (id, business, owner, name, parameters, actions, is_retired) \
                VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, parameters = excluded.parameters, \
                actions = excluded.actions, is_retired = excluded.is_retired
                """)
        try statement.bind(macro.id.value)
        try statement.bind(macro.business.value)
        try statement.bind(macro.owner?.value)
        try statement.bind(macro.name)
        try statement.bind(macro.parameters)
        try statement.bind(macro.actions)
        try statement.bind(macro.isRetired)
        try statement.run()
    }

    /// How many others a business has, or an agent for it.
    fileprivate static func count(
        beside macro: Macro, on sql: any SQLSession
    ) throws(StoreError) -> Int {
        let statement = try sql.statement(
            literal: """
                SELECT count(*) FROM macros WHERE business = ? AND owner IS NOT DISTINCT FROM ? \
                AND id != ?
                """)
        try statement.bind(macro.business.value)
        try statement.bind(macro.owner?.value)
        try statement.bind(macro.id.value)
        return Int(try statement.first { $0.integer() } ?? 0)
    }

    /// Removes the macros that were an agent's own in a business.
    static func remove(
        of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM macros WHERE business = ? AND owner = ?")
        try statement.bind(business.value)
        try statement.bind(agent.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists a business's macros by name: those that all share, and those of one agent.
    public func macros(
        of business: BusinessID, seenBy agent: AgentID?
    ) async throws(StoreError) -> [Macro] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(Macros.columns) WHERE business = ? AND (owner IS NULL OR owner = ?) \
                ORDER BY name, number
                """)
            try statement.bind(business.value)
            try statement.bind(agent?.value)
            return try statement.all { row throws(StoreError) in try Macros.read(row) }
        }
    }

    /// Finds a macro of a business that all share or that is an agent's own.
    public func findMacro(
        _ id: MacroID, of business: BusinessID, seenBy agent: AgentID?
    ) async throws(StoreError) -> Macro? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                """
                \(Macros.columns) WHERE id = ? AND business = ? AND (owner IS NULL OR owner = ?)
                """)
            try statement.bind(id.value)
            try statement.bind(business.value)
            try statement.bind(agent?.value)
            return try statement.first { row throws(StoreError) in try Macros.read(row) }
        }
    }

    /// Adds a macro or replaces what may change of it; false where there would be too many.
    public func save(_ macro: Macro, author: Author) async throws(StoreError) -> Bool {
        try await change(
            .contents(.saveMacro(macro.id, of: macro.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard try Macros.count(beside: macro, on: sql) < Macro.most else { return false }
            try Macros.put(macro, on: sql)
            return true
        }
    }

    /// Replaces what may change of a macro, unless it was changed since it was read.
    public func save(
        _ macro: Macro, over known: Macro, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .contents(.saveMacro(macro.id, of: macro.business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement("\(Macros.columns) WHERE id = ?")
            try statement.bind(macro.id.value)
            let found = try statement.first { row throws(StoreError) in try Macros.read(row) }
            guard found == known else { return false }
            try Macros.put(macro, on: sql)
            return true
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of labels.
package enum Labels {
    package static let columns = "SELECT id, business, name, colour, place, is_retired FROM labels"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Label {
        Label(
            id: LabelID(try row.id()), business: BusinessID(try row.id()), name: row.text(),
            colour: row.text(), order: Int(row.integer()), isRetired: row.bool())
    }

    /// The labels of a business, by their order, then by name.
    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [Label] {
        let statement = try sql.statement("\(columns) WHERE business = ? ORDER BY place, name")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds a label, or replaces what may change of it.
    package static func save(_ label: Label, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO labels (id, business, name, colour, place, is_retired) \
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
                colour = excluded.colour, place = excluded.place, is_retired = excluded.is_retired
                """)
        try statement.bind(label.id.value)
        try statement.bind(label.business.value)
        try statement.bind(label.name)
        try statement.bind(label.colour)
        try statement.bind(Int64(label.order))
        try statement.bind(label.isRetired)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists a business's labels by their order, then by name, retired ones included.
    public func labels(of business: BusinessID) async throws(StoreError) -> [Label] {
        try await readRegistry { sql throws(StoreError) in
            try Labels.all(of: business, on: sql)
        }
    }
}

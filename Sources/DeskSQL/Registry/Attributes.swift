public import DeskModel
public import DeskStore

/// The rows of definitions of attributes.
package enum Attributes {
    package static let columns = """
        SELECT id, business, subject, key, kind, name, choices, place, is_retired FROM attributes
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> AttributeDefinition {
        AttributeDefinition(
            id: AttributeID(try row.id()), business: BusinessID(try row.id()),
            subject: try row.value { AttributeDefinition.Subject(rawValue: $0) },
            key: row.text(), kind: try row.value { AttributeDefinition.Kind(rawValue: $0) },
            name: row.text(),
            choices: try row.require(RowFields.readTexts(row.text()), "choices"),
            order: Int(row.integer()), isRetired: row.bool())
    }

    /// The definitions of a business, by their order, then by name.
    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [AttributeDefinition] {
        let statement = try sql.statement(
            "\(columns) WHERE business = ? ORDER BY place, name, number")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Adds a definition, or replaces what may change of it.
    package static func save(
        _ one: AttributeDefinition, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO attributes \
                (id, business, subject, key, kind, name, choices, place, is_retired) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, choices = excluded.choices, place = excluded.place, \
                is_retired = excluded.is_retired
                """)
        try statement.bind(one.id.value)
        try statement.bind(one.business.value)
        try statement.bind(one.subject.rawValue)
        try statement.bind(one.key)
        try statement.bind(one.kind.rawValue)
        try statement.bind(one.name)
        try statement.bind(RowFields.write(texts: one.choices))
        try statement.bind(Int64(one.order))
        try statement.bind(one.isRetired)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Lists a business's definitions by their order, then by name, retired ones included.
    public func attributes(
        of business: BusinessID
    ) async throws(StoreError) -> [AttributeDefinition] {
        try await readRegistry { sql throws(StoreError) in
            try Attributes.all(of: business, on: sql)
        }
    }
}

import DeskStore
import TestSupport

@testable import DeskStorePostgres

/// What a schema has, as lines that can be compared.
struct PostgresCatalog {
    /// A column, and what may be left out of its rows.
    struct Column: Hashable {
        let table: String
        let name: String
        /// Whether a row without a value for it is refused.
        let isRequired: Bool
    }

    /// Tables, columns, sequences, constraints, indexes, triggers and functions.
    let objects: Set<String>
    let columns: [Column]
    /// What refuses rows: constraints and unique indexes, each as its table and its definition.
    let conditions: Set<String>

    init(of connection: PostgresConnection) throws {
        func texts(_ query: String) throws -> [String] {
            try connection.statement(once: query).all { $0.text() }
        }
        let conditions = try texts(Self.conditions)
        self.conditions = Set(conditions)
        let queries = [
            Self.relations, Self.columnLines, Self.indexes, Self.triggers, Self.functions,
        ]
        objects = Set(try queries.flatMap { try texts($0) } + conditions)
        columns = try connection.statement(once: Self.columns).all {
            Column(table: $0.text(), name: $0.text(), isRequired: $0.bool())
        }
    }

    private static let schema = "to_regnamespace(current_schema())"

    private static func line(_ expression: String) -> String {
        "regexp_replace(replace(\(expression), current_schema() || '.', ''), '\\s+', ' ', 'g')"
    }

    private static let relations = """
        SELECT concat_ws(' ', c.relkind, c.relname, array_to_string(c.reloptions, ',')) FROM pg_class AS c \
        WHERE c.relnamespace = \(schema) AND c.relkind IN ('r', 'S', 'v', 'm', 'p')
        """

    private static let ofColumns = """
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid \
        LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
        WHERE c.relnamespace = \(schema) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        """

    // With its place among those that are there: rows may be written without the names of columns.
    private static let ofColumn = """
        concat_ws(' ', 'column', c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), \
        a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, \
        a.attstorage, a.attcompression, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))
        """

    private static let columnLines = "SELECT \(line(ofColumn)) \(ofColumns)"

    private static let columns = """
        SELECT c.relname::text, a.attname::text, \
        a.attnotnull AND d.oid IS NULL AND a.attidentity = '' AND a.attgenerated = '' \(ofColumns) ORDER BY 1, 2
        """

    private static let conditions = """
        SELECT concat_ws(' ', o.conrelid::regclass, o.conname, \(line("pg_get_constraintdef(o.oid)"))) \
        FROM pg_constraint AS o WHERE o.connamespace = \(schema) AND o.conrelid <> 0 \
        UNION ALL \
        SELECT concat_ws(' ', i.indrelid::regclass, \(line("pg_get_indexdef(i.indexrelid)"))) \
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
        WHERE c.relnamespace = \(schema) AND i.indisunique
        """

    private static let indexes = """
        SELECT concat_ws(' ', \(line("pg_get_indexdef(i.indexrelid)")), i.indisvalid) \
        FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid WHERE c.relnamespace = \(schema)
        """

    private static let triggers = """
        SELECT \(line("pg_get_triggerdef(t.oid)")) FROM pg_trigger AS t \
        JOIN pg_class AS c ON c.oid = t.tgrelid WHERE c.relnamespace = \(schema) AND NOT t.tgisinternal
        """

    private static let functions = """
        SELECT \(line("pg_get_functiondef(p.oid)")) FROM pg_proc AS p WHERE p.pronamespace = \(schema)
        """
}

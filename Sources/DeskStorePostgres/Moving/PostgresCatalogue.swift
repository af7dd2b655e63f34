import DeskSQL
import DeskStore

/// The catalogue of the first schema of a connection's search path, for a move.
enum PostgresCatalogue {
    static func tables(of connection: PostgresConnection) throws(StoreError) -> [TableShape] {
        let statement = try connection.statement(
            literal: """
                SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), \
                coalesce(k.place, 0)::bigint FROM pg_class c \
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
                LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary \
                LEFT JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place) \
                ON k.number = a.attnum \
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' \
                ORDER BY c.relname, a.attnum
                """)
        var found: [(name: String, columns: [TableShape.Column])] = []
        while try statement.step() {
            let (table, column, type) = (statement.text(), statement.text(), statement.text())
            // What is of PostgreSQL alone has other types, and is not moved.
            let kind = kind(type) ?? .text
            let place = Int(statement.integer())
            if found.last?.name != table { found.append((table, [])) }
            found[found.count - 1].columns.append(
                TableShape.Column(name: column, kind: kind, keyPlace: place))
        }
        return found.map { TableShape(name: $0.name, columns: $0.columns) }
    }

    private static func kind(_ type: String) -> TableShape.Kind? {
        switch type {
        case "bigint", "boolean": .integer
        case "text": .text
        case "bytea": .bytes
        default: nil
        }
    }

    /// Each table that numbers its rows, the column, and the sequence that does it.
    private static func sequences(
        of connection: PostgresConnection
    ) throws(StoreError) -> [(table: String, column: String, sequence: String)] {
        let statement = try connection.statement(
            literal: """
                SELECT c.relname::text, a.attname::text, \
                pg_get_serial_sequence(quote_ident(c.relname), a.attname) \
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' \
                AND a.attidentity <> '' ORDER BY c.relname
                """)
        return try statement.all { ($0.text(), $0.text(), $0.text()) }
    }

    static func lastNumbers(
        of connection: PostgresConnection
    ) throws(StoreError) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (table, _, sequence) in try sequences(of: connection) {
            let statement = try connection.statement(
                once: "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(sequence)")
            numbers[table] = try statement.first { $0.integer() } ?? 0
        }
        return numbers
    }

    static func setLastNumbers(
        _ numbers: [String: Int64], on connection: PostgresConnection
    ) throws(StoreError) {
        for (table, column, sequence) in try sequences(of: connection) {
            // SQLite's oldest tables do not note the number of a row that is gone.
            let last = try connection.statement(once: "SELECT max(\(column)) FROM \(table)")
            let number = max(numbers[table] ?? 0, try last.first { $0.integer() } ?? 0)
            guard number > 0 else { continue }
            let statement = try connection.statement(
                once: "SELECT setval((?::text)::regclass, ?)")
            try statement.bind(sequence)
            try statement.bind(number)
            _ = try statement.first { $0.integer() }
        }
    }

    /// Enables or disables the triggers of every table.
    static func setTriggers(
        _ areEnabled: Bool, on connection: PostgresConnection
    ) throws(StoreError) {
        try connection.execute(
            """
            DO $$ DECLARE one text; BEGIN
                FOR one IN SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger t
                    JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
                    AND c.relnamespace = current_schema()::regnamespace
                LOOP
                    EXECUTE format('ALTER TABLE %s \(areEnabled ? "ENABLE" : "DISABLE") TRIGGER USER', one);
                END LOOP;
            END $$
            """)
    }
}

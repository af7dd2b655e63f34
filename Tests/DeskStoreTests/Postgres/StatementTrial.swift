import DeskStore
import PostgresSupport
import TestSupport

@testable import DeskStorePostgres

/// What the statements of a program do to rows of its own tables, and to the same rows after a newer program's steps.
///
/// Every table has a row, of which each value is written as 1. With 1 for all that is bound most statements find
/// it, and triggers see it; with 2 they add another one, or find none.
struct StatementTrial {
    /// What was found.
    struct Finding {
        /// The statements that do something else after the steps.
        let differences: [String]
        /// How many of them found or made a row before the steps.
        let found: Int
    }

    /// A statement that the server has prepared.
    private struct Prepared {
        let text: String
        let name: String
        /// The types of what is bound.
        let types: [Substring]
    }

    private let tables: String
    private let statements: [String]

    init(of version: Int64) throws {
        guard let tables = PostgresFixture.tables(of: version),
            let statements = PostgresFixture.statements(of: version), statements.count > 100
        else { throw Unexpected("version \(version) was not recorded") }
        self.tables = tables
        self.statements = statements
    }

    /// Runs each statement on tables of the program's version, and on such tables after the steps.
    func run(after steps: [PostgresMigrations.Step]) async throws -> Finding {
        try await PostgresSchema.with(2) { addresses in
            for address in addresses {
                let connection = try PostgresFixture.connect(to: address)
                try connection.execute("BEGIN; \(tables); COMMIT")
                try Self.fill(connection)
            }
            let before = try outcomes(on: PostgresFixture.connect(to: addresses[0]))
            try PostgresFixture.migrate(addresses[1], by: steps)
            let after = try outcomes(on: PostgresFixture.connect(to: addresses[1]))
            // Each step adds its row to the steps that were done.
            let compared = before.filter { !$0.key.contains(" schema_version ") }
            let differences = compared.filter { after[$0.key] != $0.value }.map { key, outcome in
                "\(key): \(outcome) before, \(after[key] ?? "not prepared") after"
            }
            return Finding(
                differences: differences.sorted(),
                found: before.values.count { $0.hasPrefix("rows ") && $0 != "rows 0" })
        }
    }

    // MARK: Rows

    private static let types = "format_type(a.atttypid, a.atttypmod)"

    private static let inserts = """
        SELECT concat('INSERT INTO ', c.relname, ' (', \
        string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), \
        ') OVERRIDING SYSTEM VALUE VALUES (', string_agg(CASE \
        WHEN \(types) LIKE 'timestamp%' THEN '''2026-01-01''' \
        WHEN \(types) LIKE '%[]' THEN '''{1}''' ELSE '''1''' END, ', ' ORDER BY a.attnum), \
        ') ON CONFLICT DO NOTHING') \
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid \
        WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' \
        AND a.attnum > 0 AND NOT a.attisdropped AND c.relname NOT IN ('schema_version', 'log_turn') \
        GROUP BY c.relname
        """

    /// Writes a row into each table, for which no trigger runs.
    private static func fill(_ connection: PostgresConnection) throws {
        let texts = try connection.statement(once: inserts).all { $0.text() }
        guard texts.count > 50 else { throw Unexpected("\(texts.count) tables") }
        try connection.execute(
            """
            SET session_replication_role = replica; \(texts.joined(separator: "; ")); \
            RESET session_replication_role
            """)
    }

    // MARK: Statements

    /// What each statement does, by what is bound and its text.
    private func outcomes(on connection: PostgresConnection) throws -> [String: String] {
        for text in statements {
            // Safe: one that the server no longer knows is missing among the outcomes.
            _ = try? connection.statement(text)
        }
        let query = """
            SELECT statement, name, coalesce(array_to_string(parameter_types::text[], ','), '') \
            FROM pg_prepared_statements
            """
        let prepared = try connection.statement(once: query).all { row in
            let (text, name) = (row.text(), row.text())
            return Prepared(text: text, name: name, types: row.text().split(separator: ","))
        }
        var outcomes: [String: String] = [:]
        for value in ["1", "2"] {
            for one in prepared {
                outcomes["with \(value), \(one.text)"] = Self.run(one, value, on: connection)
            }
        }
        return outcomes
    }

    /// Runs a statement and undoes it; returns how many rows it found or changed, or the server's code.
    private static func run(
        _ one: Prepared, _ value: String, on connection: PostgresConnection
    ) -> String {
        let values = one.types.enumerated().map { place, type -> String in
            if type.hasPrefix("timestamp") { return "'2026-01-01'" }
            // Whether the server reads a list of numbers that it needs not depends on its plan.
            if one.text.contains("CAST($\(place + 1) AS json)") { return "'[\(value)]'" }
            return type.hasSuffix("[]") ? "'{\(value)}'" : "'\(value)'"
        }
        let list = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
        let changes = ["INSERT", "UPDATE", "DELETE"].contains { one.text.hasPrefix($0) }
        let outcome: String
        do throws(StoreError) {
            try connection.execute("BEGIN")
            let statement = try connection.statement(once: "EXECUTE \(one.name)\(list)")
            var count = 0
            if changes, !one.text.contains("RETURNING") {
                count = try statement.runCounting()
            } else {
                while try statement.step() { count += 1 }
            }
            outcome = "rows \(count)"
        } catch {
            outcome = error.detail
        }
        // Safe: the next one fails, too, when the connection is gone.
        try? connection.execute("ROLLBACK")
        return outcome
    }
}

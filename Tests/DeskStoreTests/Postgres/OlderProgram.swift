import DeskStore
import TestSupport

@testable import DeskStorePostgres

/// A program of an earlier schema version, as far as its statements show whether it can serve on later tables.
struct OlderProgram {
    let version: Int64
    private let statements: [String]

    init(of version: Int64) throws {
        guard let statements = PostgresFixture.statements(of: version), statements.count > 100
        else {
            throw Unexpected(
                "what the program of version \(version) sends was not recorded: check out its last commit, "
                    + "and see docs/recipes/database-schema.md")
        }
        self.version = version
        self.statements = statements
    }

    /// Migrates tables of the program's version and returns what it could not do after that, none where it can
    /// serve on.
    ///
    /// One connection has its statements from before the steps, as nodes that go on have, and one prepares
    /// them after, as a node does that starts again.
    func faults(after steps: [PostgresMigrations.Step]) async throws -> [String] {
        try await PostgresFixture.with(version) { address in
            let running = try PostgresFixture.connect(to: address)
            let prepared = try statements.map { text in (text, try running.statement(text)) }
            let before = try PostgresCatalog(of: running)
            try PostgresFixture.migrate(address, by: steps)
            let after = try PostgresCatalog(of: running)
            var faults = Self.refusals(before, after)
            for (text, statement) in prepared {
                if let code = Self.run(statement, of: text, on: running) {
                    faults.append("\(code) when it goes on: \(text)")
                }
            }
            let starting = try PostgresFixture.connect(to: address)
            for text in statements {
                do throws(StoreError) {
                    _ = try starting.statement(text)
                } catch {
                    faults.append("\(error.detail) when it starts: \(text)")
                }
            }
            return faults
        }
    }

    /// What later tables refuse in rows that were right before: it is in no statement's text.
    private static func refusals(
        _ before: PostgresCatalog, _ after: PostgresCatalog
    ) -> [String] {
        let tables = Set(before.columns.map(\.table))
        let optional = Set(before.columns.filter { !$0.isRequired }.map { [$0.table, $0.name] })
        let known = Set(before.columns.map { [$0.table, $0.name] })
        let columns = after.columns.filter { column in
            let name = [column.table, column.name]
            return column.isRequired && tables.contains(column.table)
                && (optional.contains(name) || !known.contains(name))
        }
        let conditions = after.conditions.subtracting(before.conditions).filter { line in
            tables.contains { line.hasPrefix($0 + " ") }
        }
        return columns.map { "needs a value: \($0.table).\($0.name)" }
            + conditions.sorted().map { "refuses rows: \($0)" }
    }

    /// Runs a statement with nothing bound and undoes it; returns the server's code where it does not know what the
    /// statement names any more, or gives other columns (0A000).
    private static func run(
        _ statement: any SQLStatement, of text: String, on connection: PostgresConnection
    ) -> String? {
        let parameters = text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
        do throws(StoreError) {
            try connection.execute("BEGIN")
            for _ in 0..<parameters { statement.bindNull() }
            while try statement.step() {}
            try connection.execute("ROLLBACK")
        } catch {
            statement.reset()
            // Safe: the next one fails, too, when the connection is gone.
            try? connection.execute("ROLLBACK")
            let codes = ["postgres 42", "postgres 0A000", "postgres connection"]
            return codes.contains { error.detail.hasPrefix($0) } ? error.detail : nil
        }
        return nil
    }
}

import DeskModel
import DeskStore
import FoundationEssentials
import PostgresSupport
import TestSupport

@testable import DeskStorePostgres

/// The tables of one schema version in PostgreSQL as SQL text, and what its program sends, in `Fixtures`.
enum PostgresFixture {
    private static func path(of version: Int64, _ what: String = "") -> String {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let number = version < 10 ? "0\(version)" : "\(version)"
        return here.path + "/../Fixtures/postgres-\(number)\(what).sql"
    }

    /// The statements that make the tables; nil when there are none.
    static func tables(of version: Int64) -> String? {
        FileManager.default.contents(atPath: path(of: version)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// What the program of a version sends, with `$1` and so on; nil when nothing was recorded.
    static func statements(of version: Int64) -> [String]? {
        FileManager.default.contents(atPath: path(of: version, "-statements")).map { bytes in
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
                .filter { !$0.hasPrefix("--") }
        }
    }

    /// The layouts of rows that have checksums, by their tables.
    static let layouts: [String: RowLayout] = [
        "answers": .answers, "conversations": .conversations, "events": .events,
        "messages": .messages, "notes": .notes,
    ]

    private static let coverageLine = "-- Coverages: "

    /// How many coverages of each layout the program of a version knows.
    static func coverages(of version: Int64) throws -> [String: Int] {
        let lines = (tables(of: version) ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(coverageLine) }) else {
            throw Unexpected("fixture \(version) has no coverages")
        }
        let words = line.dropFirst(coverageLine.count).split(separator: " ")
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map {
            (String(words[$0]), Int(words[$0 + 1]) ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Writes the statements of the newest version.
    static func writeNewest() throws {
        let coverages = layouts.sorted { $0.key < $1.key }.map { "\($0) \($1.coverages.count)" }
        let text = """
            -- The tables of schema version \(PostgresTables.version) in PostgreSQL, as its program makes them. \
            Never edited.
            \(coverageLine)\(coverages.joined(separator: " "))

            """
        try Data((text + PostgresTables.statements).utf8).write(
            to: URL(filePath: path(of: PostgresTables.version)))
    }

    /// Lends the address of a database as a program of that version makes it.
    static func with<Value>(
        _ version: Int64, _ body: (String) async throws -> Value
    ) async throws -> Value {
        guard let tables = tables(of: version) else { throw Unexpected("no fixture \(version)") }
        return try await PostgresSchema.with { address in
            let connection = try connect(to: address)
            try connection.execute("BEGIN; \(tables); COMMIT")
            return try await body(address)
        }
    }

    /// A connection of the test's own.
    static func connect(to address: String) throws -> PostgresConnection {
        try PostgresConnection(
            address: address,
            library: PostgresRegistries.Options(address: address, keys: .random()).library)
    }

    /// Migrates a database as the start of a program does that has so many steps.
    static func migrate(
        _ address: String, by steps: [PostgresMigrations.Step] = PostgresMigrations.all,
        patience: Duration = .seconds(60)
    ) throws {
        try PostgresMigrator(try connect(to: address), steps: steps, patience: patience)
            .run { _ in }
    }
}

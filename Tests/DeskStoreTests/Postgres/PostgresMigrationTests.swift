import DeskModel
import DeskStore
import PostgresSupport
import TestSupport
import Testing

@testable import DeskStorePostgres

/// The history of the schema in PostgreSQL, and what stands in the way of a step.
@Suite struct PostgresMigrationTests {
    private static let newest = PostgresTables.version

    private static func catalog(at address: String) throws -> PostgresCatalog {
        try PostgresCatalog(of: PostgresFixture.connect(to: address))
    }

    private static func numbers(_ query: String, at address: String) throws -> [Int64] {
        let connection = try PostgresFixture.connect(to: address)
        // A statement does not keep its connection.
        return try withExtendedLifetime(connection) {
            try connection.statement(query).all { $0.integer() }
        }
    }

    @Test func `every version of the tables has a fixture`() throws {
        for version in 1...Self.newest where PostgresFixture.tables(of: version) == nil {
            guard version == Self.newest else {
                Issue.record("there is no fixture of version \(version)")
                continue
            }
            try PostgresFixture.writeNewest()
            Issue.record("the newest version had no fixture; it was written now: commit it")
        }
    }

    // What this finds is an edit of a landed step.
    @Test(arguments: 2...newest)
    func `a step makes the tables of its version's fixture of those of the version before`(
        version: Int64
    ) async throws {
        let expected = try await PostgresFixture.with(version) { try Self.catalog(at: $0) }
        let found = try await PostgresFixture.with(version - 1) { address in
            let steps = Array(PostgresMigrations.all.prefix(Int(version) - 1))
            try PostgresFixture.migrate(address, by: steps)
            return try Self.catalog(at: address)
        }
        #expect(found.objects.symmetricDifference(expected.objects).sorted() == [])
    }

    // What this finds is a table that was changed without a step, or a step without the table.
    @Test(arguments: 1...newest)
    func `a new database has what the steps lead to from every version`(version: Int64) async throws
    {
        let fresh = try await PostgresSchema.with { address in
            try PostgresFixture.migrate(address)
            return try Self.catalog(at: address)
        }
        let migrated = try await PostgresFixture.with(version) { address in
            try PostgresFixture.migrate(address)
            return try Self.catalog(at: address)
        }
        #expect(fresh.objects.count > 100)
        #expect(migrated.objects.symmetricDifference(fresh.objects).sorted() == [])
    }

    @Test func `every step leaves the program of the version before able to serve`() {
        var oldest: Int64 = 1
        for (place, step) in PostgresMigrations.all.enumerated() {
            #expect((oldest...Int64(place) + 1).contains(step.oldestProgram))
            oldest = step.oldestProgram
        }
    }

    @Test func `of processes that start at once on earlier tables one does each step`()
        async throws
    {
        try await PostgresFixture.with(1) { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await PostgresStore(options, newEpoch: Epoch(0xE)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let versions = "SELECT version FROM schema_version ORDER BY version"
            #expect(try Self.numbers(versions, at: address) == Array(1...Self.newest))
            #expect(Set(stores.map(\.epoch)).count == 1)
            for store in stores { await store.close() }
        }
    }

    @Test func `a step that fails stores nothing, and says which it was`() async throws {
        try await PostgresSchema.with { address in
            try PostgresFixture.migrate(address)
            let before = try Self.catalog(at: address)
            let step = PostgresMigrations.Step(
                oldestProgram: Self.newest,
                work: .statements("ALTER TABLE labels ADD COLUMN more bigint; SELECT 1 / 0;"))
            let error = #expect(throws: StoreError.self) {
                try PostgresFixture.migrate(address, by: PostgresMigrations.all + [step])
            }
            #expect(error?.detail.contains("to version \(Self.newest + 1)") == true)
            #expect(try Self.catalog(at: address).objects == before.objects)
            let version = "SELECT max(version) FROM schema_version"
            #expect(try Self.numbers(version, at: address) == [Self.newest])
        }
    }

    @Test func `an index that a run left invalid is made again`() async throws {
        try await PostgresSchema.with { address in
            try PostgresFixture.migrate(address)
            let index = PostgresMigrations.Index(
                name: "settings_once", definition: "ON settings (value)", isUnique: true)
            let step = PostgresMigrations.Step(
                oldestProgram: Self.newest, work: .indexes([index]))
            let connection = try PostgresFixture.connect(to: address)
            try connection.execute("INSERT INTO settings VALUES ('a', 'x'), ('b', 'x')")
            let validity = """
                SELECT CAST(indisvalid AS int) FROM pg_index \
                WHERE indexrelid = to_regclass('settings_once')
                """
            #expect(throws: StoreError.self) {
                try PostgresFixture.migrate(address, by: PostgresMigrations.all + [step])
            }
            #expect(try Self.numbers(validity, at: address) == [0])
            try connection.execute("DELETE FROM settings WHERE name = 'b'")
            try PostgresFixture.migrate(address, by: PostgresMigrations.all + [step])
            #expect(try Self.numbers(validity, at: address) == [1])
            let version = "SELECT max(version) FROM schema_version"
            #expect(try Self.numbers(version, at: address) == [Self.newest + 1])
        }
    }

    private static let moreOfLabels = PostgresMigrations.Step(
        oldestProgram: newest,
        work: .statements("ALTER TABLE labels ADD COLUMN more bigint;"))

    @Test func `a step that waits for who has locked a table lets the others pass meanwhile`()
        async throws
    {
        try await PostgresSchema.with { address in
            try PostgresFixture.migrate(address)
            let holder = try PostgresFixture.connect(to: address)
            try holder.execute("BEGIN; SELECT count(*) FROM labels")
            var options = PostgresRegistries.Options(address: address, keys: .random())
            options.migrations.append(Self.moreOfLabels)
            let registries = PostgresRegistries(options)
            let migration = Task { try await registries.makeTables() }
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE relation = to_regclass('labels') AND NOT granted
                """
            try await Wait.until("the step waits") {
                try Self.numbers(waiting, at: address) == [1]
            }
            // Behind the step, as every reader of the table.
            let other = try PostgresFixture.connect(to: address)
            try other.execute("SET lock_timeout = '30s'; SELECT count(*) FROM labels")
            try holder.execute("COMMIT")
            try await migration.value
            let version = "SELECT max(version) FROM schema_version"
            #expect(try Self.numbers(version, at: address) == [Self.newest + 1])
            await registries.close()
        }
    }

    @Test func `a table that stays locked ends the start, with what to do`() async throws {
        try await PostgresSchema.with { address in
            try PostgresFixture.migrate(address)
            let holder = try PostgresFixture.connect(to: address)
            try holder.execute("BEGIN; SELECT count(*) FROM labels")
            let error = #expect(throws: StoreError.self) {
                try PostgresFixture.migrate(
                    address, by: PostgresMigrations.all + [Self.moreOfLabels],
                    patience: .seconds(1))
            }
            #expect(error?.code == .busy)
            #expect(error?.detail.contains("pg_stat_activity") == true, "\(error?.detail ?? "")")
        }
    }

    @Test func `who waits for another process's migration for too long says so`() async throws {
        try await PostgresSchema.with { address in
            let holder = try PostgresFixture.connect(to: address)
            try holder.execute("SELECT pg_advisory_lock(\(PostgresMigrator.lock))")
            let error = #expect(throws: StoreError.self) {
                try PostgresFixture.migrate(address, patience: .seconds(1))
            }
            #expect(error?.code == .busy)
            #expect(error?.detail.contains("another process") == true, "\(error?.detail ?? "")")
            try holder.execute("SELECT pg_advisory_unlock(\(PostgresMigrator.lock))")
            try PostgresFixture.migrate(address)
        }
    }
}

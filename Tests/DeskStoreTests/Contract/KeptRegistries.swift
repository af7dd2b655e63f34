import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import TestSupport

/// The engines that keep the registries' contract, by name.
enum KeptRegistries: CaseIterable, Sendable {
    case inSQLite
    case inPostgreSQL

    func with(
        _ credentials: any CredentialFeed = ProcessCredentialFeed(),
        _ body: (any SQLRegistries) async throws -> Void
    ) async throws {
        switch self {
        case .inSQLite:
            try await withScratch { directory in
                var options = SQLiteStore.Options()
                options.time = .stopped
                options.credentials = credentials
                let store = try SQLiteStore(
                    directory: directory, newEpoch: Epoch(0xE), options: options)
                do {
                    try await body(store)
                } catch {
                    await store.close()
                    throw error
                }
                await store.close()
            }
        case .inPostgreSQL:
            try await Self.withPostgres(1, credentials) { stores in try await body(stores[0]) }
        }
    }

    /// Lends as many processes' views of one new database as are asked for.
    static func withPostgres(
        _ count: Int = 1, _ credentials: any CredentialFeed = ProcessCredentialFeed(),
        _ body: ([PostgresRegistries]) async throws -> Void
    ) async throws {
        await DatabaseSlots.shared.acquire()
        var failure: (any Error)?
        do { try await lend(count, credentials, body) } catch { failure = error }
        await DatabaseSlots.shared.release()
        if let failure { throw failure }
    }

    private static func lend(
        _ count: Int, _ credentials: any CredentialFeed,
        _ body: ([PostgresRegistries]) async throws -> Void
    ) async throws {
        let address = try await PostgresServer.shared.address()
        var random = SystemRandomNumberGenerator()
        let schema = "t" + UniqueID(using: &random).text.filter { $0 != "-" }
        let outside = PostgresRegistries(.init(address: address, keys: .random()))
        _ = try await outside.write { sql throws(StoreError) in
            try sql.statement("CREATE SCHEMA \(schema)").runCounting()
        }
        await outside.close()
        var options = PostgresRegistries.Options(
            address: "\(address) application_name=\(schema) options='-c search_path=\(schema)'",
            keys: .random())
        options.time = .stopped
        options.credentials = credentials
        let stores = (0..<count).map { [options] _ in PostgresRegistries(options) }
        var failure: (any Error)?
        do {
            try await stores[0].makeTables()
            try await body(stores)
        } catch {
            failure = error
        }
        for store in stores { await store.close() }
        if let failure { throw failure }
    }
}

extension TimeSource {
    /// A clock that shows `dawn` for ever.
    fileprivate static let stopped = TimeSource(
        now: { dawn }, instant: { .now }, sleep: { try await Task.sleep(for: $0) })
}

extension SQLRegistries {
    /// Changes rows as no call of the registries does.
    @discardableResult
    func write<Value: Sendable>(
        as change: RegistryChange = .contents(.setSetting("test")),
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await writeRegistry { sql, entries throws(StoreError) in
            entries.append(RegistryEntry(change, by: .server, at: dawn))
            return try body(sql)
        }
    }

    /// Registers a business.
    func begin(_ business: BusinessID = DeskStoreTests.business(1)) async throws {
        try await save(
            Business(
                id: business, name: "Shop", colour: "#336699", mode: .live, createdAt: dawn),
            author: .server)
    }
}

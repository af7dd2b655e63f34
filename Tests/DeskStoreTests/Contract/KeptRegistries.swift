import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import PostgresSupport
import TestSupport

/// The engines that keep the registries' contract, by name.
enum KeptRegistries: CaseIterable, Sendable {
    case inSQLite
    case inPostgreSQL

    static let allCases: [KeptRegistries] = TestedEngines.chosen([.inSQLite], [.inPostgreSQL])

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
        _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        try await withDatabase(count, credentials) { stores, _ in try await body(stores) }
    }

    /// Lends, beside the stores, what further connections to their database are made with.
    static func withDatabase(
        _ count: Int = 1, _ credentials: any CredentialFeed = ProcessCredentialFeed(),
        _ body: ([PostgresStore], PostgresRegistries.Options) async throws -> Void
    ) async throws {
        try await PostgresSchema.reused { address in
            var stores: [PostgresStore] = []
            var failure: (any Error)?
            do {
                var options = PostgresRegistries.Options(address: address, keys: .random())
                options.time = .stopped
                options.credentials = credentials
                for _ in 0..<count {
                    stores.append(try await PostgresStore(options, newEpoch: Epoch(0xE)))
                }
                try await body(stores, options)
            } catch {
                failure = error
            }
            for store in stores { await store.close() }
            if let failure { throw failure }
        }
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

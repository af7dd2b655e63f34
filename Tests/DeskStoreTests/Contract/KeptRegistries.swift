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

    func with(_ body: (any SQLRegistries) async throws -> Void) async throws {
        switch self {
        case .inSQLite:
            try await withScratch { directory in
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                do {
                    try await body(store)
                } catch {
                    await store.close()
                    throw error
                }
                await store.close()
            }
        case .inPostgreSQL:
            try await Self.withPostgres { stores in try await body(stores[0]) }
        }
    }

    /// Lends as many processes' views of one new database as are asked for.
    static func withPostgres(
        _ count: Int = 1, _ body: ([PostgresRegistries]) async throws -> Void
    ) async throws {
        let address = try await PostgresServer.shared.address()
        var random = SystemRandomNumberGenerator()
        let schema = "t" + UniqueID(using: &random).text.filter { $0 != "-" }
        let outside = PostgresRegistries(.init(address: address))
        _ = try await outside.writeRegistry(changing: []) { sql throws(StoreError) in
            try sql.statement("CREATE SCHEMA \(schema)").runCounting()
        }
        await outside.close()
        let options = PostgresRegistries.Options(
            address: "\(address) application_name=\(schema) options='-c search_path=\(schema)'")
        let stores = (0..<count).map { _ in PostgresRegistries(options) }
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

extension SQLRegistries {
    /// Registers a business.
    func begin(_ business: BusinessID = DeskStoreTests.business(1)) async throws {
        try await save(
            Business(
                id: business, name: "Shop", colour: "#336699", mode: .live, createdAt: dawn))
    }
}

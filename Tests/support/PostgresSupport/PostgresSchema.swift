import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres

/// A schema in the tests' database, for one test.
package enum PostgresSchema {
    /// Lends the connection string of a new schema without tables, once a slot is free.
    package static func with<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        try await with(1) { addresses in try await body(addresses[0]) }
    }

    /// Lends the connection strings of new schemas without tables, once there are slots for all of them.
    package static func with<Value>(
        _ count: Int, _ body: ([String]) async throws -> Value
    ) async throws -> Value {
        await DatabaseSlots.shared.acquire(count)
        let result: Result<Value, any Error>
        do {
            var addresses: [String] = []
            for _ in 0..<count { addresses.append(try await make()) }
            result = .success(try await body(addresses))
        } catch {
            result = .failure(error)
        }
        await DatabaseSlots.shared.release(count)
        return try result.get()
    }

    /// Lends the connection string of a schema that is empty, and has the tables when another test used it
    /// before: to make them costs more than most tests.
    package static func reused<Value>(
        _ body: (String) async throws -> Value
    ) async throws -> Value {
        await DatabaseSlots.shared.acquire()
        let result: Result<Value, any Error>
        do {
            let address: String
            if let known = await Emptied.shared.take() {
                address = known
            } else {
                address = try await make()
            }
            let value = try await body(address)
            // One on which a test failed is not used again.
            try await empty(address)
            await Emptied.shared.add(address)
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await DatabaseSlots.shared.release()
        return try result.get()
    }

    private static func make() async throws -> String {
        let address = try await PostgresServer.shared.address()
        var random = SystemRandomNumberGenerator()
        let schema = "t" + UniqueID(using: &random).text.filter { $0 != "-" }
        try await execute("CREATE SCHEMA \(schema)", at: address)
        return "\(address) application_name=\(schema) options='-c search_path=\(schema)'"
    }

    /// Removes every row, and has every table count from the start.
    private static func empty(_ address: String) async throws {
        try await execute(
            """
            SET session_replication_role = replica;
            DO $$ DECLARE name text; BEGIN
                FOR name IN SELECT tablename FROM pg_tables
                    WHERE schemaname = current_schema() AND tablename <> 'schema_version' LOOP
                    EXECUTE format('DELETE FROM %I', name);
                END LOOP;
                FOR name IN SELECT sequencename FROM pg_sequences
                    WHERE schemaname = current_schema() AND last_value IS NOT NULL LOOP
                    EXECUTE format('ALTER SEQUENCE %I RESTART', name);
                END LOOP;
            END $$;
            INSERT INTO pruned VALUES (0)
            """, at: address)
    }

    private static func execute(_ statements: String, at address: String) async throws {
        let outside = PostgresRegistries(.init(address: address, keys: .random()))
        let result: Result<Void, StoreError>
        do throws(StoreError) {
            result = .success(try await outside.execute(statements))
        } catch {
            result = .failure(error)
        }
        await outside.close()
        try result.get()
    }
}

/// The schemas that have their tables and no rows.
private actor Emptied {
    static let shared = Emptied()

    private var addresses: [String] = []

    func take() -> String? { addresses.popLast() }

    func add(_ address: String) { addresses.append(address) }
}

public import DeskModel
// A module that imports the store has the calls of its registries with it.
@_exported public import DeskSQL
public import DeskStore

extension SQLiteStore: SQLRegistries {
    /// What encrypts the secrets in the tables.
    public var encryptionKeys: EncryptionKeys { keys }

    /// The newest event of the log, those of this commit included.
    public func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position {
        let statement = try sql.statement(
            literal: "SELECT coalesce(max(position), 0) FROM events")
        defer { statement.reset() }
        guard try statement.step() else { return .start }
        return Position(statement.integerIfAny() ?? 0)
    }

    /// Runs a read on a reader's thread.
    public func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await read { connection throws(StoreError) in try body(connection.sql) }
    }

    /// Runs a write in the writer's next commit; durable on return.
    ///
    /// - Throws: `refused` when it changes rows without an entry.
    public func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let (value, entries) = try await writer.run { connection, entries throws(StoreError) in
            let before = connection.changedRows
            let value = try body(connection.sql, &entries)
            guard !entries.isEmpty || connection.changedRows == before else {
                throw StoreError(.refused, "rows of a registry were changed without a record")
            }
            return value
        }
        await registryRecorder.publish(entries)
        return value
    }
}

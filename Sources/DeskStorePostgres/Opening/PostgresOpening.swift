import DeskModel
import DeskSQL
import DeskStore

/// What a process finds when it opens the store of a database.
struct PostgresOpening: Sendable {
    let epoch: Epoch
    let newest: Int64
    let oldest: Int64
}

extension PostgresRegistries {
    /// Checks a database, makes its tables when there are none, and finds the keys that its secrets need.
    static func makeReady(
        at address: String, newEpoch: Epoch
    ) async throws(StoreError) -> [EncryptionKeyID] {
        // Nothing is encrypted or decrypted on the way.
        let registries = PostgresRegistries(Options(address: address, keys: .random()))
        let answer: Result<[EncryptionKeyID], StoreError>
        do throws(StoreError) {
            try await registries.prepare { connection throws(StoreError) in
                try DatabaseCheck(connection: connection).run()
            }
            _ = try await registries.open(newEpoch: newEpoch)
            answer = .success(
                try await registries.readRegistry { sql throws(StoreError) in
                    try Secrets.count(on: sql).keys.map(\.self)
                })
        } catch {
            answer = .failure(error)
        }
        await registries.close()
        return try answer.get()
    }

    /// Makes the tables when there are none, or migrates those that are there, while other nodes serve.
    ///
    /// - Throws: `tooNew` for tables that a program of this version may not use, `busy` when others were in the way
    ///   for too long.
    func open(newEpoch: Epoch) async throws(StoreError) -> PostgresOpening {
        try await lend { [steps = options.migrations] connection throws(StoreError) in
            try PostgresMigrator(connection, steps: steps).run { connection throws(StoreError) in
                try Self.readLog(newEpoch: newEpoch, on: connection)
            }
        }
    }

    private static func readLog(
        newEpoch: Epoch, on connection: PostgresConnection
    ) throws(StoreError) -> PostgresOpening {
        let read = """
            SELECT (SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1), \
            (SELECT coalesce(max(position), 0) FROM events), \
            (SELECT position FROM pruned)
            """
        let row = try connection.statement(read)
        let known = try row.first { ($0.integerIfAny(), $0.integer(), $0.integer()) }
        guard let (epoch, newest, forgotten) = known else {
            throw StoreError(.failed, "the database answers without a row")
        }
        let oldest = try LogStart.check(forgotten, newest: newest)
        if let epoch {
            return PostgresOpening(
                epoch: Epoch(UInt64(bitPattern: epoch)), newest: newest, oldest: oldest)
        }
        let first = try connection.statement(
            literal: "INSERT INTO epochs (epoch, first_position) VALUES (?, ?)")
        try first.bind(Int64(bitPattern: newEpoch.value))
        try first.bind(newest + 1)
        try first.run()
        return PostgresOpening(epoch: newEpoch, newest: newest, oldest: oldest)
    }
}

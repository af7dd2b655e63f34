public import DeskModel
public import DeskStore

/// A store whose registries lie in SQL tables; it brings sessions, and gets every registry for it.
public protocol SQLRegistries: Registry {
    /// What sees every change.
    var registryRecorder: RegistryRecorder { get }

    /// What encrypts the secrets in the tables.
    var encryptionKeys: EncryptionKeys { get }

    /// Receives what readers find damaged; on any thread.
    var damaged: @Sendable (Damage) -> Void { get }

    /// Runs a read beside others; it sees what was committed before.
    func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value

    /// Runs a write by itself whole or not at all, as if no other ran beside it; durable on return.
    ///
    /// An engine may run `body` several times, of which one counts. `body` adds what it changes to the
    /// entries, none of which it finds at first: the engine's recorder makes them known after the
    /// commit, and has every node apply them before this returns. An engine that counts rows refuses a body that changes some without an entry.
    func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value

    /// The newest event of the log, as of the transaction of `sql`.
    func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position

    /// Refuses what is written under a lease that was released or acquired by another since.
    ///
    /// It holds until the transaction of `sql` ends: no other holder acquires the lease and reads the
    /// state from before it.
    /// - Throws: `superseded`.
    func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError)
}

extension SQLRegistries {
    /// Looks in memory first, then reads.
    ///
    /// Inlined, so that the row's type is known where memory is asked: every request does it twice.
    @inline(__always)
    func remembered<Value: Sendable>(
        _ look: (borrowing RegistryMemory.Rows) -> Value?,
        keep: (inout RegistryMemory.Rows, Value) -> Void,
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value? {
        guard let memory = registryRecorder.memory else { return try await readRegistry(body) }
        let known = memory.find(look)
        if let value = known.value { return value }
        let found = try await readRegistry(body)
        if let found { memory.keep(as: known.age) { keep(&$0, found) } }
        return found
    }
}

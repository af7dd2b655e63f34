import CPostgres
public import DeskModel
public import DeskSQL
public import DeskStore

/// The registries in a PostgreSQL database; the log, its views and its search come later.
///
/// Writes run in serializable transactions, so that several processes keep the promises of one.
/// A connection that breaks during a commit is `unknown`, one that breaks before `unavailable`.
public final class PostgresRegistries: Sendable {
    /// How the database is reached.
    public struct Options: Sendable {
        /// Where it is: a connection string or URI of libpq's.
        public var address: String
        /// Threads that read, each with a connection of its own.
        public var readers = 2
        /// Jobs that may wait for the writer or for the readers; one more is refused as `overloaded`.
        public var waiting = 16_384
        /// Most jobs of one commit of the log, so that none waits long for the others.
        public var jobsPerCommit = 256
        /// Where the times of the audit's records come from.
        public var time = TimeSource.system
        /// The library's name, as the system's loader looks for it.
        public var library = FRONTDESK_PQ_LIBRARY

        /// Where changes of credentials are applied before they are answered.
        ///
        /// Over a `PostgresCredentialFeed` each change is recorded in its own transaction, and lookups are
        /// remembered for as long as the node has a lease. Over another feed nothing is remembered.
        public var credentials: any CredentialFeed = ProcessCredentialFeed()

        /// Called with what happens to leases; it is quick and waits for nothing.
        public var leases: @Sendable (LeaseOccurrence) -> Void = { _ in }

        /// Says to the outboxes of every node that deliveries are due earlier; nil where there is one node.
        var retries: PostgresRetries?

        /// Receives what readers find damaged; on any thread.
        public var damaged: @Sendable (Damage) -> Void = { _ in }

        /// The steps of the schema that this program knows.
        var migrations = PostgresMigrations.all

        /// What encrypts the secrets in the tables; all processes of a database use the same.
        public var keys: EncryptionKeys

        /// An address and keys, and defaults for the rest.
        public init(address: String, keys: EncryptionKeys) {
            self.address = address
            self.keys = keys
        }
    }

    /// What encrypts the secrets in the tables.
    public let encryptionKeys: EncryptionKeys
    /// Receives what readers find damaged; on any thread.
    public var damaged: @Sendable (Damage) -> Void { options.damaged }
    /// What sees every change; without a feed of all nodes it remembers nothing, for another process may change
    /// what was found.
    public let registryRecorder: RegistryRecorder
    private let feed: PostgresCredentialFeed?
    private let writer: PostgresThreads
    private let readers: PostgresThreads
    let options: Options
    let line = LeaseLine()
    /// What is called with what happens to leases.
    var report: @Sendable (LeaseOccurrence) -> Void { options.leases }

    /// Starts the threads; libpq is loaded and connections are made by the first call.
    public init(_ options: Options) {
        self.options = options
        encryptionKeys = options.keys
        let feed = options.credentials as? PostgresCredentialFeed
        let memory = feed.map { feed in
            let memory = RegistryMemory { [weak feed] in feed?.lease }
            feed.follow { memory.apply($0) }
            return memory
        }
        self.feed = feed
        registryRecorder = RegistryRecorder(
            memory: memory, credentials: options.credentials, time: options.time)
        writer = PostgresThreads(options, for: .writing, threads: 1)
        readers = PostgresThreads(options, for: .reading, threads: options.readers)
    }

    /// How many reads wait for a thread.
    var waitingReads: Int { readers.waiting }

    /// Makes the tables in the first schema of the connection's search path, unless they are there.
    ///
    /// - Throws: `tooNew` for those of a newer program.
    public func makeTables() async throws(StoreError) {
        _ = try await open(newEpoch: Epoch(.random(in: 1...UInt64.max)))
    }

    /// Runs statements of ours that bind nothing, on a connection of its own.
    package func execute(_ statements: String) async throws(StoreError) {
        try await prepare { connection throws(StoreError) in try connection.execute(statements) }
    }

    /// Runs what makes or judges tables in a transaction, on a connection of its own.
    func prepare<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await onThread { thread throws(StoreError) in try await thread.run(body) }
    }

    /// Runs what has transactions of its own, on a connection of its own.
    func lend<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await onThread { thread throws(StoreError) in try await thread.lend(body) }
    }

    private func onThread<Value: Sendable>(
        _ body: (PostgresThreads) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let thread = PostgresThreads(options, for: .preparing, threads: 1)
        let answer: Result<Value, StoreError>
        do throws(StoreError) {
            answer = .success(try await body(thread))
        } catch {
            answer = .failure(error)
        }
        await thread.close()
        return try answer.get()
    }

    /// Finishes the accepted work, then refuses; returns when everything is closed.
    public func close() async {
        await writer.close()
        await readers.close()
    }
}

extension PostgresRegistries: SQLRegistries {
    /// The start: this store keeps no log yet.
    public func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position { .start }

    /// Runs a read in a transaction that sees one state of everything.
    public func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await readers.run { connection throws(StoreError) in try body(connection) }
    }

    /// Runs a write in a serializable transaction; after a conflict up to eight times more.
    public func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let done: (value: Value, entries: [RegistryEntry])
        do throws(StoreError) {
            done = try await writer.run { [feed] connection throws(StoreError) in
                var entries: [RegistryEntry] = []
                let value = try body(connection, &entries)
                if let record = feed?.record(entries) { connection.beforeCommit(record) }
                return (value, entries)
            }
        } catch {
            // A repeat would find it done, and have nothing to publish.
            if error.code == .unknown { await registryRecorder.publishUnknown() }
            throw error
        }
        registryRecorder.committed(done.entries)
        await registryRecorder.publish(done.entries)
        return done.value
    }
}

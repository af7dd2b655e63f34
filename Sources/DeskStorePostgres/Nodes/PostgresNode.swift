import CPostgres
public import DeskLog
public import DeskModel
public import DeskStore

/// One node of an installation on PostgreSQL: its store, and what it shares with the other nodes.
public struct PostgresNode: Sendable {
    /// How a node is opened.
    public struct Options: Sendable {
        /// Where the database is: a connection string or URI of libpq's.
        public var address: String
        /// Where the keys come from that encrypt secrets; all nodes of a database use the same.
        public var keys: EncryptionKeySource
        /// Called with what happens to the connection for notices; it is quick and waits for nothing.
        public var report: @Sendable (PostgresNotices.Occurrence) -> Void = { _ in }
        /// Where the bytes of attachments lie; nil means in the database.
        public var objects: PostgresBlobs.Objects?
        /// Called with what happens to leases; it is quick and waits for nothing.
        public var leases: @Sendable (LeaseOccurrence) -> Void = { _ in }
        /// Where commits and queues are counted.
        public var metrics = Metrics()

        /// An address and keys, and defaults for the rest.
        public init(address: String, keys: EncryptionKeySource) {
            self.address = address
            self.keys = keys
        }
    }

    /// Refuses an address that is of no form that libpq reads, and any where there is no libpq.
    ///
    /// Nothing is connected to.
    /// - Throws: `failed` with what is wrong.
    public static func require(address: String) throws(StoreError) {
        try PostgresConnection.require(address: address, library: FRONTDESK_PQ_LIBRARY)
    }

    /// The log and the registries.
    public let store: PostgresStore
    /// The bytes of attachments.
    public let blobs: PostgresBlobs
    /// The signals of all nodes.
    public let signals: PostgresSignalBus
    /// The counters of all nodes.
    public let counters: PostgresCounters
    private let registries: PostgresRegistries.Options
    private let notices: PostgresNotices
    private let credentials: PostgresCredentialFeed

    /// Checks that the database can keep what is promised, makes its tables when there are none, and opens it.
    ///
    /// `newEpoch` names the store's life if this begins one. `damaged` is called on any thread for each
    /// damaged row that is met, as often as it is met. `ended` is called once when the database cannot be
    /// used any more, with the reason: the process should end.
    /// - Throws: `refused` and `busy` with what is wrong with the database and what to do, `unavailable` when it
    ///   cannot be reached, `keyMissing`, `tooNew`, `failed` without libpq.
    public init(
        _ options: Options, newEpoch: Epoch,
        damaged: @escaping @Sendable (Damage) -> Void = { _ in },
        ended: @escaping @Sendable (PostgresStoreEnd) -> Void = { _ in }
    ) async throws(StoreError) {
        try await ImportLock.requireFree(at: options.address)
        let needed = try await PostgresRegistries.makeReady(at: options.address, newEpoch: newEpoch)
        var registries = PostgresRegistries.Options(
            address: options.address, keys: try options.keys.keys(needed: needed))
        registries.leases = options.leases
        var noticed = PostgresNotices.Options(address: options.address)
        noticed.report = options.report
        let notices = PostgresNotices(noticed)
        credentials = PostgresCredentialFeed(notices)
        registries.credentials = credentials
        registries.retries = PostgresRetries(notices)
        do throws(StoreError) {
            store = try await PostgresStore(
                registries, newEpoch: newEpoch, metrics: options.metrics, damaged: damaged,
                ended: ended)
        } catch {
            await notices.close()
            throw error
        }
        blobs = PostgresBlobs(registries, objects: options.objects)
        do throws(StoreError) {
            try await blobs.requireObjects()
        } catch {
            await blobs.close()
            await store.close()
            await notices.close()
            throw error
        }
        notices.listen(to: .log) { [tail = store.tail] notice in tail.look(at: notice) }
        signals = PostgresSignalBus(notices)
        counters = PostgresCounters(notices)
        self.notices = notices
        self.registries = registries
    }

    /// The search of all nodes, which the caller closes; `readable` gives what people see of a message.
    public func makeSearch(
        metrics: Metrics, readable: @escaping @Sendable (StoredMessage) -> String
    ) -> PostgresSearch {
        PostgresSearch(of: store, registries, metrics: metrics, readable: readable)
    }

    /// Whether the database answers; requests are welcome only then.
    public var isReachable: Bool { store.isReachable }

    /// Applies what other nodes change until the task is cancelled; one task calls it.
    ///
    /// A node that does not run it looks every session and key up again for each request.
    public func run() async { await credentials.run() }

    /// Finishes the accepted work, then refuses; returns when every connection is closed.
    public func close() async {
        await blobs.close()
        await store.close()
        await notices.close()
    }
}

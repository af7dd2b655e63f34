public import DeskLog
public import DeskModel
public import DeskSQL
public import DeskStore
import Glibc
import Synchronization

/// A store in one SQLite file, or in memory: one thread writes and commits in groups, a few read.
public final class SQLiteStore: Sendable {
    /// How the store is run.
    public struct Options: Sendable {
        /// Threads that read, each with a connection of its own.
        public var readers = 2
        /// Jobs that may wait for the writer; one more is refused as `overloaded`.
        public var waitingWrites = 16_384
        /// Jobs that may wait for the readers; one more is refused as `overloaded`.
        public var waitingReads = 16_384
        /// Most jobs of one commit, so that none waits long for the others.
        public var jobsPerCommit = 256
        /// Where the times of the audit's records come from.
        public var time = TimeSource.system
        /// Where changes of credentials are applied before they are answered.
        public var credentials: any CredentialFeed = ProcessCredentialFeed()
        /// Where commits and queues are counted.
        public var metrics = Metrics()
        /// Where the keys come from that encrypt secrets; nil means the file in the data directory.
        public var keys: EncryptionKeySource?

        /// What `serve` uses.
        public init() {}
    }

    /// The database's name in the data directory.
    static let fileName = "frontdesk.sqlite"

    /// The database of a data directory or a backup.
    static func file(in directory: String) -> String { directory + "/" + fileName }

    /// The life of the store.
    public let epoch: Epoch

    let feed: CommitFeed
    /// Receives what readers find damaged; on any thread.
    public let damaged: @Sendable (Damage) -> Void
    /// The data directory; nil when the store is in memory.
    private let directory: String?
    let logHold = LogHold()
    /// What sees every change of the registries.
    public let registryRecorder: RegistryRecorder
    /// Measures the disk of the data directory; nil when the store is in memory.
    public let disk: DiskGauge?
    private let lock: DataLock?
    let writer: Writer
    private let readers: ConnectionPool
    private let checkpoints: ConnectionPool?
    let memory = StoreMemory()
    let leases = ProcessLeases()
    let line = LeaseLine()
    let keys: EncryptionKeys

    /// Opens the store in a directory, making both when they are new; brings the schema up to date.
    ///
    /// `newEpoch` names the store's life if this begins one. `failed` is called once, on the
    /// writer's thread, when a write or flush failed: nothing is acknowledged from then on, and
    /// the process should end. `damaged` is called on any thread for each damaged row that is
    /// met, as often as it is met.
    /// - Throws: `busy` when another process serves the directory, `keyMissing` when secrets in it were
    ///   encrypted with a key that is not there, `refused` when there is no key in the file of keys,
    ///   `tooNew`, `failed`.
    public convenience init(
        directory: String, newEpoch: Epoch, options: Options = Options(),
        failed: @escaping @Sendable (StoreError) -> Void = { _ in },
        damaged: @escaping @Sendable (Damage) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            in: directory, newEpoch: newEpoch, options: options, failed: failed, damaged: damaged)
    }

    /// Opens an empty store in memory, which ends with this object and leaves nothing behind.
    ///
    /// Its reads and its commits alternate; no option but the queues' limits and the metrics
    /// applies.
    public convenience init(
        inMemory epoch: Epoch, options: Options = Options()
    ) throws(StoreError) {
        try self.init(
            in: nil, newEpoch: epoch, options: options, failed: { _ in }, damaged: { _ in })
    }

    private init(
        in directory: String?, newEpoch: Epoch, options: Options,
        failed: @escaping @Sendable (StoreError) -> Void,
        damaged: @escaping @Sendable (Damage) -> Void
    ) throws(StoreError) {
        self.damaged = damaged
        self.directory = directory
        disk = directory.map { DiskGauge(directory: $0) }
        lock = try directory.map { directory throws(StoreError) in
            try DataLock(directory: directory)
        }
        let path = directory.map { Self.file(in: $0) }
        let connection =
            if let path { try Self.openFile(path) } else { try MemoryDatabase.open() }
        keys = try EncryptedStore.open(
            connection,
            with: options.keys ?? directory.map { .file(EncryptionKeyFile(in: $0)) }
                ?? .given(.random()))
        epoch = try Self.epoch(on: connection, orBegin: newEpoch)
        let newest = try connection.prepare("SELECT coalesce(max(position), 0) FROM events")
            .first { $0.integer() }
        let oldest = try connection.prepare("SELECT position FROM pruned")
            .first { $0.integer() }
        feed = CommitFeed(
            newest: newest ?? 0,
            oldest: try LogStart.check(oldest ?? 0, newest: newest ?? 0))
        registryRecorder = RegistryRecorder(
            memory: RegistryMemory(), credentials: options.credentials, time: options.time)
        let session = try WriteSession(
            connection: connection, epoch: epoch, newest: newest ?? 0, recorder: registryRecorder)
        for one in session.damage { damaged(one) }
        if let path {
            readers = try ConnectionPool(
                path: path, for: .reading, threads: options.readers, limit: options.waitingReads)
            checkpoints = try ConnectionPool(path: path, for: .checkpoints, threads: 1, limit: 1)
        } else {
            readers = ConnectionPool(sharing: connection, limit: options.waitingReads)
            checkpoints = nil
        }
        writer = Writer(
            session: session, checkpoints: checkpoints,
            file: try path.map { path throws(StoreError) in try WrittenFile(path) },
            feed: feed, memory: memory,
            hold: logHold,
            options: options, failed: failed)
        show(in: options.metrics)
    }

    private static func openFile(_ path: String) throws(StoreError) -> Connection {
        let connection = try Connection(path: path, mayWrite: true)
        // Safe: no text from outside; the sizes are the ones of docs/limits.md.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;
            PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON;
            """)
        try Migrations.run(on: connection)
        // From here on what a savepoint can undo stays in memory: a file of it would have what is erased, and cost
        // each larger commit. A migration may change too much for that.
        try connection.execute("PRAGMA temp_store = MEMORY;")
        return connection
    }

    deinit {
        // A store in memory may be dropped without a close: what its threads hold is not needed.
        guard directory == nil else { return }
        writer.stop()
        readers.stop()
    }

    /// The data directory, for what reads the store's files.
    ///
    /// - Throws: `refused` when the store is in memory.
    func requireDirectory() throws(StoreError) -> String {
        guard let directory else { throw StoreError(.refused, "a store in memory has no files") }
        return directory
    }

    private func show(in metrics: Metrics) {
        let (feed, writer, readers) = (feed, writer, readers)
        metrics.showLog { feed.newest }
        metrics.show(.writer) { writer.waiting }
        metrics.show(.readers) { readers.waiting }
    }

    /// Whether a directory holds a store or a backup of one.
    public static func exists(in directory: String) -> Bool {
        unsafe access(file(in: directory), F_OK) == 0
    }

    /// Where a restore, an import or a move has begun to fill a directory, and not ended; nil where none has.
    public static func unfinished(in directory: String) -> String? {
        FreshStore.begun(in: directory)
    }

    /// Ends the life of the store and begins another; every cursor of before gets a reset.
    public static func beginEpoch(
        _ epoch: Epoch, inDirectory directory: String
    ) throws(StoreError) {
        let lock = try DataLock(directory: directory)
        let connection = try Connection(path: SQLiteStore.file(in: directory), mayWrite: true)
        try Migrations.run(on: connection)
        try insert(epoch, on: connection)
        lock.release()
    }

    /// Gives up what keys encrypt that `source` lacks; no process may serve the directory.
    ///
    /// The server's own secrets are made anew at the next start; returned are the links that need a new
    /// secret. A file of keys that is missing is made.
    /// - Throws: `busy`, `refused` when there is no key in the file of keys, `failed`.
    public static func forgetSecrets(
        inDirectory directory: String, keys source: EncryptionKeySource
    ) throws(StoreError) -> [GatewayLinkID] {
        let lock = try DataLock(directory: directory)
        defer { lock.release() }
        let connection = try Connection(path: SQLiteStore.file(in: directory), mayWrite: true)
        try Migrations.run(on: connection)
        // A file that is missing is made.
        let keys = try source.keys(needed: [])
        return try EncryptedStore.forgetSecrets(on: connection, but: keys)
    }

    /// Runs a read on a reader's thread.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await readers.run(body)
    }

    /// Runs a write that changes no registry on the writer's thread, by itself whole or not at all;
    /// durable on return.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await writer.run { connection, _ throws(StoreError) in try body(connection) }.value
    }

    /// Finishes the accepted work, then refuses; returns when everything is closed.
    ///
    /// The write-ahead log is empty then, unless another process reads or the disk is full.
    public func close() async {
        await writer.close()
        await readers.close()
        // Safe: what stays in the log is found there by the next start.
        _ = try? await checkpoints?.run { connection throws(StoreError) in
            try connection.checkpoint(.empty)
        }
        await checkpoints?.close()
        lock?.release()
    }

    private static func epoch(
        on connection: Connection, orBegin epoch: Epoch
    ) throws(StoreError) -> Epoch {
        let current = try connection.prepare(
            "SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1"
        ).first { Epoch(UInt64(bitPattern: $0.integer())) }
        if let current { return current }
        try insert(epoch, on: connection)
        return epoch
    }

    private static func insert(_ epoch: Epoch, on connection: Connection) throws(StoreError) {
        let statement = try connection.prepare(
            """
            INSERT INTO epochs (epoch, first_position) \
            SELECT ?, coalesce(max(position), 0) + 1 FROM events
            """)
        try statement.bind(Int64(bitPattern: epoch.value))
        try statement.run()
    }
}

extension SQLiteStore: Store, Maintenance {
    /// Makes a reader of the running store, on a thread of its own and of low priority.
    ///
    /// - Throws: `refused` when the store is in memory.
    public func makeWatch(with blobs: any BlobStore) throws(StoreError) -> any StoreWatch {
        try SQLiteWatch(directory: requireDirectory(), blobs)
    }

    /// Refuses: `frontdesk restore` gives a directory its own epoch.
    public func beginEpoch(_ next: Epoch) async throws(StoreError) {
        throw StoreError(
            .refused,
            "a data directory has another epoch when frontdesk restore has made it; this command is for a "
                + "database that PostgreSQL's own programs have restored: name it with --database")
    }
}

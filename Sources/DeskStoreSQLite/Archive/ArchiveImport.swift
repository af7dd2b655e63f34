import DeskCrypto
public import DeskModel
import DeskSQL
public import DeskStore

/// Makes a store of what an archive has, aside, in a data directory that is empty or missing.
///
/// Things come in the order of `ArchiveItem`. Nothing is in place before `finish`, and after
/// `abandon` nothing is left. Thread: blocks the caller's, one at a time.
public final class ArchiveImport: ArchiveTarget {
    /// Things of one transaction.
    private static let stride = 50_000

    private let fresh: FreshStore
    private var connection: Connection?
    private var session: WriteSession?
    private var rows: ImportedRows?
    private var file: IncomingFile?
    private var pending = 0

    /// Begins a store with a life of its own.
    ///
    /// - Throws: `refused` when the directory is not empty, `full`, `failed`.
    public init(_ head: ArchiveHead, into directory: String, newEpoch: Epoch) throws(StoreError) {
        fresh = try FreshStore(in: directory)
        do throws(StoreError) {
            let connection = try Connection(
                path: SQLiteStore.file(in: fresh.partial), for: .writing)
            // No reader opens it before it is whole and flushed, so there is nothing to undo.
            try connection.execute(
                """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;
                PRAGMA locking_mode = EXCLUSIVE;
                """)
            try Migrations.run(on: connection)
            try FileCalls.makeDirectory(fresh.partial + "/blobs")
            let session = try WriteSession(
                connection: connection, epoch: newEpoch, newest: 0,
                recorder: RegistryRecorder(memory: nil, time: .system))
            try session.begin()
            // The first start that has a key encrypts the secrets of links and endpoints, as it does whatever
            // the migrations left plain.
            rows = try ImportedRows(head, newEpoch: newEpoch, by: session) { secret, _ in secret }
            self.connection = connection
            self.session = session
        } catch {
            fresh.discard()
            throw error
        }
    }

    /// Imports the next item.
    ///
    /// - Throws: `refused` with a sentence when it cannot follow what came before.
    public func take(_ item: ArchiveItem) throws(StoreError) {
        guard let session, let rows else { preconditionFailure("the import has ended") }
        if case .piece(let bytes) = item {
            guard let file else {
                throw StoreError(.refused, "bytes come without their attachment")
            }
            return try file.take(bytes)
        }
        try endFile()
        if case .attachment(let blob) = item {
            file = try IncomingFile(blob, in: fresh.partial + "/blobs")
            return
        }
        do throws(StoreError) {
            try rows.take(item)
        } catch {
            // A key that is there already is the archive's fault, and not the disk's.
            guard error.code == .refused, error.detail.hasPrefix("sqlite") else { throw error }
            throw StoreError(.refused, "it contradicts an earlier line, or is there twice")
        }
        pending += 1
        guard pending >= Self.stride else { return }
        pending = 0
        try session.commit()
        try session.begin()
    }

    /// Reads the store through and puts it into its place.
    ///
    /// Durable: on return.
    /// - Throws: `damaged` when what came does not belong together; nothing is in place then.
    public func finish() throws(StoreError) -> StoreVerification {
        try endFile()
        try closeLog()
        session = nil
        rows = nil
        connection = nil
        for name in try FileCalls.names(in: fresh.partial + "/blobs") {
            try FileCopy.flushDirectory(fresh.partial + "/blobs/" + name)
        }
        try FileCopy.flushDirectory(fresh.partial + "/blobs")
        return try fresh.place()
    }

    private func closeLog() throws(StoreError) {
        guard let session, let rows, let connection else {
            preconditionFailure("the import has ended")
        }
        let end = try rows.finish()
        try connection.execute("UPDATE settled SET position = \(end)")
        try session.commit()
    }

    /// Removes everything again.
    public func abandon() {
        session = nil
        rows = nil
        connection = nil
        fresh.discard()
    }

    private func endFile() throws(StoreError) {
        guard let ended = file else { return }
        file = nil
        try ended.finish()
    }
}

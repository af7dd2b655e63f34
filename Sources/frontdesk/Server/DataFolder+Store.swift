import DeskAPI
import DeskLog
import DeskModel
import DeskSQL
import DeskStore
import DeskStoreSQLite

/// The store of a data directory: nothing else in this executable names the engine.
extension DataFolder {
    /// What a running server and the commands without one work on.
    typealias Opened = any Store & Maintenance

    /// The limits of the store's own.
    static let limits = SQLiteStore.limits

    /// Whether a directory holds a store or a backup of one.
    static func hasStore(_ folder: String) -> Bool { SQLiteStore.exists(in: folder) }

    /// Refuses a directory whose data was moved away.
    static func requireHome(_ folder: String) throws(Installation.Failure) {
        guard let note = SQLiteStore.moveNote(in: folder) else { return }
        throw Installation.Failure(
            "the data in \(folder) was moved to \(note.place) on \(note.day), and is served from there",
            hint: "to serve what was left here instead, delete \(folder)/\(MoveNote.fileName)")
    }

    /// Refuses a directory that is being filled, or that an attempt to fill was killed in: a start would make an
    /// empty store in it.
    static func requireFilled(_ folder: String) throws(Installation.Failure) {
        guard let begun = SQLiteStore.unfinished(in: folder) else { return }
        throw Installation.Failure(
            "the data in \(folder) is not whole: a restore, an import or a move into it has not ended",
            hint:
                "wait for it; where it was broken off give the same command again, or delete \(begun) to begin anew"
        )
    }

    /// Opens the store of a directory, which is made when it is new.
    ///
    /// `failed` is called once when a write failed, `damaged` for each damaged row that is met.
    /// Without `keys` the file of keys in the directory is used, or made.
    /// - Throws: `busy` when another process serves the directory, `keyMissing`, `refused`, `tooNew`,
    ///   `failed`.
    static func open(
        _ folder: String, keys: EncryptionKeySource? = nil, metrics: Metrics = Metrics(),
        failed: @escaping @Sendable (StoreError) -> Void = { _ in },
        damaged: @escaping @Sendable (Damage) -> Void = { _ in }
    ) throws(StoreError) -> Opened {
        var options = SQLiteStore.Options()
        options.metrics = metrics
        options.keys = keys
        return try SQLiteStore(
            directory: folder, newEpoch: .random(), options: options, failed: failed,
            damaged: damaged)
    }

    /// Gives up the secrets whose keys are lost; returned are the links that need a new one.
    static func forgetSecrets(
        _ folder: String, keys: EncryptionKeySource
    ) throws(StoreError) -> [GatewayLinkID] {
        try SQLiteStore.forgetSecrets(inDirectory: folder, keys: keys)
    }

    /// Opens a store that ends with the process.
    static func openInMemory() throws(StoreError) -> Opened {
        try SQLiteStore(inMemory: .random())
    }

    /// Opens or makes the search index beside a store.
    static func openSearch(
        of store: any Store, _ folder: String, _ metrics: Metrics
    ) throws(Installation.Failure) -> any SearchIndex {
        do throws(StoreError) {
            return try SQLiteSearch(
                of: store, directory: folder, metrics: metrics, readable: ReadableText.text(of:))
        } catch {
            throw Installation.Failure(
                "the search index in \(folder) cannot be opened or made: \(StoreFailure.words(error))",
                hint: "\(SQLiteSearch.fileName) may be deleted while no process serves it")
        }
    }

    /// Reads a data directory or a backup through; a server may run on it.
    static func verify(_ folder: String) throws(StoreError) -> StoreVerification {
        try StoreVerification(reading: folder)
    }

    /// Puts a backup into an empty directory as a store with an epoch of its own.
    static func restore(
        _ backup: String, to folder: String
    ) throws(StoreError) -> StoreVerification {
        try SQLiteStore.restore(backup, to: folder, newEpoch: .random())
    }

    /// Begins to make a store of an archive in an empty directory.
    static func beginImport(
        _ head: ArchiveHead, into folder: String
    ) throws(StoreError) -> any ArchiveTarget {
        try ArchiveImport(head, into: folder, newEpoch: .random())
    }
}

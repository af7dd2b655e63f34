import DeskCommandLine
import DeskStore
import DeskStorePostgres

/// The store that a command works on by itself, beside no server of its data directory.
struct CommandStore {
    let store: any Store & Maintenance
    /// The bytes of attachments.
    let blobs: any BlobStore
    /// What it is called in a sentence.
    let name: String
    /// Finishes what was accepted; returns when everything is closed.
    let close: () async -> Void

    /// Opens the database that is named, or else the store of the data directory.
    static func open(
        _ parsed: Parsed, keys: EncryptionKeySource?
    ) async throws(Installation.Failure) -> CommandStore {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let given = parsed["database"] else { return try open(folder, keys: keys) }
        let address = DatabaseAddress(given)
        do throws(StoreError) {
            guard try PostgresImport.hasStore(at: address.text) else {
                throw StoreError(
                    .refused,
                    "the database has no data of Frontdesk's in the first schema of its search path: "
                        + "name another one with --database, or start the server once: frontdesk serve"
                )
            }
            let node = try await PostgresNode(
                PostgresNode.Options(
                    address: address.text,
                    keys: keys ?? .file(EncryptionKeyFile(in: folder))),
                newEpoch: .random())
            return CommandStore(
                store: node.store, blobs: node.blobs, name: "the database"
            ) { await node.close() }
        } catch {
            throw DatabaseFailure.failure(error, at: address)
        }
    }

    private static func open(
        _ folder: String, keys: EncryptionKeySource?
    ) throws(Installation.Failure) -> CommandStore {
        try DataFolder.requireStore(
            folder,
            hint:
                "name the directory with --data or the database with --database, or start the server "
                + "once: frontdesk serve")
        try DataFolder.requireHome(folder)
        do throws(StoreError) {
            let store = try DataFolder.open(folder, keys: keys)
            let blobs = try DirectoryBlobStore(directory: folder + "/blobs")
            return CommandStore(
                store: store, blobs: blobs, name: "the store in \(folder); no server runs on it"
            ) { await store.close() }
        } catch {
            guard error.code != .busy else {
                throw Installation.Failure(
                    "another process works on \(folder), and no server answers there",
                    hint: "wait until it is done, or ask as the user whose server it is")
            }
            throw StoreFailure.opening(error, folder)
        }
    }
}

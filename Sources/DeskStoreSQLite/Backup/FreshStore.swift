import DeskStore
import Glibc

/// A store that is made aside, verified, and then put into an empty data directory.
///
/// It lies within that directory until it is whole, so that it needs no permission beside it and
/// the directory may be a mount of its own. The database is moved last, in one rename: a directory
/// without it is no store. The directory is locked from the beginning to the end, as a server locks it.
struct FreshStore {
    private static let name = "incoming-store"

    private let directory: String
    private let wasMissing: Bool
    private let lock: DataLock

    /// Where it is made.
    let partial: String

    /// Makes the directory if it is missing; what an attempt that was killed left there is removed, or kept
    /// for one that goes on with it.
    ///
    /// - Throws: `refused` when there is anything else in it, `busy` when another process works on it.
    init(in directory: String, keepsAttempt: Bool = false) throws(StoreError) {
        self.directory = directory
        partial = directory + "/" + Self.name
        wasMissing = unsafe access(directory, F_OK) != 0
        let parent = FileCopy.folder(of: directory)
        guard unsafe access(parent, F_OK) == 0 else {
            throw StoreError(.refused, "there is no directory \(parent) to make it in")
        }
        try FileCalls.makeDirectory(directory)
        // Nothing is made in a directory of others, not even the lock.
        _ = try Self.namesOfAttempt(in: directory)
        do throws(StoreError) {
            lock = try DataLock(directory: directory)
        } catch {
            guard error.code == .busy else { throw error }
            throw StoreError(.busy, "another process works on \(directory)")
        }
        let names = try Self.namesOfAttempt(in: directory)
        if keepsAttempt {
            // The end of an attempt begins with the attachments.
            if names.contains("blobs") {
                try FileCalls.move(directory + "/blobs", to: partial + "/blobs")
            }
        } else {
            try FileCopy.removeTree(directory + "/blobs")
            try FileCopy.removeTree(partial)
        }
        try FileCalls.makeDirectory(partial)
    }

    /// What an attempt that was killed left in a directory; nothing where it is empty.
    private static func namesOfAttempt(in directory: String) throws(StoreError) -> [String] {
        // The key may be put in place before the data that it decrypts.
        let names = try FileCalls.names(in: directory).filter {
            $0 != EncryptionKeyFile.name && $0 != DataLock.fileName
        }
        // The attempt's own directory goes last, so whatever else lies here beside it is the attempt's.
        let isLeftover = names.contains(name) && !names.contains(SQLiteStore.fileName)
        guard names.isEmpty || isLeftover && Set(names).isSubset(of: [name, "blobs"]) else {
            throw StoreError(.refused, "\(directory) is not empty")
        }
        return names
    }

    /// Where a store is being made in a directory, or an attempt to make one was killed; nil where neither is so.
    static func begun(in directory: String) -> String? {
        let path = directory + "/" + name
        guard unsafe access(path, F_OK) == 0, !SQLiteStore.exists(in: directory) else { return nil }
        return path
    }

    /// Reads the store through and puts it into its place.
    ///
    /// Durable: on return.
    /// - Throws: `damaged` with the first finding, unless damage is accepted; nothing is in place then.
    func place(acceptsDamage: Bool = false) throws(StoreError) -> StoreVerification {
        try FileCopy.flush(SQLiteStore.file(in: partial))
        let found = try StoreVerification(reading: partial)
        guard found.isClean || acceptsDamage else {
            let first = found.damage.first.map(\.description) ?? ""
            throw StoreError(.damaged, "\(found.counts.damaged) findings, first: \(first)")
        }
        try FileCalls.move(partial + "/blobs", to: directory + "/blobs")
        try FileCalls.move(SQLiteStore.file(in: partial), to: SQLiteStore.file(in: directory))
        try FileCopy.flushDirectory(directory)
        // Safe: the store is in place; the remains of the attempt disturb nothing.
        try? FileCopy.removeTree(partial)
        lock.release()
        return found
    }

    /// Removes again what it made, and nothing else: a key may have been put there meanwhile.
    func discard() {
        defer { lock.release() }
        // Safe: what is left is recognised and removed by the next attempt.
        try? FileCopy.removeTree(directory + "/blobs")
        try? FileCopy.removeTree(partial)  // Safe: as above.
        guard wasMissing else { return }
        _ = try? FileCalls.remove(directory + "/" + DataLock.fileName)  // Safe: as above.
        // Safe: it stays where anything else is in it.
        _ = unsafe rmdir(directory)
    }
}

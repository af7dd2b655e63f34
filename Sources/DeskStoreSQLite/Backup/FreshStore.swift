import DeskStore
import Glibc

/// A store that is made aside, verified, and then put into an empty data directory.
///
/// It lies within that directory until it is whole, so that it needs no permission beside it and
/// the directory may be a mount of its own. The database is moved last, in one rename: a directory
/// without it is no store.
struct FreshStore {
    private static let name = "incoming-store"

    private let directory: String
    private let wasMissing: Bool

    /// Where it is made.
    let partial: String

    /// Makes the directory if it is missing; what an attempt that was killed left there is removed, or kept
    /// for one that goes on with it.
    ///
    /// - Throws: `refused` when there is anything else in it.
    init(in directory: String, keepsAttempt: Bool = false) throws(StoreError) {
        self.directory = directory
        partial = directory + "/" + Self.name
        wasMissing = unsafe access(directory, F_OK) != 0
        let parent = FileCopy.folder(of: directory)
        guard unsafe access(parent, F_OK) == 0 else {
            throw StoreError(.refused, "there is no directory \(parent) to make it in")
        }
        try FileCalls.makeDirectory(directory)
        // The key may be put in place before the data that it decrypts.
        let names = try FileCalls.names(in: directory).filter { $0 != EncryptionKeyFile.name }
        // The attempt's own directory goes last, so whatever else lies here beside it is the attempt's.
        let isLeftover = names.contains(Self.name) && !names.contains(SQLiteStore.fileName)
        guard names.isEmpty || isLeftover && Set(names).isSubset(of: [Self.name, "blobs"]) else {
            throw StoreError(.refused, "\(directory) is not empty")
        }
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
        return found
    }

    /// Removes everything again.
    func discard() {
        // Safe: what is left is recognised and removed by the next attempt.
        try? FileCopy.removeTree(directory + "/blobs")
        try? FileCopy.removeTree(partial)  // Safe: as above.
        if wasMissing { try? FileCopy.removeTree(directory) }  // Safe: as above.
    }
}

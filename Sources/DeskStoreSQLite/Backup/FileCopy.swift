import DeskModel
import DeskSQL
import DeskStore
import Glibc

/// Files copied whole and flushed, for backups.
enum FileCopy {
    /// Writes a new file and flushes it.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let descriptor = try FileCalls.create(path)
        defer { FileCalls.close(descriptor) }
        try FileCalls.write(bytes, to: descriptor)
        try FileCalls.flush(descriptor, failed: Self.ignore)
    }

    /// Copies a file under a new name, flushes it, and says what it is; nil when there is none.
    static func copy(
        _ path: String, to other: String
    ) throws(StoreError) -> (byteCount: Int64, digest: Digest)? {
        let descriptor = try FileCalls.create(other)
        defer { FileCalls.close(descriptor) }
        let copied = try BlobCopy.read(path) { piece throws(StoreError) in
            try FileCalls.write(piece, to: descriptor)
        }
        try FileCalls.flush(descriptor, failed: Self.ignore)
        return copied
    }

    /// What a file is.
    static func digest(_ path: String) throws(StoreError) -> (byteCount: Int64, digest: Digest) {
        let found = try BlobCopy.read(path) { (_: [UInt8]) throws(StoreError) in }
        guard let found else { throw StoreError(.failed, "\(path) is missing") }
        return found
    }

    /// Flushes a file that others wrote.
    static func flush(_ path: String) throws(StoreError) {
        guard let descriptor = try FileCalls.open(path) else {
            throw StoreError(.failed, "\(path) is missing")
        }
        defer { FileCalls.close(descriptor) }
        try FileCalls.flush(descriptor, failed: Self.ignore)
    }

    /// Flushes a directory's names.
    static func flushDirectory(_ path: String) throws(StoreError) {
        try FileCalls.flushDirectory(path, failed: ignore)
    }

    /// Of the store nothing hangs on a copy: its failure ends the copy alone.
    private static func ignore(_ error: StoreError) {}

    /// Copies the attachments that a copied database names, and says how many there were.
    ///
    /// One that is missing stays missing; the reading of the copy names it. `before` each one receives how many bytes it
    /// has, and may end the copying.
    static func copyAttachments(
        of copy: String, from source: String,
        before: (Int64) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> (count: Int, bytes: Int64) {
        let blobs = copy + "/blobs"
        try FileCalls.makeDirectory(blobs)
        let connection = try Connection(path: SQLiteStore.file(in: copy), for: .copy)
        let names = try connection.prepare(ArchivedRows.attachments).all { $0.digestIfAny() }
        var count = 0
        var bytes: Int64 = 0
        var folders: Set<String> = []
        for case let name? in names {
            let id = AttachmentID(name)
            let path = DirectoryBlobStore.path(of: id, in: source + "/blobs")
            guard let size = FileCalls.byteCount(at: path) else { continue }
            try before(size)
            let folder = DirectoryBlobStore.folder(of: id, in: blobs)
            if folders.insert(folder).inserted { try FileCalls.makeDirectory(folder) }
            let other = DirectoryBlobStore.path(of: id, in: blobs)
            guard let copied = try Self.copy(path, to: other) else { continue }
            count += 1
            bytes += copied.byteCount
        }
        for folder in folders { try FileCopy.flushDirectory(folder) }
        try FileCopy.flushDirectory(blobs)
        return (count, bytes)
    }

    /// The folder that a path lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a directory with all that is in it; nothing when there is none.
    static func removeTree(_ path: String) throws(StoreError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        try removeContents(of: path)
        guard unsafe rmdir(path) == 0 else { throw FileCalls.error("rmdir") }
    }

    /// Removes all that is in a directory.
    static func removeContents(of path: String) throws(StoreError) {
        for name in try FileCalls.names(in: path) {
            let inner = path + "/" + name
            var found = stat()
            // Safe: lstat fills the struct that is lent for the call.
            guard unsafe lstat(inner, &found) == 0 else { throw FileCalls.error("lstat") }
            if found.st_mode & S_IFMT == S_IFDIR {
                try removeTree(inner)
            } else {
                _ = try FileCalls.remove(inner)
            }
        }
    }
}

import DeskStore
import Glibc
import Synchronization

/// The lock by which one process alone serves a data directory; the system frees it with the process.
final class DataLock: Sendable {
    /// The name of the file in the directory that is locked.
    static let fileName = "lock"

    private let descriptor: Mutex<Int32>

    /// Makes the directory if it is missing (readable by its owner only) and locks it.
    ///
    /// - Throws: `busy` when another process holds it.
    init(directory: String) throws(StoreError) {
        try FileCalls.makeDirectory(directory)
        let path = directory + "/" + Self.fileName
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            let reason = errno
            throw StoreError(.failed, "\(path) cannot be opened: \(SystemWords.text(reason))")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            Self.close(opened)
            throw reason == EWOULDBLOCK
                ? StoreError(.busy, "store is busy")
                : StoreError(.failed, "flock: \(SystemWords.text(reason))")
        }
        descriptor = Mutex(opened)
    }

    /// Makes a directory if it is missing and locks it without a file in it, so that it may be renamed as it is.
    ///
    /// A file system that locks no directory, such as NFS, locks nothing.
    /// - Throws: `busy` when another lock of this kind is on it.
    init(ofUnfinished directory: String) throws(StoreError) {
        try FileCalls.makeDirectory(directory)
        guard let opened = try FileCalls.open(directory) else {
            throw StoreError(.busy, "store is busy")
        }
        let isTaken = flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        // One that was renamed or removed since it was opened is another process's.
        let isThere = try FileCalls.isOpen(opened, at: directory)
        guard !isTaken, isThere else {
            Self.close(opened)
            throw StoreError(.busy, "store is busy")
        }
        descriptor = Mutex(opened)
    }

    deinit { release() }

    /// Gives the directory back.
    func release() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if held >= 0 { Self.close(held) }
    }

    private static func close(_ descriptor: Int32) {
        // Nothing was written through it, so its close has nothing to say.
        _ = Glibc.close(descriptor)
    }
}

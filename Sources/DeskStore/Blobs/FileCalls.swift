import DeskBytes
import DeskCrypto
import Glibc

/// The system calls of the blob store, each judged where it is made.
package enum FileCalls {
    package static func error(_ call: String) -> StoreError {
        error(call, errno)
    }

    private static func error(_ what: String, _ reason: Int32) -> StoreError {
        let code: StoreError.Code = reason == ENOSPC || reason == EDQUOT ? .full : .failed
        return StoreError(code, "\(what): \(SystemWords.text(reason))")
    }

    /// Gives a file that root has made the owner of the one that it replaces, or of the folder.
    ///
    /// Others make files of their own.
    package static func keepOwner(
        of path: String, in folder: String, for descriptor: Int32
    ) throws(StoreError) {
        guard geteuid() == 0 else { return }
        var facts = stat()
        // Safe: stat fills the struct that is lent for the call.
        guard unsafe (stat(path, &facts) == 0 || stat(folder, &facts) == 0) else {
            throw error("stat")
        }
        // A file that root made before is no other's either.
        if facts.st_uid == 0, unsafe stat(folder, &facts) != 0 { throw error("stat") }
        guard facts.st_uid != 0 || facts.st_gid != 0 else { return }
        guard fchown(descriptor, facts.st_uid, facts.st_gid) == 0 else { throw error("fchown") }
    }

    package static func makeDirectory(_ path: String) throws(StoreError) {
        let reason = unsafe mkdir(path, 0o700) == 0 ? 0 : errno
        guard reason == 0 || reason == EEXIST else {
            throw error("the directory \(path) cannot be made", reason)
        }
    }

    /// Makes a file that is not there yet.
    package static func create(_ path: String) throws(StoreError) -> Int32 {
        guard let descriptor = try createIfNew(path) else { throw error("open") }
        return descriptor
    }

    /// Makes a file; nil when there is one of that name.
    package static func createIfNew(_ path: String) throws(StoreError) -> Int32? {
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        guard errno == EEXIST else { throw error("open") }
        return nil
    }

    /// Makes a file without a name, for reading and writing, that is gone once it is closed.
    package static func createNameless(in directory: String) throws(StoreError) -> Int32 {
        let path = "\(directory)/upload-\(Hex.encode(RandomBytes.make(8)))"
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error("open") }
        guard unsafe unlink(path) == 0 else {
            let failure = error("unlink")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Whether users beside the file's owner and group may read it.
    package static func isOpenToEverybody(_ descriptor: Int32) throws(StoreError) -> Bool {
        var found = stat()
        // Safe: fstat fills the struct that is lent for the call.
        guard unsafe fstat(descriptor, &found) == 0 else { throw error("fstat") }
        return found.st_mode & S_IROTH != 0
    }

    /// Whether an open file is the one that a path leads to.
    package static func isOpen(_ descriptor: Int32, at path: String) throws(StoreError) -> Bool {
        var own = stat()
        var found = stat()
        // Safe: both fill the structs that are lent for the calls.
        guard unsafe fstat(descriptor, &own) == 0 else { throw error("fstat") }
        guard unsafe stat(path, &found) == 0 else {
            guard errno == ENOENT else { throw error("stat") }
            return false
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    /// What distinguishes a file from every other one while it is open; nil when there is none at a path.
    package static func identity(of path: String) throws(StoreError) -> FileIdentity? {
        var found = stat()
        // Safe: stat fills the struct that is lent for the call.
        guard unsafe stat(path, &found) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw error("stat") }
            return nil
        }
        return FileIdentity(device: UInt64(found.st_dev), number: UInt64(found.st_ino))
    }

    /// The time since a file was last written to, by the system's clock; nil when it is gone.
    package static func age(of path: String) throws(StoreError) -> Duration? {
        var found = stat()
        // Safe: stat fills the struct that is lent for the call.
        guard unsafe stat(path, &found) == 0 else {
            guard errno == ENOENT else { throw error("stat") }
            return nil
        }
        return .seconds(time(nil) - found.st_mtim.tv_sec)
    }

    /// Opens for reading; nil when there is no such file.
    package static func open(_ path: String) throws(StoreError) -> Int32? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT else { throw error("open") }
        return nil
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw error("write") }
            done += written
        }
    }

    package static func read(
        _ descriptor: Int32, at offset: Int64, atMost count: Int
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(
                    descriptor, $0.baseAddress?.advanced(by: done), count - done,
                    Int(offset) + done)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw error("pread") }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }

    package static func byteCount(of descriptor: Int32) throws(StoreError) -> Int64 {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw error("lseek") }
        return Int64(end)
    }

    /// How many bytes a file has; nil when it is not there.
    package static func byteCount(at path: String) -> Int64? {
        var found = stat()
        // Safe: stat fills the struct that is lent for the call.
        return unsafe stat(path, &found) == 0 ? Int64(found.st_size) : nil
    }

    /// How much room the file system of a path has for this process.
    package static func space(of path: String) throws(StoreError) -> DiskSpace {
        var found = statvfs()
        // Safe: statvfs fills the struct that is lent for the call.
        guard unsafe statvfs(path, &found) == 0 else { throw error("statvfs") }
        func bytes(_ blocks: UInt) -> Int64 {
            Int64(
                clamping: blocks.multipliedFullWidth(by: found.f_frsize).high > 0
                    ? UInt.max : blocks * found.f_frsize)
        }
        return DiskSpace(freeBytes: bytes(found.f_bavail), totalBytes: bytes(found.f_blocks))
    }

    /// Flushes; calls `failed` after a failure, because the content of the disk is unknown then.
    package static func flush(
        _ descriptor: Int32, failed: (StoreError) -> Void
    ) throws(StoreError) {
        guard fsync(descriptor) != 0 else { return }
        // Also for want of room: a flush that failed is never tried again.
        let error = StoreError(.failed, "fsync: \(SystemWords.text(errno))")
        failed(error)
        throw error
    }

    package static func flushDirectory(
        _ path: String, failed: (StoreError) -> Void
    ) throws(StoreError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error("open") }
        defer { close(descriptor) }
        try flush(descriptor, failed: failed)
    }

    package static func move(_ path: String, to other: String) throws(StoreError) {
        guard unsafe rename(path, other) == 0 else { throw error("rename") }
    }

    /// Removes a file; returns whether there was one.
    package static func remove(_ path: String) throws(StoreError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw error("unlink") }
        return false
    }

    package static func close(_ descriptor: Int32) {
        // What matters was flushed before; a close has nothing more to say.
        _ = Glibc.close(descriptor)
    }

    /// The names in a directory, without the two dots.
    package static func names(in path: String) throws(StoreError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw error("opendir") }
        defer { _ = unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            // Safe: d_name ends with a NUL within the entry, which lives until the next readdir;
            // the entry may be shorter than its type, so it is never copied as a whole.
            let place = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = unsafe UnsafeRawPointer(entry).advanced(by: place)
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The place of a file: its file system and its number there.
package struct FileIdentity: Hashable, Sendable {
    /// The number of its file system.
    package let device: UInt64
    let number: UInt64
}

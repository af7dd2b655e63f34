import Glibc

/// A file's bytes: read up to a limit, replaced as a whole.
package enum FileText {
    /// Reads a file; `-` is standard input.
    ///
    /// Limit: `limit` bytes; a larger file is refused before it is read.
    package static func read(_ path: String, upTo limit: Int) throws(UsageError) -> [UInt8] {
        let tooLarge = UsageError("\(shown(path)) has more than \(limit) bytes")
        if path == "-" {
            let bytes = StandardInput.readAll(upTo: limit + 1)
            guard bytes.count <= limit else { throw tooLarge }
            return bytes
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0 else { throw failure("read", path) }
        guard facts.st_mode & S_IFMT != S_IFDIR else {
            throw UsageError("\(shown(path)) is a folder")
        }
        guard facts.st_size <= limit else { throw tooLarge }
        // One byte more than it should have, to see its end without another round.
        var bytes = [UInt8](repeating: 0, count: max(Int(facts.st_size), 4_095) + 1)
        var count = 0
        while true {
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(
                    descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure("read", path) }
            if got == 0 { break }
            count += got
            guard count <= limit else { throw tooLarge }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Replaces a file's bytes at once: a reader sees the old ones or the new ones.
    ///
    /// Durable: on return they survive a power cut. Mode and owner stay; a link stays a link.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(UsageError) {
        let target = try resolved(path)
        var facts = stat()
        guard unsafe stat(target, &facts) == 0, unsafe access(target, W_OK) == 0 else {
            throw failure("written", path)
        }
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)]) + "/"
        let scratch = "\(folder).frontdesk-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let descriptor = unsafe open(
            scratch, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("written", path) }
        var isDone = write(bytes, to: descriptor)
        if isDone, facts.st_uid != geteuid() || facts.st_gid != getegid() {
            isDone = fchown(descriptor, facts.st_uid, facts.st_gid) == 0
        }
        isDone = isDone && fchmod(descriptor, facts.st_mode & 0o7777) == 0
        isDone = isDone && fsync(descriptor) == 0
        isDone = close(descriptor) == 0 && isDone
        if isDone { isDone = unsafe rename(scratch, target) == 0 }
        guard isDone else {
            let reason = failure("written", path)
            unsafe unlink(scratch)
            throw reason
        }
        // The name is part of what must survive.
        let parent = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }

    /// The path with every link and dot resolved.
    package static func resolved(_ path: String) throws(UsageError) -> String {
        guard let found = unsafe realpath(path, nil) else { throw failure("found", path) }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard input" : path }

    private static func failure(_ verb: String, _ path: String) -> UsageError {
        let reason = unsafe String(cString: strerror(errno))
        return UsageError("\(path) cannot be \(verb): \(reason)")
    }
}

import DeskCrypto
import DeskModel
package import DeskStore
import Glibc

/// Reads an archive line by line and verifies it by its last line.
///
/// Limit: it holds one line of at most `mostLineBytes` and what was read at once behind it, however
/// large the file is.
package final class ArchiveSource {
    /// Bytes read at once.
    package static let rangeBytes = 256 * 1_024

    /// Longest line in bytes, without its end; a longer one is refused before more of it is read.
    package let mostLineBytes: Int
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var digest = SHA256()
    private var seen = ArchiveEnd()
    /// Whether the archive has a line for each request that was settled.
    private var namesSettlements = true
    /// The line that was read last, counted from 1.
    package private(set) var line = 0

    /// Bytes for which there is room in memory.
    package var roomBytes: Int { buffer.capacity }

    /// Reads a file, or with `-` what is piped in.
    ///
    /// - Throws: when it cannot be opened.
    package convenience init(_ path: String) throws(ArchiveFault) {
        try self.init(path, mostLineBytes: ArchiveLine.maximumBytes)
    }

    /// Reads a file whose lines are no longer than so many bytes.
    ///
    /// - Throws: when it cannot be opened.
    package init(_ path: String, mostLineBytes: Int) throws(ArchiveFault) {
        self.mostLineBytes = mostLineBytes
        isOwned = path != "-"
        descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else {
            throw ArchiveFault("\(path) cannot be opened: \(SystemWords.text(errno))")
        }
    }

    deinit { if isOwned { _ = close(descriptor) } }  // It was only read.

    /// The first line; a refusal says whether the file is no archive at all.
    package func readHead() throws(ArchiveFault) -> ArchiveHead {
        do throws(ArchiveFault) {
            return try readFirstLine()
        } catch {
            let isArchive = buffer.starts(with: ArchiveLine.beginning)
            throw ArchiveFault(
                line: error.line, error.reason, isOtherFile: !buffer.isEmpty && !isArchive)
        }
    }

    private func readFirstLine() throws(ArchiveFault) -> ArchiveHead {
        guard let bytes = try readLine() else { throw ArchiveFault("the file is empty") }
        let content = try parse(bytes)
        guard case .head(let head) = content else {
            throw ArchiveFault(line: line, "it does not begin an archive")
        }
        add(bytes)
        namesSettlements = head.namesSettlements
        return head
    }

    /// The next item; nil after a last line that matches everything before it.
    package func next() throws(ArchiveFault) -> ArchiveItem? {
        guard let bytes = try readLine() else {
            throw ArchiveFault(
                line: line, "the archive ends here, without its last line: it was cut off")
        }
        switch try parse(bytes) {
        case .head: throw ArchiveFault(line: line, "an archive begins within another")
        case .item(let item):
            add(bytes)
            seen.counts[ArchiveLine.type(of: item), default: 0] += 1
            return item
        case .end(let end):
            try verify(end)
            return nil
        }
    }

    /// Passes every item to `take`, then asks `finish` for the outcome; all or nothing.
    ///
    /// An archive of before settlements had lines is passed on with those that its answers show.
    ///
    /// - Throws: the first fault with its line; then `abandon` was called.
    package func readAll<Outcome>(
        take: (ArchiveItem) throws(StoreError) -> Void,
        finish: () throws(StoreError) -> Outcome, abandon: () -> Void
    ) throws(ArchiveFault) -> Outcome {
        do throws(ArchiveFault) {
            var shown = ShownSettlements()
            while let item = try next() {
                if !namesSettlements { shown.note(item) }
                do throws(StoreError) {
                    try take(item)
                } catch {
                    throw ArchiveFault(line: line, error.detail)
                }
            }
            do throws(StoreError) {
                for one in shown.all { try take(.settlement(one)) }
            } catch {
                throw ArchiveFault("a request that its answer settles: \(error.detail)")
            }
            do throws(StoreError) {
                return try finish()
            } catch {
                throw ArchiveFault("the lines do not belong together: \(error.detail)")
            }
        } catch {
            abandon()
            throw error
        }
    }

    private func parse(_ bytes: [UInt8]) throws(ArchiveFault) -> ArchiveLine.Content {
        do throws(ArchiveFault) {
            return try ArchiveLine.read(bytes)
        } catch {
            throw ArchiveFault(line: line, error.reason)
        }
    }

    private func add(_ bytes: [UInt8]) {
        digest.update(bytes)
        digest.update(CollectionOfOne(0x0A))
        seen.lines += 1
    }

    private func verify(_ end: ArchiveEnd) throws(ArchiveFault) {
        var summed = SHA256()
        swap(&summed, &digest)
        guard end.lines == seen.lines else {
            throw ArchiveFault(
                line: line, "\(end.lines) lines were written before it, and \(seen.lines) are there"
            )
        }
        // Archives of before have lines of types that they do not count.
        for type in ArchiveLine.types {
            let there = seen.counts[type] ?? 0
            guard let written = end.counts[type], written != there else { continue }
            throw ArchiveFault(
                line: line,
                "\(written) lines of the type \(type) were written, and \(there) are there")
        }
        guard Digest(bytes: summed.finish()) == end.digest else {
            throw ArchiveFault(
                line: line, "SHA-256 differs: something before it is not what was written")
        }
        guard try readLine() == nil else {
            throw ArchiveFault(line: line, "it comes after the last line")
        }
    }

    /// The next line without its end; nil after the last one.
    private func readLine() throws(ArchiveFault) -> [UInt8]? {
        var looked = start
        while true {
            if let end = Self.lineEnd(in: buffer, from: looked) {
                guard end - start <= mostLineBytes else { throw tooLong(end - start) }
                defer { start = end + 1 }
                line += 1
                return Array(buffer[start..<end])
            }
            looked = buffer.count
            guard !isAtEnd else {
                guard start == buffer.count else {
                    throw ArchiveFault(
                        line: line + 1, "the archive ends in the middle of it: it was cut off")
                }
                return nil
            }
            guard buffer.count - start <= mostLineBytes else {
                throw tooLong(buffer.count - start)
            }
            looked -= start
            try readRange()
        }
    }

    /// The refusal of the line that is read, of which so many bytes were seen.
    private func tooLong(_ seenBytes: Int) -> ArchiveFault {
        ArchiveFault(
            line: line + 1,
            "found \(seenBytes) bytes or more; allowed: \(mostLineBytes) in a line. No export has such a "
                + "line: import the file as frontdesk export wrote it, or export again")
    }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { all in
            guard start < all.count, let base = all.baseAddress else { return nil }
            let found = unsafe memchr(base + start, 0x0A, all.count - start)
            // Safe: both point into the array that is lent.
            return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    /// Adds bytes to the buffer, what was handed out removed.
    private func readRange() throws(ArchiveFault) {
        buffer.removeFirst(start)
        start = 0
        let filled = buffer.count
        // By itself the buffer would grow to twice what it needs.
        let needed = filled + Self.rangeBytes
        if buffer.capacity < needed {
            let most = mostLineBytes + Self.rangeBytes
            buffer.reserveCapacity(min(max(needed, 2 * buffer.capacity), most))
        }
        buffer.append(contentsOf: repeatElement(0, count: Self.rangeBytes))
        var count = -1
        repeat {
            count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(
                    descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
            }
        } while count < 0 && errno == EINTR
        let reason = errno
        buffer.removeLast(buffer.count - filled - max(0, count))
        guard count >= 0 else { throw ArchiveFault("reading failed: \(SystemWords.text(reason))") }
        isAtEnd = count == 0
    }
}

import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import Synchronization

@testable import DeskArchive

extension FilledStore {
    /// Everything that is exported of a store, as bytes.
    static func export(_ opened: ArchivePlace.Opened) async throws -> [UInt8] {
        let written = Mutex<[UInt8]>([])
        let writer = ArchiveWriter { bytes in
            written.withLock { $0 += bytes }
            return true
        }
        try await opened.store.archive(
            with: opened.blobs, at: dawn,
            begin: { head throws(StoreError) in try writer.begin(head) },
            take: { item throws(StoreError) in try writer.take(item) })
        _ = try writer.finish()
        return written.withLock { $0 }
    }

    /// Makes a store of bytes.
    static func take(_ bytes: [UInt8], into place: ArchivePlace) throws -> StoreVerification {
        let path = place.directory + ".jsonl"
        try Data(bytes).write(to: URL(filePath: path))
        let source = try ArchiveSource(path)
        let made = try place.begin(try source.readHead())
        return try source.readAll(
            take: { item throws(StoreError) in try made.take(item) },
            finish: { () throws(StoreError) in try made.finish() }, abandon: made.abandon)
    }
}

/// An archive split into its lines.
struct ArchiveText {
    var lines: [[UInt8]]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last == [] { lines.removeLast() }
    }

    var bytes: [UInt8] { Self.joined(lines[...]) }

    /// Lines, each with its end.
    static func joined(_ lines: ArraySlice<[UInt8]>) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line
            bytes.append(0x0A)
        }
        return bytes
    }

    /// What two exports of the same things have in common: all but the first line and the sum.
    var things: [[UInt8]] { Array(lines.dropFirst().dropLast()) }

    /// The same with a last line that is right for the lines before it.
    func resummed() throws -> [UInt8] {
        var end = ArchiveEnd()
        let body = Array(lines.dropLast())
        for line in body {
            end.lines += 1
            if case .item(let item) = try? ArchiveLine.read(line) {  // Safe: a harmed line is none.
                end.counts[ArchiveLine.type(of: item), default: 0] += 1
            }
        }
        let text = Self.joined(body[...])
        end.digest = .sha256(text)
        return text + ArchiveLine.write(end) + [0x0A]
    }
}

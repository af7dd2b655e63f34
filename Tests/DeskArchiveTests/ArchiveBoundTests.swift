import FoundationEssentials
import StoreSupport
import Testing

@testable import DeskArchive

/// What an archive is read with stays small, however long its lines and however many they are.
@Suite struct ArchiveBoundTests {
    private static let mostLineBytes = 100_000
    /// What is read at once stands behind a line; an allocation may be rounded up by as much.
    private static let mostRoomBytes = mostLineBytes + 2 * ArchiveSource.rangeBytes

    /// The lines of a store's export, and a path for a file of them.
    private func withExport(_ body: (ArchiveText, String) throws -> Void) async throws {
        try await ArchivePlace.with(.inFile) { places in
            let opened = try await places[0].fill(messages: 12)
            let bytes = try await FilledStore.export(opened)
            await opened.close()
            try body(ArchiveText(bytes), places[0].directory + ".bound")
        }
    }

    /// Reads a file to its end or to its fault, and the most room that there was for its bytes.
    private func read(_ bytes: [UInt8], at path: String) throws -> (ArchiveFault?, room: Int) {
        try Data(bytes).write(to: URL(filePath: path))
        let source = try ArchiveSource(path, mostLineBytes: Self.mostLineBytes)
        var room = 0
        do throws(ArchiveFault) {
            _ = try source.readHead()
            while try source.next() != nil { room = max(room, source.roomBytes) }
            return (nil, max(room, source.roomBytes))
        } catch {
            return (error, max(room, source.roomBytes))
        }
    }

    @Test(arguments: [100_001, 400_000, 5_000_000])
    func `a line beyond the bound is refused with its number, the bound and what to do`(
        count: Int
    ) async throws {
        try await withExport { text, path in
            var longer = text
            longer.lines.insert([UInt8](repeating: 0x61, count: count), at: 3)
            let (fault, room) = try read(longer.bytes, at: path)
            #expect(fault?.line == 4)
            let reason = try #require(fault?.reason)
            #expect(reason.hasPrefix("found ") && reason.contains("bytes or more"))
            #expect(reason.contains("allowed: 100000 in a line"))
            #expect(reason.contains("export again"))
            #expect(room <= Self.mostRoomBytes, "\(room)")
        }
    }

    @Test func `a line of as many bytes as may be is read`() async throws {
        try await withExport { text, path in
            var longest = text
            longest.lines.insert([UInt8](repeating: 0x61, count: Self.mostLineBytes), at: 3)
            let (fault, _) = try read(longest.bytes, at: path)
            // It is no JSON, which is found out behind the bound.
            #expect(fault?.line == 4)
            #expect(fault?.reason.contains("allowed: ") == false)
        }
    }

    @Test func `a file of many lines needs no more room than a file of few`() async throws {
        try await withExport { text, path in
            let (none, few) = try read(text.bytes, at: path)
            #expect(none == nil)
            let line = try #require(text.lines.max { $0.count < $1.count })
            var many = text
            let copies = 8_000_000 / line.count
            many.lines.insert(
                contentsOf: [[UInt8]](repeating: line, count: copies), at: text.lines.count - 1)
            let (fault, room) = try read(many.bytes, at: path)
            // Each of them is read; the last line counts fewer.
            #expect(fault?.line == many.lines.count)
            #expect(room <= Self.mostRoomBytes, "\(room) after \(few)")
        }
    }
}

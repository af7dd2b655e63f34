import DeskLog
import FoundationEssentials
import Testing

@testable import frontdesk

struct StoreFileWatchTests {
    @Test func `a file that was moved, replaced and put back is noticed, each once`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "frontdesk-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // Safe: it is temporary.
        let (file, away) = (folder.appending(path: "store"), folder.appending(path: "away"))
        try Data("a".utf8).write(to: file)
        let sink = MemorySink()
        let watch = try StoreFileWatch(file.path, log: Log(to: sink))
        await watch.look()
        #expect(watch.isThere && sink.lines.isEmpty)
        try FileManager.default.moveItem(at: file, to: away)
        await watch.look()
        await watch.look()
        #expect(!watch.isThere && sink.lines.count == 1)
        // Another file of that name is not the one that is written.
        try Data("a".utf8).write(to: file)
        await watch.look()
        #expect(!watch.isThere && sink.lines.count == 1)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        await watch.look()
        #expect(watch.isThere)
        #expect(
            zip(
                sink.lines,
                ["level=error event=store_file_gone", "level=info event=store_file_back"]
            )
            .allSatisfy { $0.contains($1) })
        #expect(sink.lines.count == 2)
    }
}

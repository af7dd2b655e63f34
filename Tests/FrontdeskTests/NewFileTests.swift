import DeskStore
import FoundationEssentials
import TestSupport
import Testing

@testable import frontdesk

struct NewFileTests {
    @Test func `a file that two commands write at once is whole, and of the one that began last`()
        throws
    {
        let folder = try ScratchFolder()
        let path = folder.path + "/export.jsonl"
        let first = try NewFile(at: path)
        defer { first.close() }
        try FileCalls.write(Array("first".utf8), to: first.descriptor)
        let second = try NewFile(at: path)
        defer { second.close() }
        try FileCalls.write(Array("sec".utf8), to: second.descriptor)
        #expect(throws: StoreError(.failed, "another process writes it too")) {
            try first.finish()
        }
        try first.discard()
        #expect(TestFiles.files(below: folder.path) == ["export.jsonl.partial"])
        try FileCalls.write(Array("ond".utf8), to: second.descriptor)
        try second.finish()
        #expect(TestFiles.files(below: folder.path) == ["export.jsonl"])
        #expect(TestFiles.bytes(at: path) == Array("second".utf8))
    }

    @Test func `what a command that failed wrote is removed, and what one left that was killed`()
        throws
    {
        let folder = try ScratchFolder()
        let path = folder.path + "/export.jsonl"
        try NewFile(at: path).close()
        let file = try NewFile(at: path)
        defer { file.close() }
        #expect(TestFiles.files(below: folder.path) == ["export.jsonl.partial"])
        try file.discard()
        #expect(TestFiles.files(below: folder.path) == [])
    }
}

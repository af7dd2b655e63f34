import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// What the writer does while its database file is not where it was opened.
@Suite struct WrittenFileTests {
    @Test func `nothing is acknowledged while the file is gone, and all goes on when it is back`()
        async throws
    {
        try await withScratch { folder in
            let store = try SQLiteStore(directory: folder + "/data", newEpoch: Epoch(1))
            let file = SQLiteStore.file(in: folder + "/data")
            try await store.setSetting("a", to: [1], author: .command)
            try FileManager.default.moveItem(atPath: file, toPath: folder + "/away")
            let gone = StoreError(.unavailable, "the database file is gone")
            await #expect(throws: gone) {
                try await store.setSetting("a", to: [2], author: .command)
            }
            // Another file of that name is not the one that is written.
            try Data("a".utf8).write(to: URL(filePath: file))
            await #expect(throws: gone) {
                try await store.setSetting("a", to: [3], author: .command)
            }
            try FileManager.default.removeItem(atPath: file)
            #expect(try await store.findSetting("a") == [1])
            try FileManager.default.moveItem(atPath: folder + "/away", toPath: file)
            try await store.setSetting("a", to: [4], author: .command)
            #expect(try await store.findSetting("a") == [4])
            await store.close()
        }
    }
}

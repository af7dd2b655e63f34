import DeskAPI
import DeskCommandLine
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import Foundation
import Testing

@testable import frontdesk

struct AdminSocketTests {
    @Test func `a command reaches the server through its socket, however deep the directory`()
        async throws
    {
        let parsed = Parsed(values: [:], arguments: [])
        let root = FileManager.default.temporaryDirectory.path + "/frontdesk-\(UUID().uuidString)"
        let folder = root + "/" + String(repeating: "d", count: 120)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(atPath: root)  // Safe: the folder is temporary.
        }
        #expect(try AdminSocket.ask(in: folder, "key list", parsed) == nil)
        let socket = try AdminSocket(in: folder)
        let store = try SQLiteStore(inMemory: Epoch(7))
        let blobs = try DirectoryBlobStore(directory: folder + "/blobs")
        let commands = AdminCommands(store: store, time: .system, publicURL: "http://a.example")
        let answer = try await withThrowingTaskGroup(of: AdminCommands.Result?.self) { group in
            group.addTask {
                await socket.run(commands, blobs, log: .silent)
                return nil
            }
            // A thread of its own: it blocks, and the pool's threads are as few as the cores.
            let parsed = parsed
            let answer = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        returning: Result {
                            // The other tests may keep the pool's threads from the server for long.
                            try AdminSocket.ask(
                                in: folder, "key list", parsed, patienceSeconds: 300)
                        })
                }
            }
            group.cancelAll()
            return try answer.get()
        }
        #expect(answer == .done("There are no keys."))
    }
}

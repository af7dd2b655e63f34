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
        try await Self.withServer { folder in
            try await Self.ask(in: folder, database: nil)
        } check: { answer in
            #expect(answer == .done("There are no keys."))
        }
    }

    @Test(
        arguments: [
            (nil, "postgresql://frontdesk@db.example/shop", false),
            (
                "postgresql://frontdesk@db.example/shop", "postgresql://frontdesk@db.example/other",
                false
            ),
            ("postgresql://frontdesk@db.example/shop", nil, true),
            // Its password is no part of which database it is.
            (
                "postgresql://frontdesk@db.example/shop",
                "postgresql://frontdesk:secret@db.example/shop", true
            ),
        ] as [(String?, String?, Bool)])
    func `a command for another database is not done by the server that runs on the directory`(
        own: String?, named: String?, isDone: Bool
    ) async throws {
        try await Self.withServer(on: own) { folder in
            try await Self.ask(in: folder, database: named.map { DatabaseAddress($0) })
        } check: { answer in
            #expect(answer == (isDone ? .done("There are no keys.") : nil))
        }
    }

    @Test func `an export of another database is not one of the server that runs on the directory`()
        async throws
    {
        try await Self.withServer { folder in
            try await Self.blocking {
                try AdminSocket.stream(
                    in: folder, "export", database: DatabaseAddress("postgresql:///other")
                ) { _ in
                    Issue.record("something was exported")
                    return true
                }
            }
        } check: { answer in
            #expect(answer == nil)
        }
    }

    @Test(
        arguments: [
            (EMFILE, .full), (ENFILE, .full), (ENOBUFS, .full), (ENOMEM, .full), (EINTR, .passed),
            (ECONNABORTED, .passed), (EPROTO, .passed), (EBADF, .over), (EINVAL, .over),
        ] as [(Int32, LocalSocket.Refused)])
    func `a socket is given up only where no connection can come any more`(
        code: Int32, outcome: LocalSocket.Refused
    ) {
        #expect(LocalSocket.Refused(code: code) == outcome)
    }

    /// Asks while a server answers in a deep directory, on a database where one is named.
    private static func withServer(
        on database: String? = nil,
        _ ask: @escaping @Sendable (String) async throws -> AdminCommands.Result?,
        check: (AdminCommands.Result?) -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.path + "/frontdesk-\(UUID().uuidString)"
        let folder = root + "/" + String(repeating: "d", count: 120)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(atPath: root)  // Safe: the folder is temporary.
        }
        #expect(try await Self.ask(in: folder, database: nil) == nil)
        let socket = try AdminSocket(in: folder)
        let store = try SQLiteStore(inMemory: Epoch(7))
        let blobs = try DirectoryBlobStore(directory: folder + "/blobs")
        let commands = AdminCommands(
            store: store, time: .system, database: database, publicURL: "http://a.example")
        let answer = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await socket.run(commands, blobs, log: .silent) }
            let answer = try await ask(folder)
            group.cancelAll()
            return answer
        }
        check(answer)
    }

    private static func ask(
        in folder: String, database: DatabaseAddress?
    ) async throws -> AdminCommands.Result? {
        try await blocking {
            // The other tests may keep the pool's threads from the server for long.
            try AdminSocket.ask(
                in: folder, "key list", Parsed(), database: database, patienceSeconds: 300)
        }
    }

    /// On a thread of its own: it blocks, and the pool's threads are as few as the cores.
    private static func blocking(
        _ body: @escaping @Sendable () throws -> AdminCommands.Result?
    ) async throws -> AdminCommands.Result? {
        try await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result { try body() }) }
        }.get()
    }
}

import DeskModel
import DeskStore
import FoundationEssentials
import Testing

@testable import DeskStoreSQLite

/// What backups and what is restored from them hold.
@Suite struct BackupTests {
    @Test func `a backup restores with everything and a life of its own`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            try await FullStore.make(in: data)
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            #expect(backup.verification.isClean)
            #expect(backup.directory == directory + "/backup")
            #expect(backup.position == store.newest)
            #expect(backup.attachments == 2)
            let events = try await store.events(after: .start, in: .everything, limit: 300).events
            // What comes after the backup is not in it.
            _ = try await store.accept(submission("later", to: conversation(1)))
            await store.close()

            let other = directory + "/other"
            let restored = try SQLiteStore.restore(
                backup.directory, to: other, newEpoch: Epoch(7))
            #expect(restored.isClean)
            let second = try SQLiteStore(directory: other, newEpoch: Epoch(9))
            #expect(second.epoch == Epoch(7))
            let again = try await second.events(after: .start, in: .everything, limit: 300).events
            #expect(again.map(\.body) == events.map(\.body))
            #expect(try await second.accept(submission("again", to: conversation(2))).isRepeat)
            #expect(try await !second.accept(submission("later", to: conversation(1))).isRepeat)
            await second.close()
            #expect(try StoreVerification(reading: other).damage == [])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other).sorted().filter {
                    !$0.hasPrefix("frontdesk.sqlite")
                } == ["blobs", "encryption.key", "lock"])
        }
    }

    @Test func `messages are accepted between any two ranges of a backup`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            let big = String(repeating: "x", count: 200_000)
            for number in 1...60 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1), big))
            }
            let asked = Heap<Void>()
            let accepted = Heap<Void>()
            let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
            let answers = WorkQueue<Bool>(limit: 1_000)
            try await withThrowingTaskGroup(of: StoreBackup?.self) { group in
                group.addTask {
                    for await _ in wishes {
                        let number = accepted.add(())
                        let one = try submission("b\(number)", to: conversation(1), big)
                        let stored = try await store.accept(one)
                        _ = answers.offer(!stored.isRepeat)
                    }
                    return nil
                }
                group.addTask {
                    defer { wish.finish() }
                    return try await store.backUp(to: directory + "/backup", at: dawn) {
                        // The copy waits here until a message is accepted and flushed.
                        asked.add(())
                        wish.yield()
                        #expect(answers.take(atMost: 1) == [true])
                    }
                }
                var made: StoreBackup?
                for try await one in group { if let one { made = one } }
                let backup = try #require(made)
                #expect(backup.verification.damage == [])
                #expect(backup.verification.counts.messages == 60)
                #expect(asked.all.count >= 2)
                #expect(accepted.all.count == asked.all.count)
            }
            await store.close()
        }
    }

    @Test func `the log may grow while a backup is made, and no write waits`() async throws {
        try await withScratch { directory in
            let path = directory + "/a.sqlite"
            let connection = try Connection(path: path, mayWrite: true)
            try connection.execute(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (x)")
            let pool = try ConnectionPool(path: path, for: .checkpoints, threads: 1, limit: 1)
            let hold = LogHold()
            var log = LogCare(of: connection, on: pool, holding: hold)
            let reader = try Connection(path: path, mayWrite: false)
            try reader.execute("BEGIN")
            _ = try reader.prepare("SELECT count(*) FROM t").first { $0.integer() }
            try hold.during {
                while connection.logPages < LogCare.maximumPages + 2 * LogCare.beginPages {
                    try connection.execute("INSERT INTO t VALUES (zeroblob(262144))")
                    try log.look()
                }
            }
            #expect(log.waits == 0)
            try reader.execute("COMMIT")
            try connection.execute("INSERT INTO t VALUES (zeroblob(65536))")
            while log.waits == 0 {
                try connection.execute("INSERT INTO t VALUES (zeroblob(65536))")
                try log.look()
            }
            await pool.close()
        }
    }

    @Test(arguments: ["frontdesk.sqlite", "backup"])
    func `a damaged backup is refused and leaves nothing`(name: String) async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            try await FullStore.make(in: data)
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            await store.close()
            let path = URL(filePath: backup.directory + "/" + name)
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: path)
            // What a restore would refuse is no backup to be sure of.
            #expect(try !StoreVerification(reading: backup.directory).isClean)
            let other = directory + "/other"
            #expect(throws: StoreError.self) {
                try SQLiteStore.restore(backup.directory, to: other, newEpoch: Epoch(7))
            }
            #expect(
                (try? FileManager.default.contentsOfDirectory(atPath: other)) ?? [] == [],
                "Safe: there may be no directory.")
        }
    }

    @Test func `a directory that is not empty is left alone`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            try await FullStore.make(in: data)
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            await #expect(throws: StoreError(.refused, "\(backup.directory) is there already")) {
                try await store.backUp(to: backup.directory, at: dawn, leaving: 0)
            }
            await store.close()
            #expect(throws: StoreError(.refused, "\(data) is not empty")) {
                try SQLiteStore.restore(backup.directory, to: data, newEpoch: Epoch(7))
            }
        }
    }

    @Test func `a directory that is being filled is filled and served by no other`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            let first = try FreshStore(in: data)
            #expect(throws: StoreError(.busy, "another process works on \(data)")) {
                _ = try FreshStore(in: data)
            }
            #expect(throws: StoreError(.busy, "store is busy")) {
                try SQLiteStore(directory: data, newEpoch: Epoch(1))
            }
            #expect(SQLiteStore.unfinished(in: data) == first.partial)
            first.discard()
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test func `what failed to be made in a directory removes nothing else from it`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            let fresh = try FreshStore(in: data)
            try Data("the key".utf8).write(to: URL(filePath: data + "/encryption.key"))
            fresh.discard()
            #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["encryption.key"])
            // An attempt that was killed is begun anew.
            let killed = try FreshStore(in: data).partial
            try Data("half".utf8).write(to: URL(filePath: killed + "/frontdesk.sqlite"))
            let next = try FreshStore(in: data)
            #expect(try FileManager.default.contentsOfDirectory(atPath: next.partial) == [])
        }
    }

    @Test func `a second backup of one name is refused while the first is made`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            let big = String(repeating: "x", count: 200_000)
            for number in 1...30 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1), big))
            }
            let place = directory + "/backup"
            // What a killed one left is removed, and does not count as one that is being made.
            try FileManager.default.createDirectory(
                atPath: place + ".partial/blobs", withIntermediateDirectories: true)
            let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
            let answers = WorkQueue<StoreError?>(limit: 1)
            let asked = Heap<Void>()
            async let first = store.backUp(to: place, at: dawn) {
                guard asked.add(()) == 1 else { return }
                // The copy waits here until the second one was refused.
                wish.yield()
                #expect(
                    answers.take(atMost: 1) == [
                        StoreError(.refused, "another backup is being made in \(place)")
                    ])
            }
            for await _ in wishes {
                do throws(StoreError) {
                    _ = try await store.backUp(to: place, at: dawn, leaving: 0)
                    _ = answers.offer(nil)
                } catch {
                    _ = answers.offer(error)
                }
                break
            }
            let made = try await first
            #expect(made.directory == place && made.verification.isClean)
            #expect(try SQLiteStore.restore(place, to: data + "2", newEpoch: Epoch(7)).isClean)
            await store.close()
        }
    }

    @Test func `a backup of what is damaged has another name`() async throws {
        try await withScratch { directory in
            let data = directory + "/data"
            try await FullStore.make(in: data)
            try FullStore.change(data, "UPDATE messages SET summary = 'x' WHERE id = 'a9'")
            let store = try SQLiteStore(directory: data, newEpoch: Epoch(1))
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            #expect(backup.directory == directory + "/backup.damaged")
            #expect(backup.verification.counts.damaged == 1)
            // It is looked at before another one may have its name.
            await #expect(throws: StoreError(.refused, "\(backup.directory) is there already")) {
                try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            }
            await store.close()
        }
    }
}

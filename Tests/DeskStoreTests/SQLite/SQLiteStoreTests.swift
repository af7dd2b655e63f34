import DeskLog
import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import Synchronization
import Testing

@testable import DeskStoreSQLite

/// What only a store on a disk promises.
@Suite struct SQLiteStoreTests {
    @Test func `closing and opening again finds everything`() async throws {
        try await withScratch { directory in
            let first = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await first.begin(conversation(1))
            let big = String(repeating: "x", count: Event.maximumPayloadBytes + 1)
            let small = try await first.accept(submission("a", to: conversation(1))).message
            let large = try await first.accept(submission("b", to: conversation(1), big)).message
            _ = try await first.change(conversation(1), .close)
            let before = try await first.require(conversation(1))
            let events = try await first.events(after: .start, in: .everything, limit: 9).events
            await first.close()

            let second = try SQLiteStore(directory: directory, newEpoch: Epoch(2))
            #expect(second.epoch == Epoch(1))
            #expect(second.newest == Position(4))
            #expect(try await second.require(conversation(1)) == before)
            let page = try await second.messages(in: conversation(1), .newest, limit: 9)
            #expect(page.elements == [small, large])
            #expect(
                try await second.events(after: .start, in: .everything, limit: 9).events
                    == events)
            let again = try await second.accept(submission("a", to: conversation(1)))
            #expect(again.isRepeat)
            #expect(again.message == small)
            let next = try await second.accept(submission("c", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(3))
            await second.close()
        }
    }

    @Test func `what arrives together is committed together, and what comes alone at once`()
        async throws
    {
        try await withScratch { directory in
            var options = SQLiteStore.Options()
            options.metrics = Metrics()
            let store = try SQLiteStore(
                directory: directory, newEpoch: Epoch(1), options: options)
            try await store.begin(conversation(1))
            func commits() -> Int {
                let line = options.metrics.text().split(separator: "\n")
                    .first { $0.hasPrefix("frontdesk_commit_jobs_count ") }
                return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
            }
            let before = commits()
            _ = try await store.accept(submission("alone", to: conversation(1)))
            #expect(commits() == before + 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        _ = try await store.accept(submission("m\(number)", to: conversation(1)))
                    }
                }
                try await group.waitForAll()
            }
            // One each would be 400.
            #expect(commits() - before - 1 < 200)
            await store.close()
        }
    }

    @Test func `a closed store has no write-ahead log, for its last connection is closed`()
        async throws
    {
        try await withScratch { directory in
            for _ in 1...5 {
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
                try await store.begin(conversation(1))
                _ = try await store.accept(submission("a", to: conversation(1)))
                _ = try await store.businesses()
                await store.close()
                let log = directory + "/frontdesk.sqlite-wal"
                #expect(!FileManager.default.fileExists(atPath: log))
            }
        }
    }

    @Test func `large payloads travel in events by reference`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            let limit = Event.maximumPayloadBytes
            for count in [limit, limit + 1] {
                let text = String(repeating: "x", count: count)
                _ = try await store.accept(submission("m\(count)", to: conversation(1), text))
            }
            let events = try await store.events(after: Position(1), in: .everything, limit: 9)
            let payloads = events.events.map { event -> Payload? in
                guard case .message(let message) = event.body else { return nil }
                return message.payload
            }
            #expect(
                payloads == [
                    .bytes([UInt8](repeating: 0x78, count: limit)),
                    .reference(byteCount: limit + 1),
                ])
            await store.close()
        }
    }

    @Test func `a second process learns that the store is busy`() async throws {
        try await withScratch { directory in
            let first = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            #expect(throws: StoreError(.busy, "store is busy")) {
                try SQLiteStore(directory: directory, newEpoch: Epoch(2))
            }
            await first.close()
            let second = try SQLiteStore(directory: directory, newEpoch: Epoch(2))
            await second.close()
        }
    }

    @Test func `after close every call is refused`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            await store.close()
            await #expect(throws: StoreError(.closed)) { try await store.businesses() }
            await #expect(throws: StoreError(.closed)) { try await store.append([[Write]]()) }
        }
    }

    @Test func `a new epoch keeps the log and changes its name`() async throws {
        try await withScratch { directory in
            let first = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await first.begin(conversation(1))
            await first.close()
            try SQLiteStore.beginEpoch(Epoch(2), inDirectory: directory)
            let second = try SQLiteStore(directory: directory, newEpoch: Epoch(3))
            #expect(second.epoch == Epoch(2))
            #expect(second.newest == Position(1))
            await second.close()
        }
    }

    @Test func `a damaged message is never served as if whole, others are`() async throws {
        try await withScratch { directory in
            let first = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await first.begin(conversation(1))
            try await first.begin(conversation(2), customer: 2)
            _ = try await first.accept(submission("a", to: conversation(1)))
            _ = try await first.accept(submission("b", to: conversation(2)))
            await first.close()
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            try file.execute("UPDATE messages SET payload = x'00' WHERE id = 'a'")

            let second = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let page = try await second.messages(in: conversation(1), .newest, limit: 9)
            #expect(page.elements == [])
            #expect(page.damaged == [SequenceNumber(1)])
            await #expect(throws: StoreError.self) {
                try await second.findMessage(messageID("a"), in: conversation(1))
            }
            #expect(try await second.findMessage(messageID("b"), in: conversation(2)) != nil)
            let next = try await second.accept(submission("c", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(2))
            await second.close()
        }
    }

    @Test func `every range of a long thread is found among other threads`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            for number in 1...70 {
                _ = try await store.accept(submission("a\(number)", to: conversation(1)))
                guard number.isMultiple(of: 3) else { continue }
                _ = try await store.accept(submission("a\(number)", to: conversation(2)))
            }
            for place: Int64 in 0...72 {
                let start = SequenceNumber(place)
                let later = try await store.messages(in: conversation(1), .after(start), limit: 9)
                let rising = (place + 1)...max(place + 1, min(place + 9, 70))
                #expect(later.elements.map(\.sequence.value) == (place < 70 ? Array(rising) : []))
                #expect(later.hasMore == (place + 9 < 70))
                let earlier = try await store.messages(
                    in: conversation(1), .before(start), limit: 9)
                let end = min(place - 1, 70)
                #expect(
                    earlier.elements.map(\.sequence.value)
                        == (end > 0 ? Array(max(1, end - 8)...end) : []))
                #expect(earlier.hasMore == (end > 9))
            }
            let past = SequenceNumber(Int64.max)
            #expect(
                try await store.messages(in: conversation(1), .after(past), limit: 9).elements == []
            )
            let other = try await store.messages(in: conversation(2), .newest, limit: 300)
            #expect(other.elements.map(\.sequence.value) == Array(1...23))
            await store.close()
        }
    }

    @Test func `every commit is published once, in order, before its answer`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let received = Heard()
            store.follow { events in received.hear(events) }
            try await store.begin(conversation(1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let stored = try await store.accept(
                            submission("m\(number)", to: conversation(1)))
                        let position = stored.message.position.value
                        #expect(received.positions.last.map { $0 >= position } == true)
                    }
                }
                try await group.waitForAll()
            }
            #expect(received.positions == Array(1...101))
            await store.close()
        }
    }
}

/// What a follower received.
private final class Heard: Sendable {
    private let heard = Mutex<[Int64]>([])

    var positions: [Int64] { heard.withLock { $0 } }

    func hear(_ events: [Event]) {
        heard.withLock { $0 += events.map(\.id.position.value) }
    }
}

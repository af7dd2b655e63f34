import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// Readers that resume from far back, with everybody else's events between their own.
@Suite struct FarEventTests {
    /// Two crowded conversations of one business; between their events few of another business.
    private static func withStore(
        messages: Int = 2_400, _ body: (SQLiteStore, String) async throws -> Void
    ) async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), customer: 2)
            try await store.begin(conversation(3), in: business(2), customer: 3)
            for first in stride(from: 0, to: messages, by: 300) {
                let group = try (first..<first + 300).map { number in
                    let place: UInt64 =
                        number.isMultiple(of: 50) ? 3 : number.isMultiple(of: 3) ? 2 : 1
                    return try [
                        Write.message(
                            NewMessage(submission("m\(number)", to: conversation(place)), at: dawn))
                    ]
                }
                _ = try await store.append(group)
                _ = try await store.change(conversation(3), .close)
                _ = try await store.one(
                    Erasing(
                        [messageID("m\(first + 1)")], in: conversation(1), by: .server, at: dawn))
            }
            do {
                try await body(store, directory)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    private static let scopes: [EventScope] = [
        .businesses([business(2)]), .businesses([business(1), business(2)]), .businesses([]),
        .businesses([business(9)]), .customer(conversation(1)), .customer(conversation(2)),
        .customer(conversation(3)), .customer(conversation(9)), .conversation(conversation(3)),
    ]

    /// Reads page by page from a position to the end.
    private static func read(
        _ store: SQLiteStore, after start: Position, in scope: EventScope, limit: Int
    ) async throws -> [Event] {
        var events: [Event] = []
        var place = start
        while place < store.newest {
            let page = try await store.events(after: place, in: scope, limit: limit)
            #expect(page.end > place && page.events.count <= limit)
            #expect(page.events.last.map { $0.id.position <= page.end } ?? true)
            events += page.events
            place = page.end
        }
        return events
    }

    /// What a scope has of all events, read one after the other.
    private static func expected(
        _ store: SQLiteStore, after start: Position, in scope: EventScope
    ) async throws -> [Position] {
        let all = try await read(store, after: start, in: .everything, limit: 300)
        return all.filter { scope.includes($0) }.map(\.id.position)
    }

    @Test(arguments: scopes, [1, 7, 300])
    func `a reader that resumes from far back sees every event of its scope once`(
        scope: EventScope, limit: Int
    ) async throws {
        try await Self.withStore(messages: limit == 1 ? 1_200 : 2_400) { store, _ in
            for start in [0, 3, 63, 64, 257, 700] as [Int64] {
                let start = Position(start)
                let seen = try await Self.read(store, after: start, in: scope, limit: limit)
                let expected = try await Self.expected(store, after: start, in: scope)
                let isSame = seen.map(\.id.position) == expected
                #expect(isSame, "after \(start): \(seen.count) of \(expected.count)")
            }
        }
    }

    @Test(arguments: scopes)
    func `what comes after a restart and after retention is found as well`(
        scope: EventScope
    ) async throws {
        try await Self.withStore { store, directory in
            try await store.prune(upTo: Position(600))
            await store.close()
            let second = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            _ = try await second.accept(submission("new", to: conversation(3)))
            for start in [600, 1_000] as [Int64] {
                let start = Position(start)
                let seen = try await Self.read(second, after: start, in: scope, limit: 300)
                let expected = try await Self.expected(second, after: start, in: scope)
                let isSame = seen.map(\.id.position) == expected
                #expect(isSame, "after \(start): \(seen.count) of \(expected.count)")
            }
            await second.close()
        }
    }

    @Test(arguments: [
        "DELETE FROM milestones WHERE key & 4294967295 = 64",
        "UPDATE milestones SET position = position + 900 WHERE key & 4294967295 = 320",
        "UPDATE milestones SET position = 2 WHERE key & 4294967295 = 320",
        """
        UPDATE messages SET previous = 0 WHERE position = (SELECT max(position) FROM messages \
        WHERE conversation = 1 AND position < 1500)
        """,
    ])
    func `a damaged way to a customer's events leads past none`(sql: String) async throws {
        try await Self.withStore { store, directory in
            let rest = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            try rest.execute(sql)
            let scope = EventScope.customer(conversation(1))
            for start in [0, 100, 500, 900, 1_100] as [Int64] {
                let start = Position(start)
                let seen = try await Self.read(store, after: start, in: scope, limit: 100)
                // One that cannot be read is there, and says so.
                let expected = try await Self.expected(store, after: start, in: scope)
                let isSame = seen.map(\.id.position) == expected
                #expect(isSame, "after \(start): \(seen.count) of \(expected.count)")
            }
        }
    }

    @Test func `a group that was rolled back leaves no range unnoted`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            try await store.begin(conversation(3), in: business(2), customer: 3)
            let group = try (0..<300).map { number in
                try [
                    Write.message(
                        NewMessage(submission("m\(number)", to: conversation(1)), at: dawn))
                ]
            }
            _ = try await store.append(group)
            // The first event of its business in this range of the log.
            let write = Write.message(
                NewMessage(try submission("one", to: conversation(3)), at: dawn))
            let refused = try await store.append([
                [
                    write,
                    .change(
                        ChangeConversation(conversation(9), .close, by: .agent(agent(1)), at: dawn)),
                ]
            ])
            #expect(refused == [.notFound])
            _ = try await store.append([[write]])
            await store.close()
            #expect(try StoreVerification(reading: directory).damage == [])
        }
    }
}

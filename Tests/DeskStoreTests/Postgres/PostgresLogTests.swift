import DeskModel
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What several processes add to the log's contract: their turns, what they see of each other, and connections
/// that end.
@Suite struct PostgresLogTests {
    /// Everything that one process was handed over.
    private final class Received: Sendable {
        let events = Mutex<[Event]>([])

        func follow(_ store: PostgresStore) {
            store.follow { events in self.events.withLock { $0 += events } }
        }

        var positions: [Int64] { events.withLock { $0.map(\.id.position.value) } }
    }

    /// Says what many at once say, by turns to each process; what is not acknowledged is said again.
    private static func say(
        _ count: Int, to stores: [PostgresStore], in conversations: UInt64
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let message = try submission(
                        "m\(number)", to: conversation(UInt64(number) % conversations + 1))
                    for _ in 0..<500 {
                        do {
                            _ = try await stores[number % stores.count].accept(message)
                            return
                        } catch let error as StoreError
                            where error.code == .unavailable || error.code == .unknown
                        {
                            continue
                        }
                    }
                    throw Unexpected("m\(number) is not acknowledged after 500 tries")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Expects every message once, every sequence without a gap, and every event in every feed once.
    private static func expectWhole(
        _ count: Int, in conversations: UInt64, of stores: [PostgresStore], _ received: [Received]
    ) async throws {
        var found: Set<String> = []
        for number in 1...conversations {
            let page = try await stores[0].messages(
                in: conversation(number), .newest, limit: 300)
            #expect(!page.hasMore)
            let sequences = page.elements.map(\.sequence.value).sorted()
            #expect(sequences == Array(1...Int64(page.elements.count)))
            for message in page.elements { #expect(found.insert(message.id.text).inserted) }
        }
        #expect(found.count == count)
        let last = try await stores[0].readRegistry { [store = stores[0]] sql throws(StoreError) in
            try store.newestPosition(on: sql)
        }
        for (store, feed) in zip(stores, received) {
            #expect(try await store.reach(last, within: .seconds(60)))
            #expect(feed.positions == Array(1...last.value))
        }
    }

    @Test func `what processes write by turns is one log, and each hands over all of it in order`()
        async throws
    {
        try await KeptRegistries.withPostgres(3) { stores in
            let received = stores.map { _ in Received() }
            for (store, feed) in zip(stores, received) { feed.follow(store) }
            for number in 1...4 as ClosedRange<UInt64> {
                try await stores[0].begin(conversation(number), customer: number)
            }
            try await Self.say(240, to: stores, in: 4)
            try await Self.expectWhole(240, in: 4, of: stores, received)
        }
    }

    @Test func `a message that two processes get at once is stored once, with one answer`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin(conversation(1))
            for number in 0..<20 {
                let message = try submission("m\(number)", to: conversation(1))
                async let one = stores[0].accept(message)
                async let other = stores[1].accept(message)
                let (first, second) = (try await one, try await other)
                #expect(first.message.sequence == second.message.sequence)
                #expect([first.isRepeat, second.isRepeat].count { $0 } == 1)
            }
        }
    }

    @Test func `a process goes on behind what another has written to the same conversation`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin(conversation(1))
            for number in 1...12 as ClosedRange<Int64> {
                let stored = try await stores[Int(number) % 2].accept(
                    submission("m\(number)", to: conversation(1)))
                #expect(stored.message.sequence.value == number)
                let seen = try await stores[Int(number + 1) % 2].require(conversation(1))
                #expect(seen.newest.value == number)
            }
        }
    }

    @Test func `what another process changes without an event is not written back to what it was`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            let id = conversation(1)
            try await stores[0].begin(id)
            _ = try await stores[0].accept(submission("a", to: id))
            let newest = try await stores[0].require(id).newest
            for change in [
                ConversationChange.markRead(newest), .mute(true),
            ] {
                _ = try await stores[1].change(id, change)
            }
            _ = try await stores[0].accept(submission("b", to: id))
            let one = try await stores[0].require(id)
            #expect(one.unread == 1)
            #expect(one.readUpTo == newest)
            #expect(one.isMuted)
            // Who made such a change goes on with what it has at hand, and so does who saw it.
            _ = try await stores[0].change(id, .markRead(one.newest))
            _ = try await stores[0].change(id, .mute(false))
            _ = try await stores[1].accept(submission("c", to: id))
            let other = try await stores[1].require(id)
            #expect(other.unread == 1)
            #expect(!other.isMuted)
        }
    }

    @Test func `connections that the server ends lose nothing and double nothing`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            let received = stores.map { _ in Received() }
            for (store, feed) in zip(stores, received) { feed.follow(store) }
            for number in 1...2 as ClosedRange<UInt64> {
                try await stores[0].begin(conversation(number), customer: number)
            }
            let killing = Task {
                // So often and no more: where to connect takes longer than the pause, nothing would be stored.
                for _ in 0..<200 where !Task.isCancelled {
                    // A reader's connection may be the one that ends: then the next look follows.
                    _ = try? await stores[0].readRegistry { sql throws(StoreError) in
                        let statement = try sql.statement(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                            WHERE pid <> pg_backend_pid() \
                            AND application_name = current_setting('application_name')
                            """)
                        while try statement.step() {}
                    }
                    try await Task.sleep(for: .milliseconds(15))
                }
            }
            try await Self.say(200, to: stores, in: 2)
            killing.cancel()
            _ = await killing.result
            try await Self.expectWhole(200, in: 2, of: stores, received)
        }
    }

    @Test(
        "Who stands still with the turn, or a share of it, loses it, and the others go on",
        arguments: ["EXCLUSIVE", "ROW SHARE"])
    func standsStill(mode: String) async throws {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            let still = try PostgresConnection(address: address, library: options.library)
            try still.execute(PostgresSettings.ofTurn)
            try still.execute("BEGIN; LOCK TABLE log_turn IN \(mode) MODE")
            _ = try await store.accept(submission("a", to: conversation(1)))
            let error = #expect(throws: StoreError.self) { try still.execute("COMMIT") }
            #expect(error?.code == .unavailable)
            await store.close()
        }
    }

    @Test func `every connection that writes may lose the turn`() async throws {
        try await KeptRegistries.withPostgres(1) { stores in
            let asked =
                "SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'"
            let ofRegistries = try await stores[0].writeRegistry { sql, _ throws(StoreError) in
                try sql.statement(asked).first { $0.text() }
            }
            let ofLog = try await stores[0].jobs.run { session, _ throws(StoreError) in
                try session.sql.statement(asked).first { $0.text() }
            }.value
            #expect(ofRegistries == "2000")
            #expect(ofLog == "2000")
        }
    }

    @Test func `a process that lags behind what another forgot goes on with what is there`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            let received = Received()
            received.follow(stores[1])
            try await stores[0].begin(conversation(1))
            for number in 1...6 {
                _ = try await stores[0].accept(submission("m\(number)", to: conversation(1)))
            }
            let newest = stores[0].newest
            #expect(try await stores[1].reach(newest, within: .seconds(60)))
            try await stores[0].prune(upTo: Position(newest.value - 2))
            try await Wait.until("the other knows what was forgotten") {
                stores[1].tail.look()
                return stores[1].oldest == Position(newest.value - 2)
            }
        }
    }

    @Test
    func `a process that is behind asks the database before it says that there is no such event`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin(conversation(1))
            for number in 1...20 {
                let accepted = try await stores[0].accept(
                    submission("m\(number)", to: conversation(1)))
                #expect(try await stores[1].reach(accepted.message.position, within: .zero))
            }
            let next = Position(stores[0].newest.value + 1)
            #expect(try await stores[1].reach(next, within: .zero) == false)
        }
    }

    @Test func `a database that does not answer says of no position that it was never reached`()
        async throws
    {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
            try await store.begin(conversation(1))
            let newest = store.newest
            await store.close()
            #expect(try await store.reach(newest, within: .zero))
            let next = Position(newest.value + 1)
            await #expect(throws: StoreError.self) { try await store.reach(next, within: .zero) }
        }
    }

    @Test func `every process ends when the log has less than it has read, and one epoch begins`()
        async throws
    {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let ends = Mutex(0)
            var stores: [PostgresStore] = []
            for _ in 0..<2 {
                stores.append(
                    try await PostgresStore(
                        options, newEpoch: Epoch(0xE), ended: { _ in ends.withLock { $0 += 1 } }))
            }
            try await stores[0].begin(conversation(1))
            _ = try await stores[0].accept(submission("a", to: conversation(1)))
            #expect(try await stores[1].reach(stores[0].newest, within: .seconds(60)))
            // Nothing ends by itself.
            for store in stores { store.tail.look() }
            try await Task.sleep(for: .milliseconds(20))
            #expect(ends.withLock(\.self) == 0)
            let server = try PostgresConnection(address: address, library: options.library)
            try server.execute(
                """
                SET session_replication_role = replica; \
                DELETE FROM events WHERE position = (SELECT max(position) FROM events)
                """)
            try await Wait.until("both have ended") { ends.withLock(\.self) == 2 }
            let count = try server.statement(literal: "SELECT count(*) FROM epochs")
            #expect(try count.first { $0.integer() } == 2)
            for store in stores { await store.close() }
        }
    }

    @Test func `the log went back when another event is where one was read, and only then`() {
        func event(_ position: Int64, _ type: EventType, _ time: Timestamp = dawn) -> Event {
            Event(
                id: EventID(epoch: Epoch(0xE), position: Position(position)), type: type,
                time: time,
                business: business(1), conversation: nil, body: .json(Array("{}".utf8)))
        }
        let read = event(7, .messageDeliveredUpstream)
        let last = PostgresFeed.Last(position: Position(7), mark: EventMark(read))
        let cases: [(LogHistory, Epoch, Int64, Int64, PostgresFeed.Last, Event?)] = [
            (.same, Epoch(0xE), 9, 0, last, read),
            (.wentBack, Epoch(0xE), 6, 0, last, nil),
            (.wentBack, Epoch(0xE), 9, 0, last, nil),
            (.wentBack, Epoch(0xE), 9, 0, last, event(7, .messageAccepted)),
            (
                .wentBack, Epoch(0xE), 9, 0, last,
                event(7, .messageDeliveredUpstream, dawn.advanced(by: .milliseconds(1)))
            ),
            // What is damaged, was forgotten, or was never read says nothing.
            (.same, Epoch(0xE), 9, 0, last, event(7, .eventDamaged)),
            (.same, Epoch(0xE), 9, 7, last, nil),
            (.same, Epoch(0xE), 9, 0, PostgresFeed.Last(position: Position(7), mark: nil), nil),
            (.ended, Epoch(0xF), 9, 0, last, read),
        ]
        for (expected, stored, newest, pruned, last, seen) in cases {
            let found = LogHistory(
                epoch: Epoch(0xE), of: stored, newest: Position(newest), pruned: Position(pruned),
                last: last, seen: seen)
            #expect(found == expected)
        }
    }

    @Test func `a feed passes over what was forgotten, and only that`() throws {
        let feed = PostgresFeed(newest: 2, oldest: 0)
        let received = Mutex<[Int64]>([])
        let lags = Mutex(0)
        feed.follow { events in received.withLock { $0 += events.map(\.id.position.value) } }
        feed.onLag { lags.withLock { $0 += 1 } }
        let events = (5...7 as ClosedRange<Int64>).map { number in
            Event(
                id: EventID(epoch: Epoch(0xE), position: Position(number)),
                type: .messageDeliveredUpstream, time: dawn, business: business(1),
                conversation: nil, body: .json(Array("{}".utf8)))
        }
        feed.publish(events)
        #expect(received.withLock(\.self).isEmpty)
        #expect(lags.withLock(\.self) == 1)
        feed.publish(events, isRead: true)
        #expect(received.withLock(\.self) == [5, 6, 7])
        feed.publish(events, isRead: true)
        #expect(received.withLock(\.self) == [5, 6, 7])
        #expect(feed.newest == Position(7))
    }

    @Test func `a store that is opened again goes on where it was`() async throws {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let first = try await PostgresStore(options, newEpoch: Epoch(0xE))
            try await first.begin(conversation(1))
            _ = try await first.accept(submission("a", to: conversation(1)))
            let newest = first.newest
            await first.close()
            let second = try await PostgresStore(options, newEpoch: Epoch(0xF))
            #expect(second.epoch == Epoch(0xE))
            #expect(second.newest == newest)
            let stored = try await second.accept(submission("b", to: conversation(1)))
            #expect(stored.message.sequence.value == 2)
            await second.close()
        }
    }
}

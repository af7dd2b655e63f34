import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskTeam

/// A reader that fails when the test wants it to.
private struct Failing: LogReader {
    let reader: ReportReader
    let mayApply: @Sendable () -> Bool

    var name: ReaderName { reader.name }
    var beginning: ReaderBeginning { reader.beginning }
    var beginningWrites: ReaderWrites { reader.beginningWrites }
    func wants(_ type: EventType) -> Bool { reader.wants(type) }

    func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        let writes = try await reader.apply(events)
        guard mayApply() else { throw StoreError(.unavailable, "of the test") }
        return writes
    }
}

/// A reader that keeps what it was given.
private final class Keeping: LogReader {
    let name = ReaderName("keeping")
    let beginning: ReaderBeginning
    let beginningWrites = ReaderWrites.nothing
    let types = Mutex<[EventType]>([])

    init(from beginning: ReaderBeginning) { self.beginning = beginning }

    func wants(_ type: EventType) -> Bool { true }

    func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        types.withLock { $0 += events.map(\.type) }
        return .nothing
    }
}

/// How readers of the log are run.
struct ReaderRunnerTests {
    private static func broker(_ store: SQLiteStore) -> Broker {
        Broker(store: store, now: { Story.dawn })
    }

    @Test func `a reader that is stopped at random moments ends where an undisturbed one ends`()
        async throws
    {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: seed)
        let broker = Self.broker(store)
        for _ in 0..<40 {
            // Batches before the failure, or none that fails; then the task is cancelled somewhere.
            let left = Mutex(Int.random(in: 0...3, using: &random))
            let reader = Failing(reader: ReportReader(store)) {
                left.withLock {
                    $0 -= 1
                    return $0 != 0
                }
            }
            let yields = Int.random(in: 0...30, using: &random)
            await withTaskGroup { group in
                group.addTask { await ReaderRunner(reader, of: broker).run() }
                for _ in 0..<yields { await Task.yield() }  // Bounded: by `yields`.
                do {
                    for _ in 0..<12 { try await story.goOn() }
                } catch {
                    Issue.record("\(error)")
                }
                group.cancelAll()
            }
        }
        let lease = try await store.leaseOfTest()
        let runner = ReaderRunner(ReportReader(store), of: broker)
        let end = try await runner.readOn(under: lease)
        let disturbed = try await Counted(store)
        try await store.advance(
            ReportReader(store).name, from: end, to: EventID(epoch: Epoch(9), position: .start),
            storing: .nothing, under: lease)
        _ = try await runner.readOn(under: lease)
        #expect(try await Counted(store) == disturbed, "seed \(seed)")
        #expect(disturbed.total == story.expected, "seed \(seed)")
        await store.close()
    }

    @Test func `the log's feed wakes a reader, and its lag is a metric`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: 1)
        let metrics = Metrics()
        let runner = ReaderRunner(
            ReportReader(store), of: Self.broker(store), metrics: metrics)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            for _ in 0..<20 { try await story.goOn() }
            try await Wait.until("everything is counted") {
                try await Counted(store).total == story.expected
            }
            try await story.goOn()
            try await Wait.until("the news is counted") {
                try await Counted(store).total == story.expected
            }
            try await Wait.until("the reader is level with the log") {
                metrics.text().contains(#"frontdesk_reader_lag_events{reader="reports"} 0"#)
            }
            group.cancelAll()
        }
        await store.close()
    }

    @Test(arguments: [ReaderBeginning.oldest, .newest])
    func `a reader begins where it says, and again in another life of the log`(
        beginning: ReaderBeginning
    ) async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: 5)
        for _ in 0..<5 { try await story.goOn() }
        let before = Int(store.newest.value)
        let reader = Keeping(from: beginning)
        let runner = ReaderRunner(reader, of: Self.broker(store))
        let lease = try await store.leaseOfTest()
        var cursor = try await runner.readOn(under: lease)
        #expect(reader.types.withLock { $0.count } == (beginning == .oldest ? before : 0))
        try await story.goOn()
        cursor = try await runner.readOn(under: lease)
        #expect(cursor.position == store.newest)
        reader.types.withLock { $0 = [] }
        for foreign in [
            EventID(epoch: Epoch(9), position: .start),
            EventID(epoch: store.epoch, position: Position(9_999)),
        ] {
            try await store.advance(
                reader.name, from: cursor, to: foreign, storing: .nothing, under: lease)
            cursor = try await runner.readOn(under: lease)
            #expect(cursor.position == store.newest)
            let count = reader.types.withLock { types in
                defer { types = [] }
                return types.count
            }
            #expect(count == (beginning == .oldest ? Int(store.newest.value) : 0))
        }
        await store.close()
    }

    @Test func `a reader that cannot find out whether its cursor was reached keeps it`()
        async throws
    {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: 7)
        try await story.goOn()
        let doubtful = DoubtfulStore(over: store)
        let reader = Keeping(from: .newest)
        let runner = ReaderRunner(reader, of: Broker(store: doubtful, now: { Story.dawn }))
        let lease = try await store.leaseOfTest()
        let begun = try await runner.readOn(under: lease)
        for _ in 0..<5 { try await story.goOn() }
        doubtful.fail(1)
        let error = await #expect(throws: StoreError.self) { try await runner.readOn(under: lease) }
        #expect(error?.code == .unavailable)
        #expect(try await store.findCursor(of: reader.name) == begun)
        let cursor = try await runner.readOn(under: lease)
        #expect(cursor.position == store.newest)
        let missed = Int(cursor.position.value - begun.position.value)
        #expect(missed > 0)
        #expect(reader.types.withLock { $0.count } == missed)
        await store.close()
    }

    @Test func `types that this program does not know are passed over`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let story = try await Story(store, seed: 6)
        try await story.goOn()
        let broker = Self.broker(store)
        let unknown = try #require(EventType(rawValue: "parcel.weighed"))
        _ = try await broker.append(unknown, of: Story.shop, data: Array(#"{"a":1}"#.utf8))
        let reader = Keeping(from: .oldest)
        let cursor = try await ReaderRunner(reader, of: broker).readOn(
            under: try await store.leaseOfTest())
        #expect(cursor.position == store.newest)
        #expect(reader.types.withLock { $0 }.contains(.messageAccepted))
        #expect(!reader.types.withLock { $0 }.contains(unknown))
        await store.close()
    }
}

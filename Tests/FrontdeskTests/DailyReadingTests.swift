import DeskLog
import DeskModel
import DeskStore
import StoreSupport
import Synchronization
import Testing

@testable import DeskStoreSQLite
@testable import frontdesk

/// What the running server's daily reading of everything finds, and what it reports.
@Suite struct DailyReadingTests {
    /// A day that passes when the test says so; pauses of a minute and less end at once.
    private final class Days: Sendable {
        private let passed = Mutex(Duration.zero)
        private let origin = ContinuousClock.now
        private let woken: AsyncStream<Void>
        private let wake: AsyncStream<Void>.Continuation
        /// How long the reading means to sleep, each time that it does.
        let sleeps: AsyncStream<Duration>
        private let sleep: AsyncStream<Duration>.Continuation

        init() {
            (woken, wake) = AsyncStream.makeStream()
            (sleeps, sleep) = AsyncStream.makeStream()
        }

        var source: TimeSource {
            TimeSource(
                now: { FilledStore.dawn.advanced(by: self.passed.withLock { $0 }) },
                instant: { self.origin + self.passed.withLock { $0 } },
                sleep: { duration in
                    guard duration > .seconds(60) else { return try Task.checkCancellation() }
                    self.sleep.yield(duration)
                    for await _ in self.woken { return }
                    throw CancellationError()
                })
        }

        func pass(_ duration: Duration) {
            passed.withLock { $0 += duration }
            wake.yield()
        }
    }

    @Test func `a row that is damaged after the start raises the alarm of the manual within a day`()
        async throws
    {
        try await FilledStore.withScratch { scratch in
            let store = try await FilledStore.make(in: scratch, messages: 20)
            let sink = MemorySink()
            let metrics = Metrics()
            let log = Log(to: sink)
            let days = Days()
            let blobs = try DirectoryBlobStore(directory: scratch + "/blobs")
            let reading = StoreReading(
                leases: store, watch: try store.makeWatch(with: blobs),
                alarm: DamageAlarm(log: log, metrics: metrics), time: days.source, log: log,
                metrics: metrics)
            try await withThrowingTaskGroup { group in
                group.addTask { await reading.run() }
                var sleeps = days.sleeps.makeAsyncIterator()
                let first = await sleeps.next()
                #expect(first == StoreReading.interval)
                #expect(metrics.text().contains("\nfrontdesk_damaged_rows 0\n"))
                #expect(!sink.lines.contains { $0.contains("row_damaged") })
                // The disk forgets a bit while the server runs; no client asks for that message.
                let file = try Connection(path: scratch + "/frontdesk.sqlite", mayWrite: true)
                try file.execute("UPDATE messages SET time = time + 1 WHERE id = 'm3'")
                #expect(metrics.text().contains("\nfrontdesk_damaged_rows 0\n"))
                days.pass(StoreReading.interval)
                _ = await sleeps.next()
                let alarms = sink.lines.filter { $0.contains("event=row_damaged") }
                #expect(alarms.count == 1)
                #expect(alarms.first?.contains("level=error") == true)
                #expect(alarms.first?.contains("kind=message") == true)
                #expect(
                    alarms.first?.contains("conversation=\(FilledStore.conversation(1).text)")
                        == true)
                #expect(metrics.text().contains("\nfrontdesk_damaged_rows 1\n"))
                let readAt = FilledStore.dawn.milliseconds / 1_000 + 86_400
                #expect(
                    metrics.text().contains(
                        "\nfrontdesk_store_read_timestamp_seconds \(readAt)\n"))
                // The next day finds it again, and says nothing new.
                days.pass(StoreReading.interval)
                _ = await sleeps.next()
                #expect(sink.lines.filter { $0.contains("event=row_damaged") }.count == 1)
                group.cancelAll()
            }
            await store.close()
        }
    }

    @Test func `of two processes one reads, and the other begins when the first has ended`()
        async throws
    {
        try await FilledStore.withScratch { scratch in
            let store = try await FilledStore.make(in: scratch, messages: 20)
            let metrics = [Metrics(), Metrics()]
            let days = [Days(), Days()]
            let blobs = try DirectoryBlobStore(directory: scratch + "/blobs")
            let readings = try zip(metrics, days).map { metrics, days in
                StoreReading(
                    leases: store, watch: try store.makeWatch(with: blobs),
                    alarm: DamageAlarm(log: .silent, metrics: metrics), time: days.source,
                    log: .silent, metrics: metrics)
            }
            func hasRead(_ number: Int) -> Bool {
                !metrics[number].text().contains("\nfrontdesk_store_reading_rows 0\n")
            }
            let first = Task { await readings[0].run() }
            var sleeps = days[0].sleeps.makeAsyncIterator()
            #expect(await sleeps.next() == StoreReading.interval)
            let second = Task { await readings[1].run() }
            #expect(try await store.withFreeLease(StoreReading.lease) { 1 } == nil)
            #expect(hasRead(0) && !hasRead(1))
            first.cancel()
            await first.value
            var others = days[1].sleeps.makeAsyncIterator()
            #expect(await others.next() == StoreReading.interval)
            #expect(hasRead(1))
            second.cancel()
            await second.value
            await store.close()
        }
    }
}

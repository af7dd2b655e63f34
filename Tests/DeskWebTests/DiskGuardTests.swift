import DeskLog
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskWeb

struct DiskGuardTests {
    private static let gibibyte: Int64 = 1_024 * 1_024 * 1_024
    private static let mebibyte: Int64 = 1_024 * 1_024

    private static let levels: [(total: Int64, free: Int64, level: DiskLevel)] = [
        // On a large disk the bytes count, on a small one the share.
        (1_000 * gibibyte, gibibyte, DiskLevel.roomy),
        (1_000 * gibibyte, gibibyte - 1, .low),
        // 5 % of 10 GiB, rounded down to whole hundredths.
        (10 * gibibyte, 536_870_910, .roomy), (10 * gibibyte, 536_870_909, .low),
        (1_000 * gibibyte, 256 * mebibyte, .low),
        (1_000 * gibibyte, 256 * mebibyte - 1, .full), (gibibyte, 255 * mebibyte, .full),
        (gibibyte, 256 * mebibyte, .roomy), (gibibyte, 0, .full), (0, 0, .full),
    ]

    @Test(arguments: levels)
    func `the marks are where they are said to be`(total: Int64, free: Int64, level: DiskLevel) {
        let space = DiskSpace(freeBytes: free, totalBytes: total)
        #expect(DiskMarks(WebLimits()).level(of: space) == level)
    }

    private let roomy = DiskSpace(freeBytes: 500 * gibibyte, totalBytes: 1_000 * gibibyte)
    private let full = DiskSpace(freeBytes: 255 * mebibyte, totalBytes: 1_000 * gibibyte)

    /// A disk whose room a test decides.
    private final class Disk: Sendable {
        private let state: Mutex<(space: DiskSpace, looks: Int)>

        init(_ space: DiskSpace) { state = Mutex((space, 0)) }

        var looks: Int { state.withLock { $0.looks } }

        func set(_ space: DiskSpace) { state.withLock { $0.space = space } }

        func look() -> DiskSpace {
            state.withLock { state in
                state.looks += 1
                return state.space
            }
        }
    }

    @Test func `the disk is looked at each second, and ten times as often near the mark`()
        async throws
    {
        let time = TestTime()
        let sink = MemorySink()
        let guardian = DiskGuard(limits: WebLimits(), log: Log(to: sink, from: .debug))
        let disk = Disk(roomy)
        let running = Task {
            await guardian.run(time.source) { () async throws(StoreError) in disk.look() }
        }
        /// Waits until so many looks were made and the next is waited for.
        func rest(after looks: Int) async throws {
            try await Wait.until("\(looks) looks were taken") {
                time.sleeperCount > 0 && disk.looks >= looks
            }
        }
        /// Waits until so many looks were made, changes the disk, lets the time to the next one
        /// pass.
        func pass(_ wait: Duration, after looks: Int, to space: DiskSpace) async throws {
            try await rest(after: looks)
            #expect(disk.looks == looks)
            disk.set(space)
            time.advance(by: wait - .milliseconds(1))
            #expect(time.sleeperCount == 1)
            time.advance(by: .milliseconds(1))
        }
        try await pass(.seconds(1), after: 1, to: roomy)
        try await pass(.seconds(1), after: 2, to: full)
        try await pass(.milliseconds(100), after: 3, to: full)
        #expect(guardian.isFull)
        // Room comes back: the next look, a tenth of a second later, lets writing go on.
        try await pass(.milliseconds(100), after: 4, to: roomy)
        try await pass(.seconds(1), after: 5, to: roomy)
        #expect(!guardian.isFull)
        try await rest(after: 6)
        // A write that failed for want of room stops writing until the next look.
        guardian.noteFull()
        #expect(guardian.isFull)
        try await pass(.seconds(1), after: 6, to: roomy)
        try await rest(after: 7)
        #expect(!guardian.isFull)
        running.cancel()
        await running.value
        #expect(sink.lines.contains { $0.contains("event=disk_full") })
    }

    @Test func `a disk that is full for four seconds beside another line leaves a line of its own`()
        async throws
    {
        let time = TestTime()
        let sink = MemorySink()
        let guardian = DiskGuard(limits: WebLimits(), log: Log(to: sink))
        let low = DiskSpace(freeBytes: 300 * Self.mebibyte, totalBytes: 1_000 * Self.gibibyte)
        let disk = Disk(low)
        let running = Task {
            await guardian.run(time.source) { () async throws(StoreError) in disk.look() }
        }
        var looks = 1
        for (space, count) in [(low, 20), (full, 40), (roomy, 1)] {
            for _ in 0..<count {
                try await Wait.until("\(looks) looks were made") {
                    time.sleeperCount > 0 && disk.looks >= looks
                }
                disk.set(space)
                time.advance(by: .milliseconds(100))
                looks += 1
            }
        }
        try await Wait.until("the last look was made") {
            time.sleeperCount > 0 && disk.looks >= looks
        }
        running.cancel()
        await running.value
        #expect(sink.lines.compactMap(Self.event) == ["disk_low", "disk_full", "disk_recovered"])
    }

    @Test func `a write that fails for want of room leaves one line until writes go on`()
        async throws
    {
        let time = TestTime()
        let sink = MemorySink()
        let guardian = DiskGuard(limits: WebLimits(), log: Log(to: sink))
        for _ in 0..<1_000 { guardian.noteFull() }
        #expect(sink.lines.compactMap(Self.event) == ["disk_full"])
        #expect(sink.lines.allSatisfy { $0.contains(" level=error ") })
        let running = Task { await guardian.runUnmeasured(time.source) }
        // Ten seconds after the last failure, as the second look notices it.
        for second in 1...11 {
            try await Wait.until("second \(second)") { time.sleeperCount > 0 }
            #expect(sink.lines.count == 1)
            time.advance(by: .seconds(1))
        }
        try await Wait.until("it waits again") { time.sleeperCount > 0 }
        running.cancel()
        await running.value
        #expect(sink.lines.compactMap(Self.event) == ["disk_full", "disk_recovered"])
    }

    /// The event of a line.
    private static func event(_ line: String) -> String? {
        line.split(separator: " ").first { $0.hasPrefix("event=") }
            .map { String($0.dropFirst("event=".count)) }
    }

    @Test func `where the disk cannot be measured a write is tried again after a second`()
        async throws
    {
        let time = TestTime()
        let guardian = DiskGuard(limits: WebLimits())
        let running = Task { await guardian.runUnmeasured(time.source) }
        try await Wait.until("it waits") { time.sleeperCount > 0 }
        guardian.noteFull()
        time.advance(by: .milliseconds(999))
        #expect(guardian.isFull)
        time.advance(by: .milliseconds(1))
        try await Wait.until("writes are tried") { !guardian.isFull }
        running.cancel()
        await running.value
    }
}

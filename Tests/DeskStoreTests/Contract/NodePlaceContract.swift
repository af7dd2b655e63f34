import DeskModel
import DeskSQL
import DeskStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import DeskStore

/// What every store promises of the processes that run on it: all have one public URL.
@Suite struct NodePlaceContract {
    private static let first = "https://first.example"
    private static let second = "https://second.example"

    /// A clock that a sleeper moves on by itself.
    private final class Impatience: Sendable {
        private let passed = Mutex(Duration.zero)
        private let origin = ContinuousClock.now

        var source: TimeSource {
            TimeSource(
                now: { dawn }, instant: { self.origin + self.passed.withLock { $0 } },
                sleep: { length in self.passed.withLock { $0 += length } })
        }
    }

    /// Leases and settings in memory, by a clock that the test moves.
    private final class TimedStore: LeaseRegistry, SettingRegistry {
        let leaseLine = LeaseLine()
        private let leases: ProcessLeases
        private let settings = Mutex<[String: [UInt8]]>([:])

        init(_ clock: Impatience) {
            leases = ProcessLeases(now: clock.source.instant)
            leases.begin(1)
        }

        func acquireLease(_ name: String, life: Duration) async throws(StoreError) -> Lease? {
            leases.acquire(name, life: life)?.lease
        }

        func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
            leases.renew(lease, life: life)
        }

        func releaseLease(_ lease: Lease) async throws(StoreError) { leases.release(lease) }

        func findSetting(_ name: String) async throws(StoreError) -> [UInt8]? {
            settings.withLock { $0[name] }
        }

        func setSetting(
            _ name: String, to value: [UInt8]?, author: Author
        ) async throws(StoreError) { settings.withLock { $0[name] = value } }
    }

    /// Asks for a place without waiting for a killed process.
    ///
    /// Its lease is not renewed, so it lives for longer than a test does on the slowest machine.
    private static func find(
        _ url: String, in store: any SQLRegistries
    ) async throws -> NodePlace.Outcome {
        try await NodePlace.find(
            for: url, in: store, time: Impatience().source, life: .seconds(86_400))
    }

    private static func place(
        _ url: String, in store: any SQLRegistries, instead former: String? = nil
    ) async throws -> NodePlace {
        let outcome = try await find(url, in: store)
        guard case .granted(let place, let replaced) = outcome, replaced == former else {
            throw Unmet(outcome: outcome)
        }
        let recorded = try await store.findSetting(NodePlace.setting)
        #expect(recorded == Array(url.utf8))
        return place
    }

    private struct Unmet: Error { let outcome: NodePlace.Outcome }

    private static func isRefused(
        _ url: String, in store: any SQLRegistries, running: String
    ) async throws -> Bool {
        guard case .refused(running: running) = try await find(url, in: store) else { return false }
        return try await store.findSetting(NodePlace.setting) == Array(running.utf8)
    }

    private static func startAndEnd(
        _ one: any SQLRegistries, _ other: any SQLRegistries
    ) async throws {
        let places = [try await place(first, in: one), try await place(first, in: other)]
        #expect(try await isRefused(second, in: other, running: first))
        try await places[0].release()
        #expect(try await isRefused(second, in: one, running: first))
        try await places[1].release()
        // A restart under another URL is accepted, and counts from then on.
        let next = try await place(second, in: other, instead: first)
        #expect(try await isRefused(first, in: one, running: second))
        let beside = try await place(second, in: one)
        try await next.release()
        try await beside.release()
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a start under another public URL is refused while a process runs, and accepted then`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in try await Self.startAndEnd(store, store) }
    }

    @Test func `of two processes on one database the second has the first one's public URL`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await Self.startAndEnd(stores[0], stores[1])
        }
    }

    @Test func `a process that was killed stands in the way for as long as its lease lives`()
        async throws
    {
        let clock = Impatience()
        let store = TimedStore(clock)
        let killed = try await NodePlace.find(for: Self.first, in: store, time: clock.source)
        guard case .granted = killed else { throw Unmet(outcome: killed) }
        // Its lease is renewed no more.
        let begin = clock.source.instant()
        let outcome = try await NodePlace.find(for: Self.second, in: store, time: clock.source)
        guard case .granted(_, former: Self.first) = outcome else { throw Unmet(outcome: outcome) }
        #expect(begin.duration(to: clock.source.instant()) == .seconds(6))
    }

    @Test func `beyond 64 processes a start is refused`() async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        for _ in 1...64 { _ = try await Self.place(Self.first, in: store) }
        let outcome = try await Self.find(Self.first, in: store)
        guard case .full = outcome else { throw Unmet(outcome: outcome) }
        await store.close()
    }

    @Test func `a process that lost its place learns of the public URL that replaced its own`()
        async throws
    {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let old = try await Self.place(Self.first, in: store)
        try await old.release()
        let next = try await Self.place(Self.second, in: store, instead: Self.first)
        let learned = Mutex<String?>(nil)
        let lost = Task { await old.hold { url in learned.withLock { $0 = url } } }
        try await Wait.until("it learned the URL") { learned.withLock { $0 } != nil }
        lost.cancel()
        await lost.value
        #expect(learned.withLock { $0 } == Self.second)
        let running = Task { await next.hold { _ in Issue.record("its own is in force") } }
        running.cancel()
        await running.value
        let again = try await Self.place(Self.first, in: store, instead: Self.second)
        try await again.release()
        await store.close()
    }

    @Test func `a process that lost its place and has it again learns its new lease`()
        async throws
    {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        let place = try await Self.place(Self.first, in: store)
        let renewed = Mutex<Lease?>(nil)
        let held = Task {
            await place.hold(again: { lease in renewed.withLock { $0 = lease } }) { _ in
                Issue.record("its own URL is in force")
            }
        }
        try await place.release()
        try await Wait.until("it has a new lease") { renewed.withLock { $0 } != nil }
        let lease = try #require(renewed.withLock { $0 })
        #expect(lease.name == place.lease.name && lease.term > place.lease.term)
        held.cancel()
        await held.value
        await store.close()
    }
}

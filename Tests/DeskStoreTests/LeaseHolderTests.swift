import DeskModel
import Synchronization
import TestSupport
import Testing

@testable import DeskStore

/// What runs in one process at a time, with a clock that the test moves.
@Suite struct LeaseHolderTests {
    /// The leases of a store in memory; a test may have them fail or hang.
    private final class Leases: LeaseRegistry {
        enum Trouble { case none, fails, hangs }

        let leaseLine = LeaseLine()
        private let own: ProcessLeases
        private let trouble = Mutex(Trouble.none)
        private let clock: VirtualClock
        /// How long the answer to who acquires a lease is on its way.
        private let delay: Duration

        init(_ clock: VirtualClock, delay: Duration = .zero) {
            self.clock = clock
            self.delay = delay
            own = ProcessLeases(now: clock.source.instant)
            own.begin(1)
        }

        func set(_ new: Trouble) { trouble.withLock { $0 = new } }

        func acquireLease(_ name: String, life: Duration) async throws(StoreError) -> Lease? {
            if trouble.withLock({ $0 }) != .none { throw StoreError(.unavailable) }
            let lease = own.acquire(name, life: life)?.lease
            // Safe: a cancelled caller gets its answer at once.
            if delay > .zero { try? await clock.source.sleep(delay) }
            return lease
        }

        func attemptLease(
            _ name: String, life: Duration
        ) async throws(StoreError) -> LeaseAttempt {
            guard let lease = try await acquireLease(name, life: life) else {
                return .held(for: own.left(of: name))
            }
            return .acquired(lease)
        }

        func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
            switch trouble.withLock({ $0 }) {
            case .none: return own.renew(lease, life: life)
            case .fails: throw StoreError(.unavailable)
            case .hangs:
                while trouble.withLock({ $0 }) == .hangs {
                    // Bounded: the test ends the trouble. Safe: a cancelled one hangs as well.
                    try? await Task.sleep(for: .milliseconds(1))
                }
                throw StoreError(.unavailable)
            }
        }

        func releaseLease(_ lease: Lease) async throws(StoreError) { own.release(lease) }
    }

    /// What bodies run, by the term of their lease.
    private final class Runs: Sendable {
        private let state = Mutex<(running: [Int64], begun: Int)>(([], 0))
        var running: [Int64] { state.withLock { $0.running } }
        var begun: Int { state.withLock { $0.begun } }

        /// Counts a body that begins, and returns how many did.
        func begin() -> Int {
            state.withLock { state in
                state.begun += 1
                return state.begun
            }
        }

        @Sendable func body(_ lease: Lease) async {
            state.withLock { state in
                state.running.append(lease.term)
                state.begun += 1
            }
            // Ends with the cancellation, as bodies do.
            let (endless, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in endless {}
            state.withLock { $0.running.removeAll { $0 == lease.term } }
        }
    }

    private let clock = VirtualClock(start: dawn)
    private let runs = Runs()

    private func holder(_ leases: Leases) -> LeaseHolder {
        LeaseHolder(of: leases, named: "a", time: clock.source)
    }

    /// Moves the clock, a second at a time and each once the sleepers of before are back, until a
    /// condition holds.
    private func passTime(until what: String, _ holds: () -> Bool) async throws {
        for _ in 0..<60 where !holds() {
            clock.advance(by: .seconds(1))
            for _ in 0..<1_000 where !holds() { await Task.yield() }  // Bounded: by the count.
        }
        try await Wait.until(what) { holds() }
    }

    @Test func `of two holders one runs the body, and the other when that one ends`() async throws {
        let leases = Leases(clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let one = Task { await holder(leases).run(runs.body) }
            try await Wait.until("the first runs") { runs.running.count == 1 }
            group.addTask { await holder(leases).run(runs.body) }
            // The sleepers are the renewal and the doubt of the first, and the second's pause.
            try await Wait.until("the second waits") { clock.sleeperCount == 3 }
            for _ in 1...10 {
                clock.advance(by: .seconds(1))
                try await Wait.until("all sleep again") { clock.sleeperCount == 3 }
            }
            #expect(runs.begun == 1)
            one.cancel()
            await one.value
            try await passTime(until: "the second runs") {
                runs.begun == 2 && runs.running.count == 1
            }
            group.cancelAll()
        }
        #expect(runs.running == [])
    }

    @Test
    func `where a holder has died, the next one begins when its lease ends, not at a later look`()
        async throws
    {
        let leases = Leases(clock)
        // As of a process that was killed: it is not renewed.
        _ = try await leases.acquireLease("a", life: .milliseconds(6_500))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await holder(leases).run(runs.body) }
            for _ in 1...3 {
                try await Wait.until("it waits") { clock.sleeperCount == 1 }
                clock.advance(by: .seconds(2))
            }
            try await Wait.until("it waits for the end") { clock.sleeperCount == 1 }
            #expect(runs.begun == 0)
            clock.advance(by: .milliseconds(500))
            try await Wait.until("it runs") { runs.running.count == 1 }
            group.cancelAll()
        }
    }

    @Test(arguments: [true, false])
    func `a holder that cannot renew stops before its lease ends, and goes on later`(
        hangs: Bool
    ) async throws {
        let leases = Leases(clock)
        let begin = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await holder(leases).run(runs.body) }
            try await Wait.until("it runs and sleeps") {
                runs.running.count == 1 && clock.sleeperCount == 2
            }
            leases.set(hangs ? .hangs : .fails)
            try await passTime(until: "it has stopped") { runs.running.isEmpty }
            #expect(clock.now.since(begin) >= .seconds(5))
            leases.set(.none)
            try await passTime(until: "it runs again") { runs.begun == 2 }
            group.cancelAll()
        }
    }

    @Test func `a holder whose lease was long in coming counts its life from when it asked`()
        async throws
    {
        let leases = Leases(clock, delay: .milliseconds(4_500))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await holder(leases).run(runs.body) }
            try await Wait.until("the answer is on its way") { clock.sleeperCount == 1 }
            leases.set(.fails)
            clock.advance(by: .milliseconds(4_500))
            try await Wait.until("it runs and sleeps") {
                runs.running.count == 1 && clock.sleeperCount == 2
            }
            // The lease lives for half a second more, and the next renewal would be asked for in 2 s.
            clock.advance(by: .milliseconds(500))
            try await Wait.until("it has stopped") { runs.running.isEmpty }
            group.cancelAll()
        }
    }

    @Test func `a body that returns ends the run, and one that lost its lease does not`()
        async throws
    {
        let leases = Leases(clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await holder(leases).run { lease in
                    guard runs.begin() == 1 else { return }
                    // As a body does whose write was refused, before a renewal found out.
                    // Safe: these leases are released without failure.
                    try? await leases.releaseLease(lease)
                }
            }
            try await passTime(until: "it runs again") { runs.begun == 2 }
            try await group.waitForAll()
        }
        #expect(runs.begun == 2)
    }
}

import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import Synchronization
import TestSupport
import Testing

/// What every store promises of leases.
@Suite struct LeaseContract {
    private static let long = Duration.seconds(3_600)

    @Test(arguments: KeptRegistries.allCases)
    func `one holds a lease, and the next one has a higher term`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try #require(try await store.acquireLease("a", life: Self.long))
            #expect(first.name == "a")
            #expect(try await store.acquireLease("a", life: Self.long) == nil)
            #expect(try await store.acquireLease("b", life: Self.long) != nil)
            try await store.releaseLease(first)
            #expect(try await !store.renewLease(first, life: Self.long))
            let next = try #require(try await store.acquireLease("a", life: Self.long))
            #expect(next.term > first.term)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `who asks for a lease that another holds learns how long it lives on`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try #require(try await store.acquireLease("a", life: Self.long))
            guard case .held(let left?) = try await store.attemptLease("a", life: Self.long) else {
                Issue.record("it is not said")
                return
            }
            #expect(left > Self.long / 2 && left <= Self.long)
            try await store.releaseLease(first)
            guard case .acquired(let next) = try await store.attemptLease("a", life: Self.long)
            else {
                Issue.record("it is not acquired")
                return
            }
            #expect(next.term > first.term)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a lease whose life has ended is renewed until another acquires it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try #require(try await store.acquireLease("a", life: .zero))
            #expect(try await store.renewLease(first, life: Self.long))
            #expect(try await store.acquireLease("a", life: Self.long) == nil)
            #expect(try await store.renewLease(first, life: .zero))
            let next = try #require(try await store.acquireLease("a", life: Self.long))
            #expect(next.term > first.term)
            #expect(try await !store.renewLease(first, life: Self.long))
            // What the earlier holder gives back is not the next one's.
            try await store.releaseLease(first)
            #expect(try await store.acquireLease("a", life: Self.long) == nil)
            #expect(try await store.renewLease(next, life: Self.long))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of many who ask at once one gets the lease`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            let count = try await withThrowingTaskGroup(of: Lease?.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await store.acquireLease("a", life: Self.long) }
                }
                var count = 0
                for try await lease in group where lease != nil { count += 1 }
                return count
            }
            #expect(count == 1)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what an earlier holder writes is refused, and nothing of it is stored`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func write(_ value: UInt8, under lease: Lease) async throws {
                try await store.write { sql throws(StoreError) in
                    try SettingRows.set("s", to: [value], on: sql)
                    try store.requireCurrent(lease, on: sql)
                }
            }
            let first = try #require(try await store.acquireLease("a", life: .zero))
            try await write(1, under: first)
            let next = try #require(try await store.acquireLease("a", life: Self.long))
            await #expect(throws: StoreError(.superseded)) { try await write(2, under: first) }
            #expect(try await store.findSetting("s") == [1])
            try await write(3, under: next)
            try await store.releaseLease(next)
            await #expect(throws: StoreError(.superseded)) { try await write(4, under: next) }
            #expect(try await store.findSetting("s") == [3])
        }
    }

    @Test func `terms rise from one start of a store in a file to the next`() async throws {
        try await withScratch { directory in
            var last: Int64 = 0
            for _ in 1...3 {
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                for name in ["a", "b", "a"] {
                    let lease = try #require(try await store.acquireLease(name, life: Self.long))
                    #expect(lease.term > last)
                    last = lease.term
                    try await store.releaseLease(lease)
                }
                await store.close()
            }
        }
    }

    @Test func `of two processes one holds a lease, and the other's writes are refused`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            let first = try #require(try await stores[0].acquireLease("a", life: .zero))
            let next = try #require(try await stores[1].acquireLease("a", life: Self.long))
            #expect(next.term > first.term)
            #expect(try await stores[0].acquireLease("a", life: Self.long) == nil)
            await #expect(throws: StoreError(.superseded)) {
                try await stores[0].writeRegistry { sql, _ throws(StoreError) in
                    try stores[0].requireCurrent(first, on: sql)
                }
            }
        }
    }

    @Test func `a call that waits goes on when the lease of another process ends`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            let other = try #require(try await stores[1].acquireLease("a", life: Self.long))
            #expect(try await stores[0].withFreeLease("a") { 1 } == nil)
            async let waiting = stores[0].withLease("a") { 2 }
            try await stores[1].releaseLease(other)
            #expect(try await waiting == 2)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `calls under one lease run one at a time and all of them in the end`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let inside = Inside()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await store.withLease("name \(number % 3)") {
                            inside.enter(number % 3)
                            await Task.yield()  // Bounded: once.
                            inside.leave(number % 3)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(inside.most == 1 && inside.count == 100)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a held lease is not free, and is free again afterwards`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let (inner, other) = try await store.withLease("a") {
                // Safe: a store that cannot say counts as one that says nothing.
                let inner = try? await store.withFreeLease("a") { 1 }
                let other = try? await store.withFreeLease("b") { 2 }
                return (inner ?? nil, other ?? nil)
            }
            #expect(inner == nil)
            #expect(other == 2)
            #expect(try await store.withFreeLease("a") { 3 } == 3)
            let held = try #require(try await store.acquireLease("a", life: Self.long))
            #expect(try await store.withFreeLease("a") { 4 } == nil)
            try await store.releaseLease(held)
        }
    }

    /// Who is inside of each name, and how many at most were.
    private final class Inside: Sendable {
        private let state = Mutex<(inside: [Int: Int], most: Int, count: Int)>(([:], 0, 0))

        var most: Int { state.withLock { $0.most } }
        var count: Int { state.withLock { $0.count } }

        func enter(_ name: Int) {
            state.withLock { state in
                state.inside[name, default: 0] += 1
                state.most = max(state.most, state.inside[name, default: 0])
                state.count += 1
            }
        }

        func leave(_ name: Int) { state.withLock { $0.inside[name, default: 0] -= 1 } }
    }
}

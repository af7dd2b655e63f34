import DeskModel
import DeskStorePostgres
import PostgresSupport
import Synchronization
import TestSupport
import Testing

/// What counters promise, alone and with others that debit.
@Suite struct CounterContract {
    private let start = ContinuousClock.now
    private let somebody = CounterSubject(sort: 1, low: 1)
    private let other = CounterSubject(sort: 2, low: 1)

    /// The sources that keep the contract, by name.
    enum Source: CaseIterable, Sendable {
        case local
        case shared
        /// One of two nodes on a database.
        case postgres

        static let allCases: [Source] = TestedEngines.chosen([.local, .shared], [.postgres])

        func with(_ body: (any CounterSource) throws -> Void) async throws {
            switch self {
            case .local: try body(LocalCounters())
            case .shared: try body(ExchangingCounters(1).sources[0])
            case .postgres:
                try await Exchange.postgres.with(2) { sources, _ in try body(sources[0]) }
            }
        }
    }

    /// The counters of several processes that say later what each counted.
    enum Exchange: CaseIterable, Sendable {
        case inMemory
        case postgres

        static let allCases: [Exchange] = TestedEngines.chosen([.inMemory], [.postgres])

        /// Beyond the duration of any test.
        static let repeats = Duration.seconds(86_400)

        func with(
            _ count: Int,
            _ body: (
                [any CounterSource], (ContinuousClock.Instant) async throws -> Void
            ) async throws -> Void
        ) async throws {
            switch self {
            case .inMemory:
                let counters = ExchangingCounters(count)
                try await body(counters.sources) { counters.exchange(at: $0) }
            case .postgres:
                let clock = Mutex(ContinuousClock.now)
                let time = TimeSource(
                    now: { Timestamp(milliseconds: 0) }, instant: { clock.withLock(\.self) },
                    sleep: { try await Task.sleep(for: $0) })
                try await PostgresNodes.with(count) { nodes in
                    let sources = nodes.notices.map {
                        PostgresCounters($0, time: time, repeats: Exchange.repeats)
                    }
                    try await nodes.deliver()
                    try await body(sources) { now in
                        clock.withLock { $0 = now }
                        for source in sources { source.announce() }
                        try await nodes.deliver()
                    }
                }
            }
        }
    }

    @Test(arguments: Source.allCases)
    func `a burst is allowed, then the rate, for each subject by itself`(
        source: Source
    ) async throws {
        try await source.with { source in
            let counter = source.rate("a", Rate(perSecond: 1, burst: 10))
            for left in (0..<10).reversed() {
                let verdict = counter.take(1, by: somebody, at: start)
                #expect(verdict.isAllowed && verdict.remaining == left)
            }
            let refused = counter.take(1, by: somebody, at: start)
            #expect(!refused.isAllowed && refused.retryAfter == .seconds(1))
            #expect(counter.take(10, by: other, at: start).isAllowed)
            #expect(counter.take(1, by: somebody, at: start + .seconds(1)).isAllowed)
            #expect(!counter.take(1, by: somebody, at: start + .seconds(1)).isAllowed)
        }
    }

    @Test(arguments: Source.allCases)
    func `a look or a refusal debits nothing, and what is given back is there again`(
        source: Source
    ) async throws {
        try await source.with { source in
            let counter = source.rate("a", Rate(perSecond: 1, burst: 3))
            #expect(counter.take(0, by: somebody, at: start).remaining == 3)
            #expect(counter.take(2, by: somebody, at: start).isAllowed)
            #expect(!counter.take(2, by: somebody, at: start).isAllowed)
            #expect(counter.take(0, by: somebody, at: start).remaining == 1)
            counter.giveBack(1, to: somebody, at: start)
            counter.giveBack(9, to: other, at: start)
            #expect(counter.take(2, by: somebody, at: start).isAllowed)
            counter.giveBack(99, to: somebody, at: start)
            #expect(counter.take(0, by: somebody, at: start).remaining == 3)
        }
    }

    @Test(arguments: Source.allCases)
    func `what others debited may leave a debt of a burst, and no more`(
        source: Source
    ) async throws {
        try await source.with { source in
            let counter = source.rate("a", Rate(perSecond: 1, burst: 10))
            counter.debit(4, of: somebody, at: start)
            #expect(counter.take(0, by: somebody, at: start).remaining == 6)
            for _ in 0..<100 { counter.debit(10, of: somebody, at: start) }
            #expect(!counter.take(1, by: somebody, at: start + .seconds(10)).isAllowed)
            #expect(counter.take(1, by: somebody, at: start + .seconds(11)).isAllowed)
            // What is owed by one's own doing is not forgiven by others' debits.
            #expect(counter.take(50, by: other, at: start).isAllowed)
            counter.debit(1, of: other, at: start)
            #expect(!counter.take(1, by: other, at: start + .seconds(40)).isAllowed)
            #expect(counter.take(1, by: other, at: start + .seconds(41)).isAllowed)
        }
    }

    @Test(arguments: Exchange.allCases)
    func `of several processes together a subject gets their bursts once, then the rate`(
        exchange: Exchange
    ) async throws {
        try await exchange.with(3) { sources, exchange in
            let rate = Rate(perSecond: 10, burst: 50)
            let nodes = sources.map { $0.rate("a", rate) }
            var allowed = 0
            var now = start
            for _ in 0..<400 {
                for node in nodes {
                    for _ in 0..<60 where node.take(1, by: somebody, at: now).isAllowed {
                        allowed += 1
                    }
                }
                now += .milliseconds(250)
                try await exchange(now)
            }
            // 100 s: three bursts, 1,000 by the rate, and what three processes allow between two exchanges.
            #expect(allowed >= 1_000)
            #expect(allowed <= 150 + 1_000 + 3 * 3)
        }
    }

    @Test func `without an exchange each process gives the rate`() {
        // The control of the test above: it fails without the exchange.
        let nodes = ExchangingCounters(3).sources.map {
            $0.rate("a", Rate(perSecond: 10, burst: 50))
        }
        let later = start + .seconds(100)
        var allowed = 0
        for node in nodes {
            for now in [start, later] {
                for _ in 0..<60 where node.take(1, by: somebody, at: now).isAllowed { allowed += 1 }
            }
        }
        #expect(allowed == 300)
    }

    @Test(arguments: Source.allCases)
    func `what is reserved together is what is under way`(
        source: Source
    ) async throws {
        try await source.with { source in
            let sums = source.reservations("bytes")
            #expect(sums.reserve(5, for: somebody) == 5)
            #expect(sums.reserve(7, for: somebody) == 12)
            #expect(sums.reserve(1, for: other) == 1)
            sums.release(5, for: somebody)
            #expect(sums.reserve(0, for: somebody) == 7)
            sums.release(7, for: somebody)
            sums.release(7, for: somebody)
            #expect(sums.reserve(2, for: somebody) == 2)
        }
    }

    @Test(arguments: Source.allCases)
    func `after a few failures a subject waits, twice as long each time, and a clear ends it`(
        source: Source
    ) async throws {
        try await source.with { source in
            let waits = FailureWaits(first: 3, longestSeconds: 4, memory: .seconds(60))
            let counter = source.failures("a", waits, maximumSubjects: 9)
            counter.note(1, of: somebody, at: start)
            counter.note(1, of: somebody, at: start)
            #expect(counter.wait(of: somebody, at: start) == .zero)
            for wait in [1, 2, 4, 4] {
                counter.note(1, of: somebody, at: start)
                #expect(counter.wait(of: somebody, at: start) == .seconds(wait))
            }
            #expect(counter.wait(of: somebody, at: start + .seconds(3)) == .seconds(1))
            #expect(counter.wait(of: somebody, at: start + .seconds(4)) == .zero)
            #expect(counter.wait(of: other, at: start) == .zero)
            counter.clear(somebody)
            #expect(counter.wait(of: somebody, at: start) == .zero)
            counter.note(2, of: somebody, at: start)
            #expect(counter.wait(of: somebody, at: start) == .zero)
        }
    }

    @Test(arguments: Source.allCases)
    func `failures are forgotten when their memory has passed, and when there is no room`(
        source: Source
    ) async throws {
        try await source.with { source in
            let waits = FailureWaits(first: 2, longestSeconds: 4, memory: .seconds(60))
            let counter = source.failures("a", waits, maximumSubjects: 2)
            counter.note(1, of: somebody, at: start)
            counter.note(1, of: somebody, at: start + .seconds(60))
            #expect(counter.wait(of: somebody, at: start + .seconds(60)) == .zero)
            counter.note(2, of: other, at: start + .seconds(60))
            // There is room for two: who need not wait is forgotten.
            let third = CounterSubject(sort: 3, low: 1)
            counter.note(1, of: third, at: start + .seconds(60))
            #expect(counter.wait(of: other, at: start + .seconds(60)) == .seconds(1))
            counter.note(1, of: somebody, at: start + .seconds(60))
            #expect(counter.wait(of: somebody, at: start + .seconds(60)) == .zero)
        }
    }

    @Test(arguments: Exchange.allCases)
    func `failures and a clear in one process count in the others`(
        exchange: Exchange
    ) async throws {
        try await exchange.with(3) { sources, exchange in
            let waits = FailureWaits(first: 3, longestSeconds: 900, memory: .seconds(3_600))
            let nodes = sources.map { $0.failures("a", waits, maximumSubjects: 9) }
            // What another node counts is counted as of this moment.
            try await exchange(start)
            for node in nodes { node.note(1, of: somebody, at: start) }
            try await exchange(start)
            #expect(nodes.allSatisfy { $0.wait(of: somebody, at: start) == .seconds(1) })
            nodes[1].clear(somebody)
            try await exchange(start)
            #expect(nodes.allSatisfy { $0.wait(of: somebody, at: start) == .zero })
        }
    }

    @Test func `what is reserved on one node counts on the others, until that node is silent`()
        async throws
    {
        try await Exchange.postgres.with(2) { sources, exchange in
            let nodes = sources.map { $0.reservations("bytes") }
            #expect(nodes[0].reserve(5, for: somebody) == 5)
            try await exchange(start)
            #expect(nodes[1].reserve(7, for: somebody) == 12)
            #expect(nodes[1].reserve(1, for: other) == 1)
            try await exchange(start)
            #expect(nodes[0].reserve(0, for: somebody) == 12)
            nodes[0].release(5, for: somebody)
            try await exchange(start)
            #expect(nodes[1].reserve(0, for: somebody) == 7)
            #expect(nodes[0].reserve(0, for: somebody) == 7)
            // Nothing of node 1 is heard for three rounds of the clock.
            try await exchange(start + Exchange.repeats * 3 + .seconds(1))
            #expect(nodes[0].reserve(0, for: somebody) == 0)
            #expect(nodes[1].reserve(0, for: somebody) == 7)
        }
    }
}

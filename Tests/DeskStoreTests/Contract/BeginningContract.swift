import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import TestSupport
import Testing

/// What is begun once, however many processes share the store and whenever one of them ends.
@Suite struct BeginningContract {
    private static let long = Duration.seconds(3_600)
    private static let scope = "key:1 POST /x k"

    private static func answer(_ status: Int, _ body: UInt8 = 1) -> RememberedAnswer {
        RememberedAnswer(
            scope: scope, body: .sha256([body]), content: .answer(status: status, body: [7]),
            time: dawn)
    }

    private static func acquire(
        _ life: Duration, in store: any SQLRegistries
    ) async throws -> Lease {
        try #require(try await store.acquireLease("answer", life: life))
    }

    private static func begin(
        _ body: UInt8 = 1, under lease: Lease, in store: any SQLRegistries
    ) async throws -> AnswerBeginning {
        try await store.beginAnswer(scope, to: .sha256([body]), under: lease, at: dawn)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an answer that was begun and finished is the answer from then on`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await Self.acquire(Self.long, in: store)
            #expect(try await Self.begin(under: lease, in: store) == .begun)
            #expect(try await store.findAnswer(Self.scope) == nil)
            try await store.finish(Self.answer(201), under: lease)
            #expect(try await store.findAnswer(Self.scope) == Self.answer(201))
            for body in [1, 2] as [UInt8] {
                #expect(
                    try await Self.begin(body, under: lease, in: store)
                        == .answered(Self.answer(201)))
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a holder that ended has begun is begun again by the next one, for the same body`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let first = try await Self.acquire(.zero, in: store)
            #expect(try await Self.begin(under: first, in: store) == .begun)
            let second = try await Self.acquire(Self.long, in: store)
            #expect(try await Self.begin(2, under: second, in: store) == .belongsToAnother)
            #expect(try await Self.begin(1, under: second, in: store) == .begun)
            // The first one wakes up: nothing of it counts.
            await #expect(throws: StoreError.self) {
                try await store.finish(Self.answer(200), under: first)
            }
            await #expect(throws: StoreError.self) {
                try await Self.begin(under: first, in: store)
            }
            try await store.giveUpAnswer(Self.scope, under: first)
            #expect(try await Self.begin(2, under: second, in: store) == .belongsToAnother)
            try await store.finish(Self.answer(201), under: second)
            #expect(try await store.findAnswer(Self.scope) == Self.answer(201))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a store that has businesses of an earlier version or an import begins with them`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let known = [
                Self.business(1, isSandbox: false), Self.business(101, isSandbox: true),
            ]
            for one in known { try await store.save(one, author: .server) }
            let records = try await store.auditRecords(AuditFilter(), at: .start, limit: 10)
                .elements
            #expect(try await Self.begin(2, in: store) == known)
            #expect(
                try await store.auditRecords(AuditFilter(), at: .start, limit: 10).elements
                    == records)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an answer that is given up, or too old, leaves the key free`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await Self.acquire(Self.long, in: store)
            #expect(try await Self.begin(1, under: lease, in: store) == .begun)
            try await store.giveUpAnswer(Self.scope, under: lease)
            #expect(try await Self.begin(2, under: lease, in: store) == .begun)
            try await store.pruneAnswers(before: dawn)
            #expect(try await Self.begin(1, under: lease, in: store) == .belongsToAnother)
            try await store.pruneAnswers(before: dawn.advanced(by: .milliseconds(1)))
            #expect(try await Self.begin(1, under: lease, in: store) == .begun)
        }
    }

    private static func business(_ number: UInt64, isSandbox: Bool) -> Business {
        Business(
            id: BusinessID(uniqueID(number)), name: "Shop \(number)", colour: "#336699",
            mode: isSandbox ? .test : .live, isSandbox: isSandbox, createdAt: dawn)
    }

    private static func begin(_ number: UInt64, in store: any SQLRegistries) async throws
        -> [Business]
    {
        try await store.beginBusinesses(
            business(number, isSandbox: false), sandbox: business(100 + number, isSandbox: true))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of first starts that come at once one makes the businesses, and all are given them`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in try await Self.race([store]) }
    }

    @Test func `of first starts in several processes one makes the businesses`() async throws {
        try await KeptRegistries.withPostgres(4) { stores in try await Self.race(stores) }
    }

    private static func race(_ stores: [any SQLRegistries]) async throws {
        let all = try await withThrowingTaskGroup(of: [Business].self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await begin(UInt64(number + 1), in: stores[number % stores.count])
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        #expect(all.first?.map(\.isSandbox) == [false, true])
        for store in stores {
            #expect(try await store.businesses() == all.first)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a first start beside businesses of before makes the sandbox's alone`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let mine = Self.business(9, isSandbox: false)
            try await store.save(mine, author: .server)
            #expect(
                try await Self.begin(1, in: store) == [mine, Self.business(101, isSandbox: true)])
            #expect(
                try await Self.begin(2, in: store) == [mine, Self.business(101, isSandbox: true)])
        }
    }

    @Test func `of requests with one key in several processes one is answered at a time`()
        async throws
    {
        try await KeptRegistries.withPostgres(3) { stores in
            let begun = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    let store = stores[number % stores.count]
                    group.addTask {
                        try await store.withFreeLease("answer") { (lease: Lease) async -> Int in
                            // Safe: what is superseded, or cannot be begun, is not begun.
                            guard (try? await Self.begin(under: lease, in: store)) == .begun else {
                                return 0
                            }
                            // Safe: the same.
                            try? await store.finish(Self.answer(201), under: lease)
                            return 1
                        } ?? 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(begun == 1)
            #expect(try await stores[0].findAnswer(Self.scope) == Self.answer(201))
        }
    }
}

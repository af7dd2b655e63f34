import DeskModel
import DeskSQL
import DeskStore
import PostgresSupport
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What nodes on one database say to each other of their encryption keys.
@Suite struct NodeKeysTests {
    /// Longer than a test.
    private static let life = Duration.seconds(3_600)

    /// Keys by the bytes that each is made of, the current one first.
    private static func keys(_ bytes: UInt8...) throws -> EncryptionKeys {
        try #require(EncryptionKeys(bytes.map { Array(repeating: $0, count: 32) }))
    }

    /// Lends a node for each set of keys, all on one new database.
    private static func with(
        _ keys: [EncryptionKeys], _ body: ([PostgresStore]) async throws -> Void
    ) async throws {
        try await PostgresSchema.with { address in
            var stores: [PostgresStore] = []
            let result: Result<Void, any Error>
            do {
                for one in keys {
                    let options = PostgresRegistries.Options(address: address, keys: one)
                    stores.append(try await PostgresStore(options, newEpoch: Epoch(0xE)))
                }
                result = .success(try await body(stores))
            } catch {
                result = .failure(error)
            }
            for store in stores { await store.close() }
            try result.get()
        }
    }

    /// Acquires a place for a node.
    private static func place(_ number: Int, of store: PostgresStore) async throws -> Lease {
        try #require(try await store.acquireLease("node \(number)", life: life))
    }

    /// Has a node say its keys at a place; returns whether it encrypted something.
    private static func use(_ place: Lease, by store: PostgresStore) async throws -> Bool {
        let keys = store.encryptionKeys
        return try await store.writeRegistry { sql, _ throws(StoreError) -> Bool in
            try NodeKeys.use(keys, at: place, on: sql)
        }
    }

    @Test func `a node encrypts what others encrypt once every node that runs has its key`()
        async throws
    {
        let (old, new) = (try Self.keys(1, 2), try Self.keys(2, 1))
        try await Self.with([old, new]) { stores in
            let secret = try await stores[0].requireSecret(.joinCodes)
            #expect(try await !Self.use(Self.place(1, of: stores[0]), by: stores[0]))
            #expect(try await stores[0].countSecrets() == [old.current: 1])
            #expect(try await Self.use(Self.place(2, of: stores[1]), by: stores[1]))
            #expect(try await stores[0].countSecrets() == [new.current: 1])
            #expect(try await stores[0].requireSecret(.joinCodes) == secret)
        }
    }

    private static let unfit: [(running: [UInt8], starting: [UInt8], why: String)] = [
        ([1], [2, 1], "lacks the key"), ([2, 1], [1], "encrypts with the key"),
    ]

    @Test(arguments: unfit.indices)
    func `a node that another could not read, or that could not read it, is refused`(
        place: Int
    ) async throws {
        let row = Self.unfit[place]
        let sets = try [row.running, row.starting].map { bytes in
            try #require(EncryptionKeys(bytes.map { Array(repeating: $0, count: 32) }))
        }
        try await Self.with(sets) { stores in
            let first = try await Self.place(1, of: stores[0])
            _ = try await Self.use(first, by: stores[0])
            let second = try await Self.place(2, of: stores[1])
            let error = await #expect(throws: StoreError.self) {
                try await Self.use(second, by: stores[1])
            }
            #expect(error?.code == .refused && error?.detail.contains(row.why) == true)
            // It ends; what it said counts for nothing then.
            try await stores[0].releaseLease(first)
            #expect(try await !Self.use(second, by: stores[1]))
        }
    }

    @Test func `a secret that needs a key which a node lacks ends the node's start`() async throws {
        let sets = [try Self.keys(1), try Self.keys(2)]
        try await Self.with(sets) { stores in
            // As when everything was encrypted anew while it started.
            _ = try await stores[1].requireSecret(.joinCodes)
            let place = try await Self.place(1, of: stores[0])
            let error = await #expect(throws: StoreError.self) {
                try await Self.use(place, by: stores[0])
            }
            #expect(error?.code == .keyMissing)
            #expect(error?.detail.contains(sets[1].current.text) == true)
        }
    }

    @Test func `nothing is encrypted anew until each node that runs has said its keys`()
        async throws
    {
        let (old, new) = (try Self.keys(1, 2), try Self.keys(2, 1))
        try await Self.with([old, new]) { stores in
            _ = try await stores[0].requireSecret(.joinCodes)
            // It said them at the place, which it has lost and acquired again since.
            let former = try await Self.place(1, of: stores[0])
            _ = try await Self.use(former, by: stores[0])
            try await stores[0].releaseLease(former)
            let again = try await Self.place(1, of: stores[0])
            let other = try await Self.place(2, of: stores[1])
            #expect(try await !Self.use(other, by: stores[1]))
            #expect(try await stores[0].countSecrets() == [old.current: 1])
            let late = await #expect(throws: StoreError.self) {
                try await Self.use(former, by: stores[0])
            }
            #expect(late?.code == .superseded)
            // As it does once it has the place again.
            _ = try await Self.use(again, by: stores[0])
            #expect(try await Self.use(other, by: stores[1]))
            #expect(try await stores[0].countSecrets() == [new.current: 1])
        }
    }
}

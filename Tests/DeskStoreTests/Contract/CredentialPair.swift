import DeskModel
import DeskSQL
import DeskStore
import PostgresSupport
import TestSupport

@testable import DeskStorePostgres

/// Two nodes, of which the second remembers a key and a session.
struct CredentialPair {
    static let key = KeyID(uniqueID(7))
    static let token = Digest.sha256([1])

    /// The nodes that keep the contract, by what is between them.
    enum Nodes: CaseIterable, Sendable {
        case inProcessOnSQLite
        case inProcessOnPostgreSQL
        case overPostgreSQL

        static let allCases: [Nodes] = TestedEngines.chosen(
            [.inProcessOnSQLite], [.inProcessOnPostgreSQL, .overPostgreSQL])
    }

    let store: any SQLRegistries
    let node: SecondNode
    let clock: VirtualClock
    /// The second node's lease.
    let lease: CredentialLease
    /// Whether a revocation waits for the second node, and for nothing but its lease's end.
    let isWaitedFor: () -> Bool
    /// Returns when the second node has a new lease.
    let joinAgain: () async throws -> CredentialLease

    /// Lends two nodes.
    static func with(
        _ nodes: Nodes, _ body: (CredentialPair) async throws -> Void
    ) async throws {
        switch nodes {
        case .inProcessOnSQLite: try await with(.inSQLite, body)
        case .inProcessOnPostgreSQL: try await with(.inPostgreSQL, body)
        case .overPostgreSQL: try await withDatabase(body)
        }
    }

    private static func with(
        _ kept: KeptRegistries, _ body: (CredentialPair) async throws -> Void
    ) async throws {
        let clock = VirtualClock(start: dawn)
        let feed = ProcessCredentialFeed(time: clock.source)
        try await kept.with(feed) { store in
            try await begin(store)
            let node = SecondNode(over: store)
            let lease = await node.join(feed)
            try await remember(on: node)
            try await body(
                CredentialPair(
                    store: store, node: node, clock: clock, lease: lease,
                    isWaitedFor: { clock.sleeperCount == 1 },
                    joinAgain: { await node.join(feed) }))
        }
    }

    private static func withDatabase(
        _ body: (CredentialPair) async throws -> Void
    ) async throws {
        let clock = VirtualClock(start: dawn)
        try await CredentialNodes.with(2, clock.source) { nodes in
            let store = nodes[0].registries
            try await begin(store)
            let node = SecondNode(over: store)
            node.follow(nodes[1].feed)
            try await CredentialNodes.run(nodes) {
                let lease = try await nodes[1].waitForLease()
                try await remember(on: node)
                try await body(
                    CredentialPair(
                        store: store, node: node, clock: clock, lease: lease,
                        isWaitedFor: { clock.sleeperCount == 1 && nodes[0].feed.awaitsOthers },
                        joinAgain: { try await nodes[1].waitForLease(after: lease) }))
            }
        }
    }

    /// Adds the key and the session.
    static func begin(_ store: any SQLRegistries) async throws {
        try await store.begin()
        try await store.add(
            APIKey(
                id: key, name: "k", secret: token, mode: .test, businesses: [business(1)],
                createdAt: dawn), author: .server)
        try await store.add(
            Session(
                token: token, subject: .agent(agent(1)), createdAt: dawn,
                expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
    }

    private static func remember(on node: SecondNode) async throws {
        for _ in 1...2 {
            _ = try await node.findKey(key)
            _ = try await node.findSession(token)
        }
    }
}

/// A node on a database: its notices, its feed, and its view of the registries.
struct CredentialNodes {
    let notices: PostgresNotices
    let feed: PostgresCredentialFeed
    let registries: PostgresRegistries

    /// Lends nodes on one new database; `prepare` gets each feed before anything else follows it.
    static func with(
        _ count: Int, _ time: TimeSource,
        prepare: (Int, PostgresCredentialFeed) -> Void = { _, _ in },
        _ body: ([CredentialNodes]) async throws -> Void
    ) async throws {
        try await PostgresNodes.with(count) { lent in
            let keys = EncryptionKeys.random()
            let nodes = lent.notices.enumerated().map { number, notices in
                let feed = PostgresCredentialFeed(notices, time: time)
                prepare(number, feed)
                var options = PostgresRegistries.Options(address: lent.address, keys: keys)
                options.time = time
                options.credentials = feed
                return CredentialNodes(
                    notices: notices, feed: feed, registries: PostgresRegistries(options))
            }
            let result: Result<Void, any Error>
            do {
                try await nodes[0].registries.makeTables()
                result = .success(try await body(nodes))
            } catch {
                result = .failure(error)
            }
            for node in nodes { await node.registries.close() }
            try result.get()
        }
    }

    /// Runs the nodes' feeds while a body runs.
    static func run(
        _ nodes: [CredentialNodes], _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { await node.feed.run() } }
            let result: Result<Void, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            group.cancelAll()
            try result.get()
        }
    }

    /// Returns when the node has a lease, another than one it had.
    func waitForLease(after former: CredentialLease? = nil) async throws -> CredentialLease {
        try await Wait.value("a lease") {
            feed.lease.flatMap { $0 !== former && $0.holds ? $0 : nil }
        }
    }
}

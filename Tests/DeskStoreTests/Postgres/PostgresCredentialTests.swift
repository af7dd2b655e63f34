import DeskModel
import DeskSQL
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What a feed over the database adds to its contract: two nodes that remember, and what keeps one of
/// them from hearing.
@Suite(.timeLimit(.minutes(10))) struct PostgresCredentialTests {
    private static let key = CredentialPair.key

    /// What keeps a node's parts from applying anything until it opens.
    private final class Barrier: Sendable {
        private let state = Mutex((isOpen: true, waiting: 0))

        func close() { state.withLock { $0.isOpen = false } }
        func open() { state.withLock { $0.isOpen = true } }
        var hasWaiter: Bool { state.withLock { $0.waiting > 0 } }

        func pass() async {
            state.withLock { $0.waiting += 1 }
            while !state.withLock(\.isOpen), !Task.isCancelled {
                // Bounded: by the end of the test's nodes. Safe: the loop looks for cancelling.
                try? await Task.sleep(for: .milliseconds(1))
            }
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Lends two nodes, of which the second remembers a key, and what can hold the second one up.
    private static func with(
        _ body: ([CredentialNodes], Barrier, VirtualClock) async throws -> Void
    ) async throws {
        let clock = VirtualClock(start: dawn)
        let barrier = Barrier()
        try await CredentialNodes.with(
            2, clock.source,
            prepare: { number, feed in
                if number == 1 { feed.follow { _ in await barrier.pass() } }
            }
        ) { nodes in
            try await CredentialPair.begin(nodes[0].registries)
            try await CredentialNodes.run(nodes) {
                for node in nodes { _ = try await node.waitForLease() }
                #expect(try await nodes[1].registries.findKey(key)?.revokedAt == nil)
                try await body(nodes, barrier, clock)
                barrier.open()
            }
        }
    }

    /// Whether the second node accepts the key, by its memory where that may answer.
    private static func isAccepted(by node: CredentialNodes) async throws -> Bool {
        try await node.registries.findKey(key)?.revokedAt == nil
    }

    @Test func `a key that a node remembers is refused there once its revocation is answered`()
        async throws
    {
        try await Self.with { nodes, _, _ in
            // Its memory answers: in the tables the key is gone.
            try await nodes[0].registries.write { sql throws(StoreError) in
                _ = try sql.statement("UPDATE keys SET name = 'other'").runCounting()
            }
            #expect(try await nodes[1].registries.findKey(Self.key)?.name == "k")
            #expect(
                try await nodes[0].registries.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try await !Self.isAccepted(by: nodes[1]))
            #expect(nodes[1].feed.lease?.holds == true)
        }
    }

    @Test func `a session that is used on one node does not end on another that remembers it`()
        async throws
    {
        try await Self.with { nodes, _, _ in
            let token = CredentialPair.token
            let remembered = try await nodes[1].registries.findSession(token)
            let end = try #require(remembered?.expiresAt)
            try await nodes[0].registries.touchSession(
                token, at: dawn, until: end.advanced(by: .seconds(60)), author: .server)
            // It is remembered as it was, and looked up again once that has expired.
            #expect(try await nodes[1].registries.findSession(token)?.expiresAt == end)
            let later = end.advanced(by: .seconds(1))
            #expect(try await nodes[1].registries.findLiveSession(token, at: later) != nil)
            let latest = end.advanced(by: .seconds(60))
            #expect(try await nodes[1].registries.findLiveSession(token, at: latest) == nil)
        }
    }

    @Test func `without a confirmation a node would still accept what was revoked`() async throws {
        // The control of the tests beside it: who is cancelled does not wait.
        try await Self.with { nodes, barrier, _ in
            barrier.close()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await nodes[0].registries.revokeKey(
                        Self.key, at: dawn, author: .server)
                }
                try await Wait.until("the other node was handed the change") { barrier.hasWaiter }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(try await Self.isAccepted(by: nodes[1]))
        }
    }

    @Test func `a node that does not answer is waited for until its lease has ended, and once`()
        async throws
    {
        try await Self.with { nodes, barrier, clock in
            barrier.close()
            let begin = clock.source.instant()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await nodes[0].registries.revokeKey(
                        Self.key, at: dawn, author: .server)
                }
                try await Wait.until("the other node was handed the change") {
                    barrier.hasWaiter && clock.sleeperCount == 1 && nodes[0].feed.awaitsOthers
                }
                #expect(try await Self.isAccepted(by: nodes[1]))
                clock.advance(by: CredentialLease.life)
                try await group.waitForAll()
            }
            #expect(try await !Self.isAccepted(by: nodes[1]))
            #expect(begin.duration(to: clock.source.instant()) == CredentialLease.life)
            // The clock stands still: this would wait for ever.
            #expect(
                try await nodes[0].registries.takeSession(CredentialPair.token, author: .server)
                    != nil)
            barrier.open()
            let lease = try await nodes[1].waitForLease()
            #expect(lease.holds)
            #expect(try await !Self.isAccepted(by: nodes[1]))
        }
    }

    @Test func `a change whose maker died before it was answered reaches the others`()
        async throws
    {
        try await Self.with { nodes, _, _ in
            // What the maker would do after its commit does not happen.
            var options = PostgresRegistries.Options(
                address: nodes[0].notices.options.address, keys: .random())
            options.credentials = ProcessCredentialFeed()
            let dying = PostgresRegistries(options)
            let record = try #require(
                CredentialRows.record([.credentials(.revokeKey(Self.key))], of: 1))
            #expect(try await dying.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try await Self.isAccepted(by: nodes[1]))
            try await dying.write { sql throws(StoreError) in
                (sql as? PostgresConnection)?.beforeCommit(record)
            }
            await dying.close()
            try await Wait.until("the other node refuses it") {
                try await !Self.isAccepted(by: nodes[1])
            }
        }
    }

    @Test func `a node whose connection was ended joins anew with an empty memory`() async throws {
        try await Self.with { nodes, _, clock in
            let lease = try #require(nodes[1].feed.lease)
            let ended = try await nodes[0].registries.readRegistry { sql throws(StoreError) in
                let statement = try sql.statement(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE query LIKE '%nodes%' AND pid <> pg_backend_pid() \
                    AND application_name = current_setting('application_name')
                    """)
                var ended = 0
                while try statement.step() { ended += 1 }
                return ended
            }
            #expect(ended > 0)
            clock.advance(by: CredentialLease.life)
            #expect(!lease.holds)
            let again = try await nodes[1].waitForLease(after: lease)
            #expect(again.holds)
            #expect(
                try await nodes[0].registries.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try await !Self.isAccepted(by: nodes[1]))
        }
    }

    @Test(arguments: [
        RegistryChange.people(.saveBusiness(business(1))),
        .people(.saveAgent(agent(1))), .people(.addFirstOwner(agent(1))),
        .people(.setRole(.owner, of: agent(1), in: business(2))),
        .people(.changeMember(agent(1), of: business(2), to: .agent)),
        .people(.changeMember(agent(1), of: business(2), to: nil)),
        .people(.acceptInvitation(InvitationID(uniqueID(3)), to: business(2), by: agent(1))),
        .people(.confirmSecondFactor(of: agent(1))), .people(.removeSecondFactor(of: agent(1))),
        .people(.requireSecondFactor(true, in: business(1))),
        .people(.requireSecondFactor(false, in: business(1))),
        .credentials(.revokeKey(key)), .credentials(.removeGrant(of: key, for: business(1))),
        .credentials(.confirmGrant(of: key, for: business(1))),
        .credentials(.takeSession(.sha256([1]), of: .agent(agent(1)))),
        .credentials(.endSessions(of: .sandbox)),
        .credentials(.endSessions(of: .customer(ConversationID(uniqueID(4))))),
        .credentials(.shortenSessions(of: .newPassword(agent(1)))),
        .credentials(.shortenSessions(of: .setup)),
        .links(.saveLink(GatewayLinkID(uniqueID(5)), of: business(1))),
        .links(.removeLink(GatewayLinkID(uniqueID(5)), of: nil)),
    ])
    func `a change that may revoke is read as it was written`(change: RegistryChange) {
        #expect(change.mayRevoke)
        let other = RegistryChange.credentials(.revokeKey(Self.key))
        #expect(
            CredentialText.notice(CredentialText.text(of: [change, other]))
                == .changes([change, other]))
    }

    @Test(arguments: ["everything", "revoke-key", "revoke-key x", "change-member a b c", "new 1 2"])
    func `a change that is not understood may be any`(text: String) {
        #expect(CredentialText.notice(text) == .everything)
    }
}

import DeskModel
import DeskSQL
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What revoking promises: from the answer on no node accepts what was revoked.
///
/// A second node looks credentials up over the same store with a memory of its own, and is quick,
/// slow or not reachable at all.
@Suite struct CredentialFeedContract {
    private static let key = CredentialPair.key
    private static let token = CredentialPair.token

    /// Whether a revoking call was answered.
    private final class Answer: Sendable {
        let isGiven = Mutex(false)
    }

    private static func with(
        _ nodes: CredentialPair.Nodes,
        _ body: (any SQLRegistries, SecondNode, CredentialLease, VirtualClock) async throws -> Void
    ) async throws {
        try await CredentialPair.with(nodes) {
            try await body($0.store, $0.node, $0.lease, $0.clock)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `what is revoked on one node is refused on the other when it is answered`(
        _ nodes: CredentialPair.Nodes
    ) async throws {
        try await Self.with(nodes) { store, node, lease, _ async throws in
            #expect(try await store.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try await node.findKey(Self.key)?.revokedAt == dawn)
            #expect(try await store.takeSession(Self.token, author: .server) != nil)
            #expect(try await node.findSession(Self.token) == nil)
            #expect(lease.holds && lease.renew())
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `a revocation is not answered before a slow node has applied it`(
        _ nodes: CredentialPair.Nodes
    ) async throws {
        try await Self.with(nodes) { store, node, lease, _ in
            node.cutOff()
            let answer = Answer()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await store.revokeKey(Self.key, at: dawn, author: .server)
                    answer.isGiven.withLock { $0 = true }
                }
                try await Wait.until("the node was handed the change") { node.notices.count == 2 }
                for _ in 0..<100 { await Task.yield() }  // Bounded: by the count.
                #expect(!answer.isGiven.withLock { $0 })
                // It still may answer from memory, so it may not prolong that.
                #expect(lease.holds && !lease.renew())
                node.reach()
                try await group.waitForAll()
            }
            #expect(try await node.findKey(Self.key)?.revokedAt == dawn)
            #expect(lease.renew())
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `a revocation waits for a node that cannot be reached until its lease ends`(
        _ nodes: CredentialPair.Nodes
    ) async throws {
        try await CredentialPair.with(nodes) { pair in
            let (store, node, lease, clock) = (pair.store, pair.node, pair.lease, pair.clock)
            node.cutOff()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await store.revokeKey(Self.key, at: dawn, author: .server) }
                try await Wait.until("the node was handed the change, and is waited for") {
                    node.notices.count == 2 && pair.isWaitedFor()
                }
                clock.advance(by: CredentialLease.life)
                try await group.waitForAll()
            }
            #expect(!lease.holds && !lease.renew())
            // Without a lease it answers from the store.
            #expect(try await node.findKey(Self.key)?.revokedAt == dawn)
            // And no caller waits for it a second time.
            #expect(try await store.takeSession(Self.token, author: .server) != nil)
            #expect(try await node.findSession(Self.token) == nil)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `the longest wait for a node is under two seconds`(_ nodes: CredentialPair.Nodes)
        async throws
    {
        #expect(CredentialLease.life + .milliseconds(500) <= .seconds(2))
        #expect(CredentialLease.renewal < CredentialLease.life)
        try await CredentialPair.with(nodes) { pair in
            let (store, node, lease, clock) = (pair.store, pair.node, pair.lease, pair.clock)
            // Renewed at the last moment before the change: the whole life is waited for, and no more.
            clock.advance(by: CredentialLease.renewal)
            #expect(lease.renew())
            node.cutOff()
            let begin = clock.source.instant()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await store.revokeKey(Self.key, at: dawn, author: .server) }
                try await Wait.until("the node was handed the change, and is waited for") {
                    node.notices.count == 2 && pair.isWaitedFor()
                }
                clock.advance(by: CredentialLease.life - .milliseconds(1))
                #expect(lease.holds)
                clock.advance(by: .milliseconds(1))
                try await group.waitForAll()
            }
            #expect(begin.duration(to: clock.source.instant()) == CredentialLease.life)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `a node that comes back remembers nothing of before`(_ nodes: CredentialPair.Nodes)
        async throws
    {
        try await CredentialPair.with(nodes) { pair in
            pair.lease.release()
            #expect(try await pair.store.revokeKey(Self.key, at: dawn, author: .server))
            let again = try await pair.joinAgain()
            #expect(again.holds && !pair.lease.holds)
            #expect(pair.node.notices.count { $0 == .everything } == 2)
            #expect(try await pair.node.findKey(Self.key)?.revokedAt == dawn)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `counting a use waits for no other node`(_ nodes: CredentialPair.Nodes) async throws {
        try await Self.with(nodes) { store, node, _, _ in
            node.cutOff()
            try await store.touchKey(Self.key, at: dawn)
            try await store.touchSession(
                Self.token, at: dawn, until: dawn.advanced(by: .seconds(90)), author: .server)
            try await store.pruneSessions(before: dawn)
            #expect(node.notices.count == 1)
            node.reach()
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `a link's new secret is announced before it is answered`(_ nodes: CredentialPair.Nodes)
        async throws
    {
        try await Self.with(nodes) { store, node, _, _ async throws in
            let link = GatewayLink(
                id: GatewayLinkID(uniqueID(0x6001)), business: business(1), side: .provider,
                mspID: "msp", secret: [1, 2, 3], url: "https://provider.example", createdAt: dawn)
            #expect(try await store.save(link, author: .server))
            #expect(node.notices.count == 2)
            #expect(try await store.removeGatewayLink(link.id, author: .server))
            #expect(node.notices.count == 3)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `what was found before the lease ended is not an answer after it`(
        _ nodes: CredentialPair.Nodes
    ) async throws {
        try await Self.with(nodes) { store, node, lease, clock in
            node.cutOff()
            // Changed in the database behind every node's back: only a memory still has the key.
            try await store.write { sql throws(StoreError) in
                _ = try sql.statement("DELETE FROM key_businesses").runCounting()
                return try sql.statement("DELETE FROM keys").runCounting()
            }
            #expect(try await node.findKey(Self.key) != nil)
            clock.advance(by: CredentialLease.life)
            #expect(!lease.holds)
            #expect(try await node.findKey(Self.key) == nil)
        }
    }

    @Test(arguments: CredentialPair.Nodes.allCases)
    func `a revocation whose caller was cancelled keeps a node from renewing its lease`(
        _ nodes: CredentialPair.Nodes
    ) async throws {
        try await CredentialPair.with(nodes) { pair in
            let (store, node, lease, clock) = (pair.store, pair.node, pair.lease, pair.clock)
            node.cutOff()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try await store.revokeKey(Self.key, at: dawn, author: .server)
                }
                try await Wait.until("the node was handed the change, and is waited for") {
                    node.notices.count == 2 && pair.isWaitedFor()
                }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(lease.holds && !lease.renew())
            clock.advance(by: CredentialLease.life)
            #expect(try await node.findKey(Self.key)?.revokedAt == dawn)
        }
    }

    @Test func `what a group revokes is applied before the group is answered`() async throws {
        let feed = ProcessCredentialFeed()
        let notices = Mutex<[CredentialNotice]>([])
        feed.follow { notice in notices.withLock { $0.append(notice) } }
        var options = SQLiteStore.Options()
        options.credentials = feed
        let store = try SQLiteStore(inMemory: Epoch(0xE), options: options)
        try await store.begin()
        try await store.save(
            Agent(
                id: agent(1), name: "Ada", email: "a@example.com", password: nil, createdAt: dawn),
            author: .server)
        try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
        try await store.setRole(.owner, of: agent(2), in: business(1), author: .server)
        let before = notices.withLock { $0.count }
        let steps: [Write] = [
            .member(
                MemberChange(
                    agent: agent(1), business: business(1), role: nil, author: .agent(agent(2)),
                    time: dawn))
        ]
        _ = try await store.append([steps])
        let end = RegistryChange.people(.changeMember(agent(1), of: business(1), to: nil))
        #expect(notices.withLock { Array($0.dropFirst(before)) } == [.changes([end])])
        await store.close()
    }

    @Test func `every part of a node is notified, in order, of what may revoke`() async {
        let feed = ProcessCredentialFeed()
        let seen = Mutex<[String]>([])
        for part in ["memory", "streams"] {
            feed.follow { notice in
                let text =
                    switch notice {
                    case .changes(let changes): changes.map(\.facts.kind).joined(separator: " ")
                    case .everything: "everything"
                    }
                seen.withLock { $0.append("\(part): \(text)") }
            }
        }
        let revoked = RegistryChange.credentials(.revokeKey(Self.key))
        let used = RegistryChange.credentials(.touchKey(Self.key))
        let removed = RegistryChange.links(.removeLink(GatewayLinkID(uniqueID(1)), of: nil))
        await feed.publish(.changes([used, revoked, removed]))
        await feed.publish(.changes([used]))
        await feed.publish(.everything)
        #expect(
            seen.withLock { $0 } == [
                "memory: key_revoked link_removed", "streams: key_revoked link_removed",
                "memory: everything", "streams: everything",
            ])
    }
}

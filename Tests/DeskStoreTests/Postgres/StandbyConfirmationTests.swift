import DeskModel
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What becomes of a commit whose wait for the synchronous standby is cut short.
///
/// By itself (`scripts/test`, sockets): beside hundreds of other tests of PostgreSQL the log's turn, which has 2 s,
/// is not to be had.
@Suite struct StandbyConfirmationTests {
    @Test(arguments: ["pg_terminate_backend", "pg_cancel_backend"])
    func `a commit that its standby did not confirm is confirmed before its answer, and made once`(
        ending: String
    ) async throws {
        let address = try await PostgresServer.startAnother()
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
        try await store.begin(conversation(1))
        let before = store.newest.value
        let server = try PostgresConnection(address: address, library: options.library)
        // Commits are stored and wait for a standby that never comes.
        try server.execute("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        try server.execute("SELECT pg_reload_conf()")
        let answers = Mutex<Int64>(0)
        let append = { @Sendable in
            _ = try await store.one(
                AppendEvent(
                    .messageDeliveredUpstream, of: business(1), in: conversation(1),
                    data: Array("{}".utf8), at: dawn))
            answers.withLock { $0 += 1 }
        }
        var count: Int64 = 0
        var waiting: Task<Void, any Error>
        repeat {
            // Until the server has read its settings commits do not wait.
            waiting = Task { try await append() }
            count += 1
        } while try await Self.isDone(at: server) { answers.withLock { $0 } == count }
        try server.execute(
            "SELECT \(ending)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        // It is asked for again, and waits again, until there is none to wait for.
        try await Wait.until("the commit is asked for") {
            let statement = try server.statement(
                literal: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            return try statement.first { $0.integer() } == 1
        }
        // Streams may show it: it is in the database, and only a failover undoes it.
        #expect(answers.withLock { $0 } < count)
        try server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try server.execute("SELECT pg_reload_conf()")
        try await waiting.value
        #expect(store.newest.value == before + count)
        let events = try await store.events(after: .start, in: .everything, limit: 300).events
        #expect(events.count { $0.type == .messageDeliveredUpstream } == Int(count))
        await store.close()
    }

    /// What nodes were notified of.
    private final class Recorded: CredentialFeed {
        let notices = Mutex<[CredentialNotice]>([])

        func follow(_ apply: @escaping CredentialFollower) {}
        func publish(_ notice: CredentialNotice) async { notices.withLock { $0.append(notice) } }
    }

    @Test func `whether a member was removed is unknown, so every node looks again`() async throws {
        let address = try await PostgresServer.startAnother()
        let recorded = Recorded()
        var options = PostgresRegistries.Options(address: address, keys: .random())
        options.credentials = recorded
        let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
        try await store.begin(conversation(1))
        for number in 1...2 as ClosedRange<UInt64> {
            try await store.save(
                Agent(
                    id: agent(number), name: "", email: "a\(number)@example.com",
                    password: "scrypt", createdAt: dawn), author: .server)
            try await store.setRole(
                .owner, of: agent(number), in: business(1), author: .server)
        }
        let server = try PostgresConnection(address: address, library: options.library)
        try server.execute("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        try server.execute("SELECT pg_reload_conf()")
        try await Wait.until("commits wait for a standby") {
            let connection = try PostgresConnection(address: address, library: options.library)
            return try connection.statement(literal: "SHOW synchronous_standby_names")
                .first { $0.textIfAny() } == "absent"
        }
        recorded.notices.withLock { $0.removeAll() }
        var isUnknown = false
        // Until the server has read its settings commits do not wait.
        for role in [Role.agent, .owner, .agent, .owner, nil] as [Role?] where !isUnknown {
            do throws(StoreError) {
                _ = try await store.append(
                    MemberChange(
                        agent: agent(2), business: business(1), role: role,
                        author: .agent(agent(1)), time: dawn))
            } catch {
                #expect(error.code == .unknown)
                isUnknown = true
            }
        }
        #expect(isUnknown)
        #expect(recorded.notices.withLock { $0.last } == .everything)
        try server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try server.execute("SELECT pg_reload_conf()")
        await store.close()
    }

    /// Waits until a commit is confirmed (true) or waits for its standby (false).
    private static func isDone(
        at server: PostgresConnection, _ isAnswered: () -> Bool
    ) async throws -> Bool {
        for _ in 0..<3_000 {
            if isAnswered() { return true }
            // Those whose settings were older when they began to wait go on by themselves.
            let statement = try server.statement(
                literal: """
                    SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                    AND query_start < clock_timestamp() - interval '500 ms'
                    """)
            if try statement.first({ $0.integer() }) ?? 0 > 0 { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Unexpected("a commit neither ends nor waits after 30 s")
    }
}

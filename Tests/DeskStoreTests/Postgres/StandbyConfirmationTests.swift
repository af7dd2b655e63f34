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
@Suite(.serialized) struct StandbyConfirmationTests {
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

    /// How something is asked for that was stored before.
    enum Repeat: CaseIterable, Sendable {
        case ofItsID
        case ofItsKey
        case withOtherBytes
        case read
        /// Of a registry, whose change finds nothing to do.
        case ofRegistry
    }

    @Test(arguments: Repeat.allCases)
    func `what was stored before is acknowledged again only once the standby has it`(
        _ way: Repeat
    ) async throws {
        let address = try await PostgresServer.startAnother()
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
        try await store.begin(conversation(1))
        var sent = try submission("a", to: conversation(1))
        sent.idempotency = IdempotencyClaim(
            credential: "key:1", route: "POST /x", key: "k", body: .sha256([1]))
        let first = try await store.accept(sent)
        let server = try PostgresConnection(address: address, library: options.library)
        try await Self.loseStandby(of: server, at: address)
        // What is refused says nothing of what is stored: it waits for no standby.
        let refused = try await store.append(
            NewMessage(try submission("b", to: conversation(2)), at: dawn))
        #expect(refused == .failure(.notFound))
        let isAnswered = Mutex(false)
        let asking = Task { [sent] in
            defer { isAnswered.withLock { $0 = true } }
            try await Self.ask(store, for: sent, first, way)
        }
        #expect(try await !Self.isDone(at: server) { isAnswered.withLock(\.self) })
        try server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try server.execute("SELECT pg_reload_conf()")
        try await asking.value
        await store.close()
    }

    /// Asks for what was stored before, and expects it.
    private static func ask(
        _ store: PostgresStore, for sent: Submission, _ first: Acceptance, _ way: Repeat
    ) async throws {
        let (id, text) = (way == .ofItsKey ? "c" : "a", way == .withOtherBytes ? "other" : "hello")
        var repeated = try submission(id, to: conversation(1), text)
        if way == .ofItsKey { repeated.idempotency = sent.idempotency }
        switch way {
        case .read: try await store.confirmReads()
        case .ofRegistry: try await store.endSessions(of: .sandbox, author: .server)
        case .withOtherBytes:
            let refused = try await store.append(NewMessage(repeated, at: dawn))
            #expect(refused == .failure(.idempotencyConflict))
        case .ofItsID, .ofItsKey:
            let again = try await store.accept(repeated)
            #expect(again.isRepeat)
            #expect(again.message.position == first.message.position)
        }
    }

    @Test func `who removes the names of old commits waits for no standby`() async throws {
        let address = try await PostgresServer.startAnother()
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
        let server = try PostgresConnection(address: address, library: options.library)
        try server.execute(
            """
            INSERT INTO commits (writer, number, position, made_at) \
            VALUES (1, 1, 0, now() - interval '2 hours')
            """)
        try await Self.loseStandby(of: server, at: address)
        // The first job of a process is followed by it, and the second one waits for that.
        let answered = Mutex(0)
        let asking = Task {
            for id in ["a", "b"] {
                let refused = try await store.append(
                    NewMessage(try submission(id, to: conversation(1)), at: dawn))
                #expect(refused == .failure(.notFound))
                answered.withLock { $0 += 1 }
            }
        }
        try await Wait.until("both are answered") { answered.withLock(\.self) == 2 }
        try await asking.value
        let names = try server.statement(literal: "SELECT count(*) FROM commits")
        #expect(try names.first { $0.integer() } == 0)
        try server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try server.execute("SELECT pg_reload_conf()")
        await store.close()
    }

    @Test func `who does not get the turn waits for it on one connection, and not twice`()
        async throws
    {
        let address = try await PostgresServer.startAnother()
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
        try await store.begin(conversation(1))
        let keeping = try PostgresConnection(address: address, library: options.library)
        try keeping.execute("BEGIN; LOCK TABLE log_turn IN EXCLUSIVE MODE")
        let server = try PostgresConnection(address: address, library: options.library)
        let waiting = try server.statement(
            literal: """
                SELECT pid FROM pg_locks WHERE relation = 'log_turn'::regclass AND NOT granted
                """)
        let isAnswered = Mutex(false)
        let asking = Task {
            defer { isAnswered.withLock { $0 = true } }
            _ = try await store.accept(submission("a", to: conversation(1)))
        }
        var waited: Set<Int64> = []
        try await Wait.until("the writer has given up") {
            for one in try waiting.all({ $0.integer() }) { waited.insert(one) }
            return isAnswered.withLock(\.self)
        }
        let error = await #expect(throws: StoreError.self) { try await asking.value }
        #expect(error?.code == .unavailable)
        #expect(waited.count == 1, "\(waited)")
        try keeping.execute("ROLLBACK")
        // It goes on with the connection that it has.
        #expect(try await store.accept(submission("a", to: conversation(1))).isRepeat == false)
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

    /// How many rows were inserted.
    private final class Inserted: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock(\.self) }
        func add() { state.withLock { $0 += 1 } }
    }

    /// Has commits wait for a standby that never comes, and returns once they do.
    private static func loseStandby(
        of server: PostgresConnection, at address: String
    ) async throws {
        try server.execute("CREATE TABLE awaited (number bigint)")
        try server.execute("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        try server.execute("SELECT pg_reload_conf()")
        var insert: Task<Void, any Error>
        let inserted = Inserted()
        var count = 0
        repeat {
            // Until the server has read its settings commits do not wait.
            insert = Task.detached {
                let library = PostgresRegistries.Options(address: address, keys: .random()).library
                let connection = try PostgresConnection(address: address, library: library)
                try connection.execute("INSERT INTO awaited VALUES (1)")
                inserted.add()
            }
            count += 1
        } while try await Self.isDone(at: server) { inserted.count == count }
        try server.execute(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        try await insert.value
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

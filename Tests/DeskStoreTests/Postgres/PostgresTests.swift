import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What PostgreSQL adds to the registries' contract: several processes, and connections that end.
@Suite struct PostgresTests {
    /// What several processes get that do the same at the same time.
    private static func both<Value: Sendable>(
        _ stores: [PostgresStore],
        _ body: @escaping @Sendable (PostgresStore) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for store in stores { group.addTask { try await body(store) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `of two processes that use one session exactly one gets it`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            for number in UInt8(0)..<20 {
                let token = Digest.sha256([number])
                try await stores[0].add(
                    Session(token: token, subject: .sandbox, createdAt: dawn, expiresAt: dawn),
                    author: .server)
                let taken = try await Self.both(stores) {
                    try await $0.takeSession(token, author: .server)
                }
                #expect(taken.compactMap(\.self).count == 1)
            }
        }
    }

    @Test func `of two processes that accept one invitation exactly one makes a member`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await InvitationContract.begin(stores[0])
            for number in UInt8(1)...10 {
                let email = "p\(number)@example.com"
                try await stores[0].add(InvitationContract.invitation(number, to: email))
                let outcomes = try await Self.both(stores) { store in
                    var random = SystemRandomNumberGenerator()
                    let person = Agent(
                        id: AgentID(UniqueID(using: &random)), name: "P", email: email,
                        password: "scrypt", createdAt: dawn)
                    return try await store.accept(
                        .sha256([number]), by: .new(person, beside: []), at: dawn)
                }
                #expect(outcomes.count { $0 == .gone } == 1)
                #expect(try await stores[1].agents(email: email).count == 1)
            }
        }
    }

    @Test func `of two processes that add the first owner exactly one does`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            let added = try await Self.both(stores) { store in
                var random = SystemRandomNumberGenerator()
                return try await store.addFirstOwner(
                    Agent(
                        id: AgentID(UniqueID(using: &random)), name: "P", email: "p@example.com",
                        password: nil, createdAt: dawn))
            }
            #expect(added.count { $0 } == 1)
            #expect(try await stores[0].agents(of: nil).count == 1)
        }
    }

    @Test func `a connection that the server ended is made anew by the next call`() async throws {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[1].setSetting("a", to: [1], author: .server)
            _ = try await stores[1].findSetting("a")
            let ended = try await stores[0].readRegistry { sql throws(StoreError) in
                let statement = try sql.statement(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE pid <> pg_backend_pid() \
                    AND application_name = current_setting('application_name')
                    """)
                var ended = 0
                while try statement.step() { ended += 1 }
                return ended
            }
            #expect(ended > 0)
            try await stores[1].setSetting("a", to: [2], author: .server)
            #expect(try await stores[1].findSetting("a") == [2])
        }
    }

    @Test func `a server that cannot be reached is unavailable, and says why`() async throws {
        let store = PostgresRegistries(
            .init(address: "host=/nowhere user=nobody dbname=none", keys: .random()))
        let error = await #expect(throws: StoreError.self) { try await store.findSetting("a") }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("/nowhere") == true, "\(error?.detail ?? "")")
        await store.close()
    }

    @Test(arguments: [
        "postgresql://u:sec@ret@127.0.0.1:1/d", "postgresql://u:secret/x@127.0.0.1:1/d",
        "postgresql://u:secret%zz@127.0.0.1/d", "host=127.0.0.1 port=1 password=my secret",
    ])
    func `an address that is misread is refused without a part of its password`(
        address: String
    ) async throws {
        let store = PostgresRegistries(.init(address: address, keys: .random()))
        let error = await #expect(throws: StoreError.self) { try await store.findSetting("a") }
        #expect(error?.code == .failed)
        #expect(error?.detail.contains("%40") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("sec") == false && error?.detail.contains("ret") == false)
        await store.close()
    }

    @Test(arguments: [
        ("libpq-of-nobody.so.5", "cannot be loaded"), ("libz.so.1", "libz.so.1 has no PQconnectdb"),
    ])
    func `without libpq each call fails and says which package has it`(
        library: String, words: String
    ) async throws {
        var options = PostgresRegistries.Options(address: "", keys: .random())
        options.library = library
        let store = PostgresRegistries(options)
        // The second one is a try of its own.
        for _ in 1...2 {
            let error = await #expect(throws: StoreError.self) { try await store.findSetting("a") }
            #expect(error?.code == .failed)
            #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
            #expect(error?.detail.contains("apt-get install libpq5") == true)
        }
        await store.close()
    }

    @Test func `a failed write leaves nothing and the next one goes on`() async throws {
        try await KeptRegistries.withPostgres { stores in
            let store = stores[0]
            // No text of PostgreSQL's holds a zero byte.
            let error = await #expect(throws: StoreError.self) {
                try await store.write { sql throws(StoreError) in
                    let insert = try sql.statement(
                        "INSERT INTO settings (name, value) VALUES (?, ?)")
                    for name in ["whole", "half\u{0}"] {
                        try insert.bind(name)
                        try insert.bind([1] as [UInt8])
                        _ = try insert.runCounting()
                    }
                }
            }
            #expect(error?.code == .refused)
            #expect(try await store.findSetting("whole") == nil)
            try await store.setSetting("whole", to: [1], author: .server)
            #expect(try await store.findSetting("whole") == [1])
            let closed = stores[0]
            await closed.close()
            await #expect(throws: StoreError(.closed)) { try await closed.findSetting("whole") }
        }
    }

    @Test func `a connection that keeps many statements is replaced between two transactions`()
        async throws
    {
        try await KeptRegistries.withPostgres { stores in
            for number in 0..<5 * PostgresConnection.mostComposed {
                let found = try await stores[0].readRegistry { sql throws(StoreError) in
                    try sql.statement("SELECT \(number)::bigint").first { $0.integer() }
                }
                #expect(found == Int64(number))
            }
            // Whichever of the readers answers.
            for _ in 1...10 {
                let kept = try await stores[0].readRegistry { sql throws(StoreError) in
                    try sql.statement(literal: "SELECT count(*) FROM pg_prepared_statements")
                        .first { $0.integer() }
                }
                #expect(try #require(kept) < 2 * PostgresConnection.mostComposed)
            }
        }
    }
}

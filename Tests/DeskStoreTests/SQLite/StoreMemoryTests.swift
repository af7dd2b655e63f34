import DeskModel
import DeskStore
import StoreSupport
import Testing

@testable import DeskSQL
@testable import DeskStoreSQLite

/// What stays at hand between lookups.
@Suite struct StoreMemoryTests {
    private static let key = KeyID(uniqueID(7))

    private static func memory(of store: SQLiteStore) throws -> RegistryMemory {
        try #require(store.registryRecorder.memory)
    }

    @Test func `writes that change no credential leave every credential at hand`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            try await store.begin(conversation(1))
            try await store.add(
                APIKey(
                    id: Self.key, name: "k", secret: .sha256([1]), mode: .test,
                    businesses: [business(1)], createdAt: dawn), author: .server)
            _ = try await store.findKey(Self.key)
            _ = try await store.findBusiness(business(1))
            _ = try await store.memberships(of: agent(1))
            // What a message that comes over a gateway writes beside itself, and others.
            try await store.hold(
                AttachmentUse(
                    id: AttachmentID(.sha256([2])), name: "a", mediaType: "image/png",
                    byteCount: 1), by: .conversation(conversation(1)), at: dawn, author: .server)
            try await store.setSetting("x", to: [1], author: .server)
            try await store.openOutbox(OutboxID(uniqueID(1)), after: .start, author: .server)
            try await store.remember(
                RememberedAnswer(
                    scope: "s", body: .sha256([3]), content: .answer(status: 200, body: []),
                    time: dawn))
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try Self.memory(of: store).find { $0.keys[Self.key] }.value != nil)
            #expect(try Self.memory(of: store).find { $0.businesses[business(1)] }.value != nil)
            #expect(try Self.memory(of: store).find { $0.memberships[agent(1)] }.value != nil)
            // And one that does forgets only that.
            #expect(try await store.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try Self.memory(of: store).find { $0.keys[Self.key] }.value == nil)
            #expect(try Self.memory(of: store).find { $0.businesses[business(1)] }.value != nil)
            await store.close()
        }
    }

    @Test func `what is read beside a change of it is not remembered`() {
        let memory = RegistryMemory()
        let before = memory.find { $0.memberships[agent(1)] }
        memory.forget([.memberships(of: agent(1))])
        memory.keep(as: before.age) { $0.memberships[agent(1)] = [] }
        #expect(memory.find { $0.memberships[agent(1)] }.value == nil)
        // Commits that change no credential do not keep a lookup from being remembered.
        let after = memory.find { $0.memberships[agent(1)] }
        memory.forget([])
        memory.keep(as: after.age) { $0.memberships[agent(1)] = [] }
        #expect(memory.find { $0.memberships[agent(1)] }.value != nil)
    }

    @Test func `what changes a remembered row may revoke, unless it only counts or clears away`() {
        let bookkeeping: Set = ["key_used", "session_used", "sessions_pruned"]
        let changes = AuditContract.cases.flatMap(\.changes).filter { !$0.forgotten.isEmpty }
        #expect(changes.count > 10)
        for change in changes {
            #expect(change.mayRevoke != bookkeeping.contains(change.facts.kind), "\(change)")
        }
    }
}

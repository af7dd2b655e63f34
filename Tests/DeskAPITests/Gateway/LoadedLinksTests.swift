import DeskBroker
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskStoreSQLite
import TestSupport
import Testing

/// Links follow the store, also when another part of the server changes them.
@Suite struct LoadedLinksTests {
    /// A target that receives nothing.
    private struct NoTarget: DeliveryTarget {
        func wants(_ event: Event) -> Bool { false }
        func deliver(_ event: Event, _ delivery: Delivery) async -> DeliveryResult {
            .accepted(status: nil, detail: "")
        }
    }

    private static let dawn = Timestamp(seconds: 1_800_000_000)
    private static let business = BusinessID(UniqueID(high: 0x4000, low: 1))
    private static let link = GatewayLink(
        id: GatewayLinkID(UniqueID(high: 0x4000, low: 2)), business: business, side: .provider,
        mspID: "msp", secret: [1, 2, 3], url: "https://provider.example", createdAt: dawn)

    private static func store() async throws -> SQLiteStore {
        let store = try SQLiteStore(inMemory: Epoch(7))
        try await store.save(
            Business(
                id: business, name: "Shop", colour: "#112233", mode: .test, createdAt: dawn),
            author: .server)
        return store
    }

    /// Replaces the link's stored side, of which a wrong one cannot be read.
    private static func setSide(
        _ side: String, in store: SQLiteStore, as change: RegistryChange
    ) async throws {
        try await store.writeRegistry { sql, entries throws(StoreError) in
            let set = try sql.statement("UPDATE gateway_links SET side = ?")
            try set.bind(side)
            _ = try set.runCounting()
            entries.append(RegistryEntry(change, by: .server, at: dawn))
        }
    }

    @Test func `a link that anyone changes is known when the change is answered`() async throws {
        let store = try await Self.store()
        let links = LoadedLinks(store: store)
        try await links.load()
        #expect(links.all.isEmpty)
        #expect(try await store.save(Self.link, author: .server))
        #expect(links.find(Self.link.id)?.secret == [1, 2, 3])
        var changed = Self.link
        changed.secret = [4, 5, 6]
        #expect(try await LoadedLinks(store: store).save(changed, author: .server))
        #expect(links.find(Self.link.id)?.secret == [4, 5, 6])
        #expect(try await store.removeGatewayLink(Self.link.id, author: .server))
        #expect(links.find(Self.link.id) == nil)
        await store.close()
    }

    @Test func `no link is accepted while links that changed cannot be read`() async throws {
        let store = try await Self.store()
        let links = LoadedLinks(store: store)
        #expect(try await links.save(Self.link, author: .server))
        let change = RegistryChange.links(.saveLink(Self.link.id, of: Self.business))
        try await Self.setSide("neither", in: store, as: change)
        #expect(links.all.isEmpty)
        let broker = Broker(store: store, now: { Self.dawn })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await links.run { link in
                    Outbox(
                        link.outbox, to: NoTarget(), of: .businesses([link.business]),
                        from: broker, slots: AttemptSemaphore(1), log: .silent)
                }
            }
            // Nothing notifies of this one: the links are tried again by themselves.
            try await Self.setSide(
                Self.link.side.rawValue, in: store, as: .contents(.setSetting("test")))
            try await Wait.until("the links can be read again") { links.all == [Self.link] }
            group.cancelAll()
        }
        await store.close()
    }
}

import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskBroker

/// A log that counts the pages that are read from it.
private final class CountingLog: EventLog {
    let store: any Store
    private let count = Mutex(0)

    init(_ store: any Store) { self.store = store }

    var pages: Int { count.withLock { $0 } }
    var epoch: Epoch { store.epoch }
    var newest: Position { store.newest }
    var oldest: Position { store.oldest }

    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        try await store.append(groups)
    }

    func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        count.withLock { $0 += 1 }
        return try await store.events(after: position, in: scope, limit: limit)
    }

    func prune(upTo position: Position) async throws(StoreError) {
        try await store.prune(upTo: position)
    }

    func follow(_ listener: @escaping @Sendable ([Event]) -> Void) { store.follow(listener) }
}

/// Pages of the log, from recent memory or from the store.
@Suite struct PageTests {
    /// A broker that remembers so many events, with messages of two businesses by turns.
    private static func make(
        remembering most: Int
    ) async throws -> (Broker, CountingLog, [ConversationID]) {
        let store = try await makeStore()
        let log = CountingLog(store)
        var limits = StreamLimits()
        limits.recentEvents = most
        let broker = Broker(store: store, log: log, now: { dawn }, limits: limits)
        let places = [
            try await broker.openConversation(of: customer(1), with: shop).id,
            try await broker.openConversation(of: customer(2), with: otherShop).id,
        ]
        for number in 0..<20 {
            _ = try await broker.accept(message("m\(number)", to: places[number % 2]))
        }
        return (broker, log, places)
    }

    @Test(arguments: [1, 8, 1_000])
    func `a page is the log's own, wherever it begins and whatever it is of`(
        _ remembered: Int
    ) async throws {
        let (broker, _, places) = try await Self.make(remembering: remembered)
        let scopes: [EventScope] = [
            .everything, .businesses([shop]), .businesses([shop, otherShop]),
            .conversation(places[1]), .customer(places[0]),
        ]
        let newest = broker.store.newest
        #expect(newest.value > 20)
        for scope in scopes {
            for limit in [1, 3, 300, 1_000] {
                for start in 0...newest.value + 1 {
                    let after = Position(start)
                    let page = try await broker.page(after: after, in: scope, limit: limit)
                    let own = try await broker.store.events(after: after, in: scope, limit: limit)
                    #expect(page.events.map(\.id) == own.events.map(\.id), "\(scope), \(start)")
                    #expect(page.end == own.end, "\(scope), after \(start), at most \(limit)")
                }
            }
        }
    }

    @Test func `what was committed a moment ago is not read from the store`() async throws {
        let (broker, log, places) = try await Self.make(remembering: 8)
        let before = broker.store.newest
        let read = log.pages
        for number in 0..<5 { _ = try await broker.accept(message("n\(number)", to: places[0])) }
        let page = try await broker.page(after: before, in: .everything, limit: 300)
        #expect(page.events.map(\.id.position.value) == Array(before.value + 1...before.value + 5))
        #expect(log.pages == read)
        // Further back than it remembers.
        _ = try await broker.page(after: .start, in: .everything, limit: 300)
        #expect(log.pages == read + 1)
    }

    @Test func `what was erased is the tombstone that the log has`() async throws {
        let (broker, _, places) = try await Self.make(remembering: 1_000)
        let before = broker.store.newest
        _ = try await broker.accept(message("a", to: places[0], "a secret that must go"))
        let order = Erasing([try #require(MessageID("a"))], in: places[0], by: agent, at: dawn)
        _ = try await broker.store.append(order).get()
        let page = try await broker.page(after: before, in: .everything, limit: 300)
        let texts = page.events.compactMap { event -> StoredMessage? in
            guard case .message(let message) = event.body else { return nil }
            return message
        }
        #expect(texts.map(\.id.text) == ["a"])
        #expect(texts.allSatisfy { $0.erasedAt == dawn && $0.facts.summary.isEmpty })
    }
}

import DeskModel
import DeskStore
import DeskStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import DeskBroker

/// A log whose feed behaves like that of several processes on one database.
private final class UnevenLog: EventLog {
    private let store: SQLiteStore
    private let fault: FeedFault
    private let state = Mutex<(held: [Event], count: Int)>(([], 0))
    /// What is in the database and not here yet.
    private let hidden = Mutex<Position?>(nil)
    /// How many questions the database will not answer.
    private let failures = Mutex(0)
    let feedInterval: Duration? = .milliseconds(1)

    init(_ store: SQLiteStore, _ fault: FeedFault) {
        self.store = store
        self.fault = fault
    }

    var epoch: Epoch { store.epoch }
    var newest: Position { hidden.withLock { $0 } ?? store.newest }
    var oldest: Position { store.oldest }

    /// Has so many questions about positions fail.
    func fail(_ count: Int) { failures.withLock { $0 = count } }

    /// Ends the log here, as it is for a process that trails behind the others.
    func hide(after position: Position?) { hidden.withLock { $0 = position } }

    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        try await store.append(groups)
    }

    func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        try await store.events(after: position, in: scope, limit: limit)
    }

    func prune(upTo position: Position) async throws(StoreError) {
        try await store.prune(upTo: position)
    }

    func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        store.follow { events in
            for batch in self.fault.batches(of: events, self.state) { listener(batch) }
        }
    }

    func reach(_ position: Position, within limit: Duration) async throws(StoreError) -> Bool {
        let fails = failures.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        if fails { throw StoreError(.unavailable, "of the test") }
        return position <= store.newest
    }
}

/// What may happen to events on their way from the database to a process.
enum FeedFault: CaseIterable, Sendable {
    case none
    case skipsEveryThird
    case repeatsEach
    case delaysByTwo
    case saysNothing

    fileprivate func batches(
        of events: [Event], _ state: borrowing Mutex<(held: [Event], count: Int)>
    ) -> [[Event]] {
        switch self {
        case .none: return [events]
        case .saysNothing: return []
        case .repeatsEach: return [events, events]
        case .skipsEveryThird:
            return state.withLock { state in
                events.filter { _ in
                    state.count += 1
                    return state.count % 3 != 0
                }.map { [$0] }
            }
        case .delaysByTwo:
            return state.withLock { state in
                state.held += events
                guard state.held.count > 2 else { return [] }
                defer { state.held = Array(state.held.suffix(2)) }
                // The later half overtakes the earlier one.
                return state.held.dropLast(2).reversed().map { [$0] }
            }
        }
    }
}

/// What readers see, however the feed of the log behaves.
@Suite struct FeedContract {
    private static func with(
        _ fault: FeedFault,
        _ body: (Broker, UnevenLog, ConversationID) async throws -> Void
    ) async throws {
        let store = try SQLiteStore(inMemory: Epoch(0xE))
        try await store.save(
            Business(id: shop, name: "S", colour: "#000000", mode: .test, createdAt: dawn),
            author: .server)
        let log = UnevenLog(store, fault)
        let broker = Broker(store: store, log: log, now: { dawn })
        try await withThrowingTaskGroup { group in
            group.addTask { await broker.run() }
            let place = try await broker.openConversation(of: customer(1), with: shop).id
            try await body(broker, log, place)
            group.cancelAll()
        }
        await store.close()
    }

    @Test(arguments: FeedFault.allCases)
    func `a live reader sees every event once and in order`(fault: FeedFault) async throws {
        try await Self.with(fault) { broker, _, place in
            let start = EventID(epoch: broker.store.epoch, position: .start)
            let reader = broker.events(after: start, in: .everything)
            for number in 0..<40 { _ = try await broker.accept(message("m\(number)", to: place)) }
            var seen: [Int64] = []
            while seen.count < 41 { seen.append(try await nextEvent(reader)) }
            #expect(seen == Array(1...41))
        }
    }

    @Test(arguments: FeedFault.allCases)
    func `a reader that comes late is served from memory and from the log without a gap`(
        fault: FeedFault
    ) async throws {
        try await Self.with(fault) { broker, _, place in
            for number in 0..<20 { _ = try await broker.accept(message("m\(number)", to: place)) }
            try await Wait.until("everything is published") {
                broker.head.position == Position(21)
            }
            for first in [Int64(0), 7, 20] {
                let cursor = EventID(epoch: broker.store.epoch, position: Position(first))
                let reader = broker.events(after: cursor, in: .everything)
                #expect(try await replayed(reader) == Array((first + 1)...21))
            }
        }
    }

    @Test func `a cursor from a process that is ahead waits and is no reset`() async throws {
        try await Self.with(.saysNothing) { broker, log, place in
            try await Wait.until("the conversation is published") {
                broker.head.position == Position(1)
            }
            log.hide(after: Position(1))
            for id in ["a", "b", "c"] { _ = try await broker.accept(message(id, to: place)) }
            #expect(broker.head.position == Position(1))
            let cursor = EventID(epoch: broker.store.epoch, position: Position(3))
            let reader = broker.events(after: cursor, in: .everything)
            #expect(try await replayed(reader) == [4])
        }
    }

    @Test func `a cursor that cannot be looked for is no reset, and leads on when it comes again`()
        async throws
    {
        try await Self.with(.saysNothing) { broker, log, place in
            try await Wait.until("the conversation is published") {
                broker.head.position == Position(1)
            }
            log.hide(after: Position(1))
            for id in ["a", "b", "c"] { _ = try await broker.accept(message(id, to: place)) }
            let cursor = EventID(epoch: broker.store.epoch, position: Position(3))
            log.fail(1)
            let first = broker.events(after: cursor, in: .everything)
            let error = await #expect(throws: StoreError.self) { try await first.next() }
            #expect(error?.code == .unavailable)
            let again = broker.events(after: cursor, in: .everything)
            #expect(try await replayed(again) == [4])
        }
    }

    @Test func `a cursor that no reader ever reached gets a reset`() async throws {
        try await Self.with(.none) { broker, _, _ in
            let cursor = EventID(epoch: broker.store.epoch, position: Position(9))
            let reader = broker.events(after: cursor, in: .everything)
            guard case .reset = try await reader.next() else {
                Issue.record("no reset")
                return
            }
        }
    }

    @Test func `readers begin anew where retention deleted what the feed left out`() async throws {
        try await Self.with(.saysNothing) { broker, log, place in
            try await Wait.until("the conversation is published") {
                broker.head.position == Position(1)
            }
            let reader = broker.events(after: nil, in: .everything)
            #expect(try await replayed(reader) == [])
            log.hide(after: Position(1))
            for id in ["a", "b", "c"] { _ = try await broker.accept(message(id, to: place)) }
            try await broker.store.prune(upTo: Position(3))
            log.hide(after: nil)
            guard case .cutOff = try await reader.next() else {
                Issue.record("the reader was not cut off")
                return
            }
            #expect(broker.head.position >= Position(3))
        }
    }

    private func nextEvent(_ reader: EventReader) async throws -> Int64 {
        while let item = try await reader.next() {
            if case .event(let shared) = item { return shared.event.id.position.value }
            if case .reset = item { throw Unexpected("a reset") }
            if case .cutOff = item { throw Unexpected("the reader was cut off") }
        }
        throw Unexpected("the stream ended")
    }
}

public import DeskModel
import Synchronization

/// A store without a disk: keeps every promise but that of surviving the process.
public final class MemoryStore: Sendable {
    /// The life of the store.
    public let epoch: Epoch

    private let state: Mutex<MemoryState>
    // Held around a commit and its telling, so that commits are told in order. It breaks the rule
    // that locks are leaves: below it only the state's lock and the listener's are taken.
    private let order = Mutex<Void>(())

    /// An empty store.
    public init(epoch: Epoch) {
        self.epoch = epoch
        state = Mutex(MemoryState(epoch: epoch))
    }

    func look<Value: Sendable>(
        _ body: (MemoryState) -> Value
    ) throws(StoreError) -> Value {
        try edit { body($0) }
    }

    func edit<Value: Sendable>(
        _ body: (inout MemoryState) -> Value
    ) throws(StoreError) -> Value {
        let found: Value? = state.withLock { state in
            guard !state.isClosed else { return nil }
            return body(&state)
        }
        guard let found else { throw StoreError(.closed) }
        return found
    }

    private func commit(
        _ groups: [[Write]]
    ) throws(StoreError) -> (outcomes: [[Outcome]], told: [Event], by: Listener?) {
        let result: Result<([[Outcome]], [Event], Listener?), StoreError> = state.withLock {
            state in
            guard !state.isClosed else { return .failure(StoreError(.closed)) }
            let before = state.events.count
            do throws(StoreError) {
                var outcomes: [[Outcome]] = []
                for group in groups { outcomes.append(try state.apply(group)) }
                return .success((outcomes, Array(state.events[before...]), state.listener))
            } catch {
                return .failure(error)
            }
        }
        let (outcomes, told, listener) = try result.get()
        return (outcomes, told, listener)
    }

    private typealias Listener = @Sendable ([Event]) -> Void
}

extension MemoryStore: EventLog {
    /// The newest position.
    public var newest: Position { state.withLock { $0.newest } }

    /// The oldest position that a cursor may have.
    public var oldest: Position { state.withLock { $0.oldest } }

    /// Stores groups, each whole or not at all.
    public func append(_ groups: [[Write]]) async throws(StoreError) -> [[Outcome]] {
        let result: Result<[[Outcome]], StoreError> = order.withLock { _ in
            do throws(StoreError) {
                let commit = try commit(groups)
                if !commit.told.isEmpty { commit.by?(commit.told) }
                return .success(commit.outcomes)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Hands each commit's events to a listener, set once before the first append.
    public func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        state.withLock { state in
            precondition(state.listener == nil, "the log is followed already")
            state.listener = listener
        }
    }

    /// Reads events after a position, payloads over 32 KiB by reference.
    public func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        let limit = min(limit, 300)
        return try look { state in
            var events: [Event] = []
            let first = max(0, Int(position.value) - state.forgotten)
            for event in state.events.dropFirst(first) where scope.includes(event) {
                events.append(event.replayed(with: state.threads))
                if events.count >= limit {
                    return EventPage(events: events, end: event.id.position)
                }
            }
            return EventPage(events: events, end: max(position, state.newest))
        }
    }

    /// Forgets events up to a position for replay; messages stay.
    public func prune(upTo position: Position) async throws(StoreError) {
        try edit { state in
            let needed = state.outboxes.values.map(\.firstNeeded.value).min() ?? .max
            let last = min(position.value, state.newest.value - 1, needed - 1)
            guard last > state.forgotten else { return }
            state.events.removeFirst(Int(last) - state.forgotten)
            state.forgotten = Int(last)
        }
    }
}

extension MemoryStore: Store {
    /// Conversations whose snooze ended by a moment, oldest first, at most 300.
    public func snoozed(until time: Timestamp) async throws(StoreError) -> [ConversationID] {
        try look { state in
            let due = state.threads.values.compactMap { thread in
                thread.conversation.snoozedUntil.map { (thread.conversation.id, $0) }
            }
            return due.filter { $0.1 <= time }.sorted { $0.1 < $1.1 }.prefix(300).map(\.0)
        }
    }

    /// Conversations that are assigned to somebody who is no member of their business, at most 300.
    public func abandoned() async throws(StoreError) -> [ConversationID] {
        try look { state in
            let left = state.threads.values.map(\.conversation).filter { one in
                one.assignee.map {
                    state.roles[.init(agent: $0, business: one.business)] == nil
                } ?? false
            }
            return left.prefix(300).map(\.id)
        }
    }

    /// Refuses from now on.
    public func close() async { state.withLock { $0.isClosed = true } }
}

extension Event {
    /// The event as a replay shows it: beside the conversation of now.
    fileprivate func replayed(with threads: [ConversationID: MemoryState.Thread]) -> Event {
        var present = conversation.flatMap { threads[$0.id]?.conversation } ?? conversation
        present = present?.asOf(revision)
        var body = body
        switch body {
        case .message(let message):
            body = .message(message.carrying(atMostBytes: Event.maximumPayloadBytes))
        case .conversation(let step): present = present?.asOf(step)
        case .note, .json: break
        }
        return Event(
            id: id, type: type, time: time, business: business, conversation: present, body: body)
    }
}

package import DeskModel
package import DeskSQL
package import DeskStore
package import DeskStoreSQLite
import Synchronization

/// A store that at times cannot say what it was asked for, as one whose database does not answer.
package final class DoubtfulStore: SQLLog, Store {
    private let store: SQLiteStore
    private let state = Mutex((failures: 0, confirmations: 0, damaged: 0, eventsRead: 0))
    private let whileFrozen = Mutex<(@Sendable () async throws(StoreError) -> Void)?>(nil)

    private let isDeaf: Bool

    /// Asks another store, whose log goes on behind it.
    ///
    /// - Parameter isDeaf: its listeners hear nothing of what is appended, so that all is read from the log.
    package init(over store: SQLiteStore, isDeaf: Bool = false) {
        self.store = store
        self.isDeaf = isDeaf
    }

    /// Has so many questions fail: how far the log reaches, and whether what was read is durable.
    package func fail(_ count: Int) { state.withLock { $0.failures = count } }

    /// Has so many hand-overs of late bots meet a damaged conversation.
    package func damageWaits(_ count: Int) { state.withLock { $0.damaged = count } }

    /// Has something done before each commit that erases messages or notes, as while its caller is frozen.
    package func beforeErasing(_ body: @escaping @Sendable () async throws(StoreError) -> Void) {
        whileFrozen.withLock { $0 = body }
    }

    /// How often it was asked to confirm what was read.
    package var confirmations: Int { state.withLock { $0.confirmations } }

    /// How many events were read from the log.
    package var eventsRead: Int { state.withLock { $0.eventsRead } }

    private func doubt() throws(StoreError) {
        let fails = state.withLock { state in
            guard state.failures > 0 else { return false }
            state.failures -= 1
            return true
        }
        if fails { throw StoreError(.unavailable, "of the test") }
    }

    // MARK: The log

    package var epoch: Epoch { store.epoch }
    package var newest: Position { store.newest }
    package var oldest: Position { store.oldest }
    package var damaged: @Sendable (Damage) -> Void { store.damaged }
    package func unflushedRows() -> UnflushedRows { store.unflushedRows() }
    package func unflushedRow(of id: ConversationID) -> UnflushedRows { store.unflushedRow(of: id) }
    package func flushRows() async throws(StoreError) { try await store.flushRows() }
    package func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        if !isDeaf { store.follow(listener) }
    }

    package func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        let page = try await store.events(after: position, in: scope, limit: limit)
        state.withLock { $0.eventsRead += page.events.count }
        return page
    }

    package func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        let isDamaged =
            Last.self == EndBotWait.self
            && state.withLock { state in
                defer { state.damaged = max(0, state.damaged - 1) }
                return state.damaged > 0
            }
        if isDamaged { throw StoreError(.damaged, "of the test") }
        if Last.self == Erasing.self || Last.self == NoteErasing.self {
            try await whileFrozen.withLock { $0 }?()
        }
        return try await store.append(groups)
    }

    package func reach(
        _ position: Position, within limit: Duration
    ) async throws(StoreError) -> Bool {
        try doubt()
        return try await store.reach(position, within: limit)
    }

    package func confirmReads() async throws(StoreError) {
        state.withLock { $0.confirmations += 1 }
        try doubt()
    }

    package func prune(upTo position: Position) async throws(StoreError) {
        try await store.prune(upTo: position)
    }

    // MARK: Registries

    package var registryRecorder: RegistryRecorder { store.registryRecorder }
    package var encryptionKeys: EncryptionKeys { store.encryptionKeys }
    package var leaseLine: LeaseLine { store.leaseLine }

    package func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position {
        try store.newestPosition(on: sql)
    }

    package func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await store.readRegistry(body) }

    package func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await store.writeRegistry(body) }

    package func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError) {
        try store.requireCurrent(lease, on: sql)
    }

    package func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? { try await store.acquireLease(name, life: life) }

    package func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
        try await store.renewLease(lease, life: life)
    }

    package func releaseLease(_ lease: Lease) async throws(StoreError) {
        try await store.releaseLease(lease)
    }
}

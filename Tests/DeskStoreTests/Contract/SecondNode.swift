import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import Synchronization

/// Another node over the store: its own memory, which only the feed keeps right.
final class SecondNode: SQLRegistries {
    private struct State {
        var recorder: RegistryRecorder
        var notices: [CredentialNotice] = []
        var isReachable = true
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let store: any SQLRegistries
    private let state: Mutex<State>

    init(over store: any SQLRegistries) {
        self.store = store
        state = Mutex(
            State(
                recorder: RegistryRecorder(
                    memory: nil, credentials: store.credentials, time: .system)))
    }

    /// Joins a feed with an empty memory.
    func join(_ feed: ProcessCredentialFeed) async -> CredentialLease {
        let lease = await feed.join { [self] notice in await apply(notice) }
        remember(feed) { lease }
        return lease
    }

    /// Follows the feed of its own node, and remembers while that has a lease.
    func follow(_ feed: PostgresCredentialFeed) {
        remember(feed) { feed.lease }
        feed.follow { [self] notice in await apply(notice) }
    }

    private func remember(
        _ feed: any CredentialFeed, _ lease: @escaping @Sendable () -> CredentialLease?
    ) {
        let recorder = RegistryRecorder(
            memory: RegistryMemory(lease: lease), credentials: feed, time: .system)
        state.withLock { $0.recorder = recorder }
    }

    /// What it was handed, the first when it joined; not all of it need be applied.
    var notices: [CredentialNotice] { state.withLock { $0.notices } }

    /// Keeps changes from being applied until `reach`.
    func cutOff() { state.withLock { $0.isReachable = false } }

    /// Lets what waits be applied.
    func reach() {
        state.withLock { $0.isReachable = true }
        wakeAll()
    }

    private func wakeAll() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func apply(_ notice: CredentialNotice) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    state.notices.append(notice)
                    if state.isReachable || Task.isCancelled { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            wakeAll()
        }
        guard !Task.isCancelled else { return }
        registryRecorder.memory?.apply(notice)
    }

    var registryRecorder: RegistryRecorder { state.withLock { $0.recorder } }
    var damaged: @Sendable (Damage) -> Void { store.damaged }
    var encryptionKeys: EncryptionKeys { store.encryptionKeys }
    var leaseLine: LeaseLine { store.leaseLine }

    func newestPosition(on sql: any SQLSession) throws(StoreError) -> Position {
        try store.newestPosition(on: sql)
    }

    func readRegistry<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await store.readRegistry(body) }

    func writeRegistry<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                any SQLSession, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await store.writeRegistry(body) }

    func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError) {
        try store.requireCurrent(lease, on: sql)
    }

    func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? { try await store.acquireLease(name, life: life) }

    func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
        try await store.renewLease(lease, life: life)
    }

    func releaseLease(_ lease: Lease) async throws(StoreError) {
        try await store.releaseLease(lease)
    }
}

import DeskModel
public import DeskStore
import Synchronization

/// The endpoints as the store has them, read again when one changed on whichever node.
public final class LoadedWebhooks: Sendable {
    private struct State {
        var webhooks: [Webhook] = []
        /// How often something changed.
        var changes = 0
        /// Behind which of the changes `webhooks` was read; nil before the first reading.
        var readBehind: Int?
    }

    private let store: any Store
    private let state = Mutex(State())
    private let listeners = Mutex<[@Sendable () -> Void]>([])

    /// Reads nothing before it is asked.
    public init(store: any Store) {
        self.store = store
        store.credentials.follow { [weak self] notice in self?.apply(notice) }
    }

    /// The endpoints that are enabled, not older than the last change that was answered anywhere.
    ///
    /// - Throws: what the store throws.
    func enabled() async throws(StoreError) -> [Webhook] { try await counted().webhooks }

    /// The same, and behind how many changes they were read: with the same number they are the same.
    func counted() async throws(StoreError) -> (webhooks: [Webhook], changes: Int) {
        while true {
            let (known, changes) = state.withLock { state in
                (state.readBehind == state.changes ? state.webhooks : nil, state.changes)
            }
            if let known { return (known, changes) }
            let found = try await store.webhooks(of: nil).filter { $0.disabled == nil }
            state.withLock { state in
                state.webhooks = found
                state.readBehind = changes
            }
        }
    }

    /// Calls a listener after each change from now on; it must return at once.
    func follow(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    private func apply(_ notice: CredentialNotice) {
        if case .changes(let changes) = notice {
            let isOfWebhooks = changes.contains { change in
                switch change {
                case .links(.saveWebhook), .links(.removeWebhook): true
                default: false
                }
            }
            guard isOfWebhooks else { return }
        }
        state.withLock { $0.changes += 1 }
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}

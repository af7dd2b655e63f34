import DeskAPI
import DeskModel
import DeskStore
import DeskStorePostgres

/// What a server keeps its data in, and what it shares with other servers on the same data.
struct StoreParts: Sendable {
    /// The log and the registries.
    let store: any Store & Maintenance
    /// Whether other servers may use the same data at the same time.
    let isShared: Bool
    /// Finds messages by their words.
    let search: any SearchIndex
    /// The bytes of attachments.
    let blobs: any BlobStore
    /// Reads what is stored through, behind all other work.
    let watch: any StoreWatch
    /// Typing and presence.
    let signals: any SignalBus
    /// What is counted over all servers on the same data.
    let counters: any CounterSource
    /// Whether requests are welcome: false while a database does not answer, or the file of one is gone.
    let isReachable: @Sendable () -> Bool
    /// Says at the server's place which encryption keys it has; refuses those that other servers lack.
    let useKeys: @Sendable (Lease) async throws(StoreError) -> Void
    /// Runs as long as the server does.
    let run: @Sendable () async -> Void
    /// Finishes what was accepted, then refuses; returns when everything is closed.
    let close: @Sendable () async -> Void
}

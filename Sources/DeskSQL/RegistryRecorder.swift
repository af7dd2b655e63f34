public import DeskModel
public import DeskStore
import Synchronization

/// The one place that sees every change of an engine's registries, with its author.
///
/// Within the transaction it keeps the audit's record; after the commit it has lookups forget what
/// was changed, and notifies listeners.
public final class RegistryRecorder: Sendable {
    /// What lookups found lately; nil where another process may change it.
    public let memory: RegistryMemory?
    private let time: TimeSource
    private let listeners = Mutex<[@Sendable ([RegistryEntry]) -> Void]>([])

    /// Begins without listeners.
    public init(memory: RegistryMemory?, time: TimeSource) {
        self.memory = memory
        self.time = time
    }

    /// Writes the audit's record of a change into the change's own transaction.
    ///
    /// The entry belongs to those that `committed` is called with.
    public func record(
        _ change: RegistryChange, by author: Author, on sql: any SQLSession
    ) throws(StoreError) -> RegistryEntry {
        let entry = RegistryEntry(change, by: author, at: time.now())
        if entry.isKept { try AuditRows.add(entry, on: sql) }
        return entry
    }

    /// Makes a commit's changes known; engines call it after the commit and before they answer.
    public func committed(_ entries: [RegistryEntry]) {
        guard !entries.isEmpty else { return }
        memory?.forget(entries.flatMap(\.change.forgotten))
        for listener in listeners.withLock(\.self) { listener(entries) }
    }

    /// Adds a listener.
    public func follow(_ listener: @escaping @Sendable ([RegistryEntry]) -> Void) {
        listeners.withLock { $0.append(listener) }
    }
}

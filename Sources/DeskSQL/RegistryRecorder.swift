public import DeskModel
public import DeskStore
import Synchronization

/// The one place that sees every change of an engine's registries, with its author.
///
/// Within the transaction it keeps the audit's record; after the commit it has lookups forget what
/// was changed, and notifies listeners; before the answer it has other nodes do so too.
public final class RegistryRecorder: Sendable {
    /// What lookups found lately; nil where another process may change it.
    public let memory: RegistryMemory?
    /// Where what may revoke is applied, on every node, before it is answered.
    public let credentials: any CredentialFeed
    private let time: TimeSource
    private let listeners = Mutex<[@Sendable ([RegistryEntry]) -> Void]>([])

    /// Begins without listeners.
    public init(
        memory: RegistryMemory?, credentials: any CredentialFeed = ProcessCredentialFeed(),
        time: TimeSource
    ) {
        self.memory = memory
        self.credentials = credentials
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

    /// Makes a commit's changes known in this process; engines call it after the commit, in the order
    /// of the commits, and then `publish` before they answer.
    public func committed(_ entries: [RegistryEntry]) {
        guard !entries.isEmpty else { return }
        memory?.forget(entries.flatMap(\.change.forgotten))
        for listener in listeners.withLock(\.self) { listener(entries) }
    }

    /// Has every node apply what a call changed; on return no node accepts what it ended.
    public func publish(_ entries: [RegistryEntry]) async {
        guard entries.contains(where: \.change.mayRevoke) else { return }
        await credentials.publish(.changes(entries.map(\.change)))
    }

    /// Has every node look again at everything: whether there was a commit is unknown.
    public func publishUnknown() async {
        memory?.apply(.everything)
        await credentials.publish(.everything)
    }

    /// Adds a listener.
    public func follow(_ listener: @escaping @Sendable ([RegistryEntry]) -> Void) {
        listeners.withLock { $0.append(listener) }
    }
}

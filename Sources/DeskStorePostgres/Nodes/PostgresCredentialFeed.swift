public import DeskModel
public import DeskStore
import Synchronization

/// The credential feed of all nodes that share a database.
///
/// The transaction that makes a change records it (`CredentialRows.record`), so that no node misses it,
/// whatever becomes of the one that made it. A node reads what is new when it is notified and every
/// 500 ms, applies it, and confirms. `publish` waits for the confirmation of every node that has its
/// row, or for the life of a lease, and removes the rows of those that were silent.
public final class PostgresCredentialFeed: CredentialFeed {
    let notices: PostgresNotices
    private let time: TimeSource
    private let membership: NodeMembership
    private let own = Mutex<[CredentialFollower]>([])

    /// A feed over a node's notices, once for each node.
    ///
    /// - Parameter time: the clock that leases live by.
    public init(_ notices: PostgresNotices, time: TimeSource = .system) {
        self.notices = notices
        self.time = time
        membership = NodeMembership(time: time)
        notices.attach(CredentialPart(membership, of: notices))
    }

    /// The lease that the node has at the moment; without one it answers nothing from memory.
    public var lease: CredentialLease? { membership.lease }

    /// Whether a publisher waits for other nodes, and it is known for which version.
    var awaitsOthers: Bool { membership.awaitsOthers }

    /// Applies what other nodes change, until the task is cancelled; one task calls it.
    ///
    /// Only while it runs the node has a lease, and others wait for it.
    public func run() async {
        membership.setRunning(true)
        notices.wake()
        for await _ in membership.wakes {
            while let batch = membership.take() {
                if batch.notice != .changes([]) { await apply(batch.notice) }
                // What a cancelled part did not finish counts as not applied.
                guard !Task.isCancelled else { break }
                membership.applied(batch)
                notices.wake()
            }
        }
        membership.setRunning(false)
        notices.wake()
    }

    /// What a transaction runs as its last statements before it commits, so that other nodes apply its
    /// changes; nil where none may revoke.
    func record(_ entries: [RegistryEntry]) -> String? {
        CredentialRows.record(entries.map(\.change), of: notices.node)
    }

    /// Has a part of this node apply each change that may revoke.
    public func follow(_ apply: @escaping CredentialFollower) {
        own.withLock { $0.append(apply) }
    }

    /// Applies what may revoke on this node, and waits until every other has applied what is recorded.
    public func publish(_ notice: CredentialNotice) async {
        guard let notice = notice.revoking else { return }
        let end = time.instant() + CredentialLease.life
        let waiter = membership.addWaiter()
        notices.wake()
        await apply(notice)
        await withTaskGroup { group in
            group.addTask { await waiter.confirmed() }
            group.addTask { [time] in
                while time.instant() < end, !Task.isCancelled {
                    // Safe: the loop looks whether it was cancelled.
                    try? await time.sleep(time.instant().duration(to: end))
                }
            }
            await group.next()
            group.cancelAll()
        }
        membership.remove(waiter, wasInVain: time.instant() >= end)
        notices.wake()
    }

    private func apply(_ notice: CredentialNotice) async {
        for follower in own.withLock(\.self) { await follower(notice) }
    }
}

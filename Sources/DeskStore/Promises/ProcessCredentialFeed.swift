public import DeskModel
import Synchronization

/// The credential feed of nodes that live in one process: the server's own, and beside it any that join.
///
/// The server's own node needs no lease: it cannot be cut off from itself.
public final class ProcessCredentialFeed: CredentialFeed {
    private struct Member: Sendable {
        let lease: CredentialLease
        let apply: CredentialFollower
    }

    private struct State {
        var own: [CredentialFollower] = []
        var others: [Member] = []
    }

    private let time: TimeSource
    private let state = Mutex(State())

    /// A feed of one node.
    public init(time: TimeSource = .system) { self.time = time }

    /// Has a part of this node apply each change that may revoke.
    public func follow(_ apply: @escaping CredentialFollower) {
        state.withLock { $0.own.append(apply) }
    }

    /// Lets another node join until its lease ends; it forgets all that it remembers first.
    ///
    /// Cancel: `apply` returns soon when it is cancelled; what it did not finish counts as not applied.
    public func join(_ apply: @escaping CredentialFollower) async -> CredentialLease {
        await apply(.everything)
        let lease = CredentialLease(time: time)
        state.withLock { state in
            state.others.removeAll { !$0.lease.holds }
            state.others.append(Member(lease: lease, apply: apply))
        }
        return lease
    }

    /// Applies what may revoke on every node that holds a lease.
    public func publish(_ notice: CredentialNotice) async {
        guard let notice = notice.revoking else { return }
        let (own, others) = state.withLock { state in
            state.others.removeAll { !$0.lease.holds }
            return (state.own, state.others)
        }
        // The usual case, without a task.
        guard !others.isEmpty else { return await Self.apply(notice, own) }
        await withDiscardingTaskGroup { group in
            for other in others { group.addTask { await Self.apply(notice, on: other) } }
            await Self.apply(notice, own)
        }
    }

    private static func apply(_ notice: CredentialNotice, _ own: [CredentialFollower]) async {
        for follower in own { await follower(notice) }
    }

    /// Waits until a node has applied a notice, or its lease has ended, which it cannot renew before.
    private static func apply(_ notice: CredentialNotice, on member: Member) async {
        member.lease.begin()
        await withTaskGroup { group in
            group.addTask {
                await member.apply(notice)
                guard !Task.isCancelled else { return }
                member.lease.acknowledge()
            }
            group.addTask { await member.lease.waitForEnd() }
            await group.next()
            group.cancelAll()
        }
    }
}

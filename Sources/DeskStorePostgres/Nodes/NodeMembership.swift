import DeskModel
import DeskStore
import Synchronization

/// Where a node stands in the feed: what it has read, applied and confirmed, and the lease that follows.
///
/// No database in it: the connection's thread asks what to do, the feed's task applies. A lease begins
/// in this order, so that it never covers what was remembered before: the node's row is there, with the
/// version it stands for; all parts forget everything; a beat that was asked for afterwards finds nothing new.
final class NodeMembership: Sendable {
    /// What one look into the database brought.
    struct Batch: Sendable {
        let notice: CredentialNotice
        fileprivate let version: Int64
        fileprivate let membership: Int
        /// How many notices of the lease it acknowledges.
        fileprivate let count: Int
    }

    /// What the connection's thread does next.
    enum Step: Equatable {
        case nothing
        case join
        case leave
        /// Writes what was applied; `isNew` when others may wait for it.
        case confirm(applied: Int64, isNew: Bool)
    }

    /// A change whose publisher waits until other nodes have applied it.
    final class Waiter: Sendable {
        fileprivate let isConfirmed: AsyncStream<Void>
        fileprivate let end: AsyncStream<Void>.Continuation
        /// The newest version when the database was asked first, which the change is not newer than.
        fileprivate let version = Mutex<Int64?>(nil)

        fileprivate init() { (isConfirmed, end) = AsyncStream<Void>.makeStream() }

        /// Returns when it is confirmed.
        ///
        /// Cancel: returns.
        func confirmed() async { for await _ in isConfirmed {} }
    }

    private struct State {
        var isRunning = false
        /// Counts how often the node joined; what was read before the last time does not count.
        var membership = 0
        /// Whether the node's row stands for what it remembers; `hasRow` whether there is one at all.
        var isMember = false
        var hasRow = false
        var isApplying = false
        /// Whether every part forgot what it knew from before it joined.
        var hasForgotten = false
        var lease: CredentialLease?
        var read: Int64 = 0
        var applied: Int64 = 0
        var confirmed: Int64 = 0
        var batches: [Batch] = []
        var hasNews = false
        var waiters: [Waiter] = []
        var hasNewWaiters = false
        /// The newest version that some node did not confirm in time.
        var overdue: Int64?

        /// Ends the lease and what it stood for; the node joins anew.
        mutating func release() {
            lease?.release()
            lease = nil
            isMember = false
            batches = []
        }
    }

    /// Most batches that wait for the feed's task; beyond it the node joins anew.
    private static let maximumBatches = 1_024

    private let time: TimeSource
    private let state = Mutex(State())
    private let wake: AsyncStream<Void>.Continuation
    /// Wakes the task that applies.
    let wakes: AsyncStream<Void>

    init(time: TimeSource) {
        self.time = time
        (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var now: ContinuousClock.Instant { time.instant() }
    var lease: CredentialLease? { state.withLock(\.lease) }
    /// Whether the connection's thread has something to do before its next beat.
    var hasNews: Bool { state.withLock(\.hasNews) }
    /// Whether publishers wait, or stopped waiting, since the thread looked after them.
    var hasNewWaiters: Bool { state.withLock { $0.hasNewWaiters || $0.overdue != nil } }
    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    var awaitsOthers: Bool {
        state.withLock { state in
            state.waiters.contains { $0.version.withLock(\.self) != nil }
        }
    }

    // MARK: The feed's task

    /// Begins to be a member of the feed, or ends it.
    func setRunning(_ isRunning: Bool) {
        state.withLock { state in
            state.isRunning = isRunning
            state.isApplying = false
            state.hasNews = true
            if !isRunning { state.release() }
        }
    }

    /// What to apply next; nil when there is nothing.
    func take() -> Batch? {
        state.withLock { state in
            state.isApplying = !state.batches.isEmpty
            return state.isApplying ? state.batches.removeFirst() : nil
        }
    }

    /// Notes that every part has applied a batch.
    func applied(_ batch: Batch) {
        state.withLock { state in
            state.isApplying = false
            state.hasNews = true
            guard batch.membership == state.membership, state.isMember else { return }
            state.applied = batch.version
            if batch.notice == .everything { state.hasForgotten = true }
            for _ in 0..<batch.count { state.lease?.acknowledge() }
        }
    }

    // MARK: The connection's thread

    /// What to do now.
    func next() -> Step {
        state.withLock { state in
            state.hasNews = false
            guard state.isRunning else {
                defer { state.hasRow = false }
                return state.hasRow ? .leave : .nothing
            }
            if let lease = state.lease, !lease.holds { state.release() }
            if !state.isMember {
                // No publisher waits for a node whose parts do not answer.
                return state.isApplying ? .nothing : .join
            }
            return .confirm(applied: state.applied, isNew: state.applied > state.confirmed)
        }
    }

    /// Notes that the node has its row, for a version; parts forget what they knew before.
    func joined(as version: Int64) {
        state.withLock { state in
            (state.isMember, state.hasRow) = (true, true)
            state.membership += 1
            state.hasForgotten = false
            (state.read, state.applied, state.confirmed) = (version, version, version)
            state.batches = [
                Batch(
                    notice: .everything, version: version, membership: state.membership, count: 0)
            ]
        }
        wake.yield()
    }

    /// Notes that others wait for the node no more.
    func lose() {
        state.withLock { state in
            state.release()
            (state.hasRow, state.hasNews) = (false, true)
        }
    }

    /// Leaves for good.
    func leave() {
        state.withLock { state in
            state.release()
            state.isRunning = false
        }
        wake.finish()
    }

    /// Notes an answered beat; returns the version after which to read changes, if there are any.
    func beat(newest: Int64, applied: Int64, asked: ContinuousClock.Instant) -> Int64? {
        state.withLock { state in
            state.confirmed = max(state.confirmed, applied)
            // The database went back, to a copy or a standby that lacks what was read.
            guard newest >= state.read else {
                state.release()
                return nil
            }
            guard newest == state.read else { return state.read }
            guard newest == applied, state.hasForgotten else { return nil }
            if let lease = state.lease {
                _ = lease.renew(from: asked)
            } else {
                state.lease = CredentialLease(time: time, from: asked)
            }
            return nil
        }
    }

    /// Hands on what was read.
    func read(_ changes: [CredentialRows.Change], of node: Int64) {
        state.withLock { state in
            guard let last = changes.last else { return }
            state.read = last.version
            let others = changes.filter { $0.node != node }
            guard state.batches.count < Self.maximumBatches else { return state.release() }
            for _ in others { state.lease?.begin() }
            let notice = others.reduce(CredentialNotice.changes([])) { $0.joined($1.notice) }
            state.batches.append(
                Batch(
                    notice: notice, version: last.version, membership: state.membership,
                    count: others.count))
        }
        wake.yield()
    }

    // MARK: Publishers

    /// Adds one who waits for what is recorded by now.
    func addWaiter() -> Waiter {
        let waiter = Waiter()
        state.withLock { state in
            state.waiters.append(waiter)
            state.hasNewWaiters = true
        }
        return waiter
    }

    /// Removes one who waits no more; in vain, when leases ended first.
    func remove(_ waiter: Waiter, wasInVain: Bool) {
        state.withLock { state in
            let count = state.waiters.count
            state.waiters.removeAll { $0 === waiter }
            guard wasInVain, state.waiters.count < count,
                let version = waiter.version.withLock(\.self)
            else { return }
            state.overdue = max(state.overdue ?? 0, version)
        }
    }

    /// The version that nodes did not confirm in time, once.
    func takeOverdue() -> Int64? {
        state.withLock { state in
            defer { state.overdue = nil }
            return state.overdue
        }
    }

    /// Those who wait: what they wait for is recorded, so that a look at the database after this sees it.
    func takeWaiters() -> [Waiter] {
        state.withLock { state in
            state.hasNewWaiters = false
            return state.waiters
        }
    }

    /// Lets those of them go who waited for no more than is confirmed.
    func confirm(_ waiters: [Waiter], newest: Int64, upTo confirmed: Int64) {
        let done = waiters.filter { waiter in
            waiter.version.withLock { version in
                version = version ?? newest
                return (version ?? newest) <= confirmed
            }
        }
        state.withLock { state in
            state.waiters.removeAll { waiter in done.contains { $0 === waiter } }
        }
        for waiter in done { waiter.end.finish() }
    }
}

extension CredentialNotice {
    fileprivate func joined(_ other: CredentialNotice) -> CredentialNotice {
        switch (self, other) {
        case (.changes(let first), .changes(let second)): .changes(first + second)
        case (.everything, _), (_, .everything): .everything
        }
    }
}

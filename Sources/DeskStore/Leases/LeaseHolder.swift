public import DeskModel
import Synchronization

/// Runs something in one of the processes that share a store, and in another when that one ends.
public struct LeaseHolder: Sendable {
    private let registry: any LeaseRegistry
    private let name: String
    private let time: TimeSource

    /// For the lease of a name; `time` is the machine's clock, never one that a test server moves.
    public init(of registry: any LeaseRegistry, named name: String, time: TimeSource = .system) {
        self.registry = registry
        self.name = name
        self.time = time
    }

    /// Runs the body whenever this process gets the lease; the body is cancelled when it may be lost.
    ///
    /// Returns when the body has returned by itself, or when the store is closed. Cancel: ends the body
    /// and releases the lease.
    ///
    /// - Parameter held: a lease of the name that was acquired just now, to begin with.
    public func run(
        holding held: Lease? = nil, _ body: @escaping @Sendable (Lease) async -> Void
    ) async {
        var held = held
        while !Task.isCancelled {
            var pause = LeaseTimes.renewal
            do throws(StoreError) {
                let known = held
                held = nil
                // Before it is asked: the store's clock counts from some moment after.
                let asked = time.instant()
                let attempt: LeaseAttempt =
                    if let known { .acquired(known) } else {
                        try await registry.attemptLease(name, life: LeaseTimes.life)
                    }
                switch attempt {
                case .acquired(let lease):
                    if await hold(lease, since: asked, during: body) { return }
                case .held(let left):
                    // Of a holder that has died: at the end of its lease, not at some look after it.
                    if let left { pause = min(pause, max(left, LeaseTimes.pause)) }
                }
            } catch {
                guard error.code != .closed else { return }
            }
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(pause)
        }
        // Cancelled before it began. Safe: a lease that is not released ends by itself.
        if let held { try? await registry.releaseLease(held) }
    }

    /// Renews a lease until it is lost, or the task is cancelled.
    func renew(_ lease: Lease) async { await renew(lease, noting: LastRenewal(time.instant())) }

    /// Returns whether the body returned by itself while the lease was held.
    private func hold(
        _ lease: Lease, since asked: ContinuousClock.Instant,
        during body: @escaping @Sendable (Lease) async -> Void
    ) async -> Bool {
        let last = LastRenewal(asked)
        registry.note(lease, isHeld: true)
        defer { registry.note(lease, isHeld: false) }
        let hasReturned = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await body(lease)
                return true
            }
            group.addTask {
                await renew(lease, noting: last)
                return false
            }
            group.addTask {
                await waitForDoubt(last)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        // A body whose writes were refused returns as well, perhaps before a renewal was.
        let isOver = hasReturned ? await isStillHeld(lease) : false
        // Safe: a lease that is not released ends by itself.
        try? await registry.releaseLease(lease)
        return isOver
    }

    private func isStillHeld(_ lease: Lease) async -> Bool {
        do throws(StoreError) {
            return try await registry.renewLease(lease, life: LeaseTimes.life)
        } catch {
            return error.code == .closed
        }
    }

    private func renew(_ lease: Lease, noting last: LastRenewal) async {
        while !Task.isCancelled {
            do { try await time.sleep(LeaseTimes.renewal) } catch { return }
            let asked = time.instant()
            do throws(StoreError) {
                guard try await registry.renewLease(lease, life: LeaseTimes.life) else { return }
                last.asked.withLock { $0 = asked }
            } catch {
                // It is asked for again, until the doubt is too great.
            }
        }
    }

    /// Returns when so much time has passed without a renewal that the lease may be another's soon.
    private func waitForDoubt(_ last: LastRenewal) async {
        while true {
            let end = last.asked.withLock { $0 } + LeaseTimes.doubt
            let left = time.instant().duration(to: end)
            guard left > .zero else { return }
            do { try await time.sleep(left) } catch { return }
        }
    }
}

/// When the last renewal that succeeded was asked for.
private final class LastRenewal: Sendable {
    let asked: Mutex<ContinuousClock.Instant>

    init(_ asked: ContinuousClock.Instant) { self.asked = Mutex(asked) }
}

public import DeskLog
public import DeskModel
public import DeskStore
import Synchronization

/// Sends events to one delivery target: at least once, each conversation's in order, with an end.
///
/// A reader notes the events for the target, with its cursor, in the store; a sender tries what is
/// due. A failing delivery holds its conversation and no other. Time is counted from one look at
/// the wall clock on by the monotonic clock, so that setting the clock neither speeds up nor delays
/// anything.
public final class Outbox: Sendable {
    /// The name of its target.
    public let id: OutboxID

    let broker: Broker
    let target: any DeliveryTarget
    let settings: OutboxSettings
    let slots: AttemptSemaphore
    let time: TimeSource
    let log: Log
    let wakeSignal = WakeSignal()
    /// How many attempts are under way.
    let underWay = Atomic(0)
    /// How many of this outbox's deliveries are in the server's count of those that wait.
    private let counted = Atomic(0)
    private let begin: Timestamp
    private let beginning: ContinuousClock.Instant
    private let scope: EventScope
    private let random: Mutex<any RandomNumberGenerator & Sendable>

    /// Puts an outbox together; nothing happens before `run()`.
    public init(
        _ id: OutboxID, to target: any DeliveryTarget, of scope: EventScope,
        from broker: Broker,
        settings: OutboxSettings = OutboxSettings(), slots: AttemptSemaphore,
        time: TimeSource = .system,
        log: Log,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.id = id
        self.target = target
        self.scope = scope
        self.broker = broker
        self.settings = settings
        self.slots = slots
        self.time = time
        self.log = log.with("outbox", .text(id.text))
        self.random = Mutex(random)
        begin = time.now()
        beginning = time.instant()
    }

    /// The wall clock as of this outbox's making, carried on by the monotonic clock.
    var now: Timestamp { begin.advanced(by: beginning.duration(to: time.instant())) }

    /// Sends whenever this process holds the outbox's lease, until the task is cancelled or the store
    /// is closed.
    ///
    /// The first run begins with the next event; a later one resumes where the last one ended, in
    /// whichever process that was. Cancel: attempts that run are cut short and count as not made.
    ///
    /// - Parameter work: what runs as long as the outbox does, or ends earlier.
    public func run(beside work: @escaping @Sendable () async -> Void = {}) async {
        await LeaseHolder(of: broker.store, named: "outbox \(id.text)").run { lease in
            await withTaskGroup { group in
                group.addTask {
                    await self.run(under: lease)
                    return true
                }
                group.addTask {
                    await work()
                    return false
                }
                for await hasEnded in group where hasEnded { break }
                group.cancelAll()
            }
        }
    }

    private func run(under lease: Lease) async {
        guard await steadily({ store throws(StoreError) in try await self.prepare(store) }) != nil
        else { return }
        await withTaskGroup { group in
            group.addTask { await self.read(under: lease) }
            group.addTask { await self.send(under: lease) }
            // Either ends only when the other one has to.
            await group.next()
            group.cancelAll()
        }
        broker.retries.end(self)
        count(waiting: -counted.load(ordering: .relaxed))
    }

    /// Lets dead deliveries within a range of positions be tried again; returns how many there were.
    ///
    /// The store wakes the holder of the outbox's lease, whichever process that is.
    /// - Throws: what the store throws.
    public func retry(_ range: ClosedRange<Position>, author: Author) async throws(StoreError)
        -> Int
    {
        try await broker.store.requeue(range, of: id, due: now, author: author)
    }

    /// Counts deliveries that wait from now on, or no longer.
    func count(waiting change: Int) {
        counted.add(change, ordering: .relaxed)
        broker.deliveries.waiting.add(change)
    }

    /// Lets everything that waits for a further attempt be tried now, each conversation in its order.
    ///
    /// The store wakes the holder of the outbox's lease, whichever process that is.
    /// - Throws: what the store throws.
    public func retryNow(author: Author) async throws(StoreError) {
        for attempts in 0...settings.schedule.waits.count {
            try await broker.store.reschedule(attempts: attempts, of: id, to: now, author: author)
        }
    }

    /// Looks at the queue, to which deliveries were added that had been given up.
    func wake(requeued: Int) {
        count(waiting: requeued)
        wakeSignal.notify()
    }

    /// Does something in the store until it succeeds; nil when the task was cancelled, the store is
    /// closed or the lease is another's.
    func steadily<Value: Sendable>(
        _ body: (any Store) async throws(StoreError) -> Value
    ) async -> Value? {
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await body(broker.store)
            } catch {
                guard error.code != .closed, error.code != .superseded else { return nil }
                log.warning("outbox_paused", ["error": .text(error.description)])
            }
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(settings.rest)
        }
        return nil
    }

    /// The moment of the next attempt; nil when there is none.
    func due(after attempts: Int, asked: Duration?) -> Timestamp? {
        let wait = random.withLock { random in
            settings.schedule.wait(after: attempts, asked: asked, using: &random)
        }
        return wait.map { now.advanced(by: $0) }
    }

    private func prepare(_ store: any Store) async throws(StoreError) {
        try await store.openOutbox(id, after: nil, author: .server)
        // The wall clock may have been set back since the deliveries were noted.
        for attempts in 0...settings.schedule.waits.count {
            let wait = settings.schedule.longestWait(after: attempts)
            try await store.reschedule(
                attempts: attempts, of: id, to: now.advanced(by: wait), author: .server)
        }
        count(waiting: try await store.countDeliveries(of: id)[.pending] ?? 0)
        broker.retries.begin(self)
    }

    /// Notes the events for the target, page by page, then with each commit.
    private func read(under lease: Lease) async {
        while !Task.isCancelled {
            // It is notified of events that come while the pages are read.
            let live = broker.events(after: nil, in: scope)
            defer { live.leave() }
            var isLive = true
            while isLive {
                let done: Void? = await steadily { store throws(StoreError) in
                    try await self.catchUp(store, under: lease)
                }
                guard done != nil else { return }
                do throws(StoreError) {
                    switch try await live.next() {
                    case .event, .signal, .live, .reset: break
                    case .cutOff, nil: isLive = false
                    }
                } catch {
                    isLive = false
                }
            }
        }
    }

    private func catchUp(
        _ store: any Store, under lease: Lease
    ) async throws(StoreError) {
        guard var cursor = try await store.findCursor(of: id) else { return }
        while !Task.isCancelled {
            let page = try await broker.page(after: cursor, in: scope, limit: settings.page)
            guard page.end > cursor else { return }
            let due = now
            let wanted = page.events.filter { !$0.type.isOfDelivery && target.wants($0) }
            try await store.enqueue(
                wanted.map {
                    Delivery(
                        outbox: id, position: $0.id.position, conversation: $0.conversation?.id,
                        due: due)
                }, of: id, upTo: page.end, under: lease)
            cursor = page.end
            guard !wanted.isEmpty else { continue }
            count(waiting: wanted.count)
            wakeSignal.notify()
        }
    }
}

extension EventType {
    /// Whether it reports on an outbox itself; no outbox sends such events.
    var isOfDelivery: Bool { self == .deliveryFailed || self == .deliveryDead }
}

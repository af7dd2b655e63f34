package import DeskBroker
package import DeskEventJSON
package import DeskLog
package import DeskModel
import DeskStore
import Synchronization

/// Posts events to the endpoints of all businesses: at least once, in the order that they asked for, with an end.
///
/// One process does it at a time, under the lease `reader webhooks`; another goes on when it ends.
public final class WebhookRunner: Sendable {
    let broker: Broker
    let webhooks: LoadedWebhooks
    let poster: WebhookPoster
    let schedule: RetrySchedule
    let time: TimeSource
    let log: Log
    let counts: WebhookCounts
    let texts: EventTexts
    /// Wakes the sender.
    let wakeSignal = WakeSignal()
    /// Wakes the reader, whose endpoints changed.
    let changeSignal = WakeSignal()
    /// Wakes who stores results.
    let resultSignal = WakeSignal()
    /// How far events are noted.
    private let place = WebhookPlace()
    let plan: Mutex<DeliveryPlan>
    let results = Mutex<[WebhookResult]>([])
    let random: Mutex<any RandomNumberGenerator & Sendable>
    private let begin: Timestamp
    private let beginning: ContinuousClock.Instant

    /// Time after the store refused a write, as when its disk is full.
    static let pause = Duration.seconds(1)

    /// Puts it together; nothing happens before `run()`.
    package init(
        broker: Broker, webhooks: LoadedWebhooks, poster: WebhookPoster, authorNames: AuthorNames,
        schedule: RetrySchedule = .standard, time: TimeSource = .system, log: Log = .silent,
        metrics: Metrics = Metrics(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.broker = broker
        self.webhooks = webhooks
        self.poster = poster
        self.schedule = schedule
        self.time = time
        self.log = log
        self.random = Mutex(random)
        counts = WebhookCounts(metrics)
        texts = EventTexts(store: broker.store, authorNames: authorNames)
        let begin = time.now()
        self.begin = begin
        beginning = time.instant()
        plan = Mutex(
            DeliveryPlan { begin.advanced(by: schedule.longestWait(after: $0)) })
        metrics.showLag(of: WebhookReader.name) { [place, store = broker.store] in
            place.lag(behind: store.newest)
        }
        webhooks.follow { [weak self] in
            self?.changeSignal.notify()
            self?.wakeSignal.notify()
        }
        broker.store.followRetries { [weak self] outbox, _ in
            self?.noteAdded(to: [WebhookID(outbox.value)])
        }
    }

    /// The wall clock as of this runner's making, carried on by the monotonic clock.
    var now: Timestamp { begin.advanced(by: beginning.duration(to: time.instant())) }

    /// Posts whenever this process holds the lease, until the task is cancelled or the store is closed.
    ///
    /// Cancel: attempts that run are cut short and count as not made.
    public func run() async {
        await LeaseHolder(of: broker.store, named: "reader \(WebhookReader.name)").run { lease in
            await self.run(under: lease)
        }
    }

    private func run(under lease: Lease) async {
        plan.withLock { plan in
            plan = DeliveryPlan { [begin, schedule] in
                begin.advanced(by: schedule.longestWait(after: $0))
            }
        }
        results.withLock { $0 = [] }
        await withTaskGroup { group in
            group.addTask { await self.read(under: lease) }
            group.addTask { await self.send() }
            group.addTask { await self.settleAll(under: lease) }
            // Each ends only when the others have to.
            await group.next()
            group.cancelAll()
        }
        place.set(nil)
    }

    /// Notes events as deliveries, for the endpoints that there are at each time.
    private func read(under lease: Lease) async {
        let reader = WebhookReader(
            broker: broker, webhooks: webhooks, texts: texts, now: { self.now },
            added: { self.noteAdded($0) },
            well: { ids in self.plan.withLock { $0.well(among: ids, at: self.time.instant()) } },
            shown: place)
        while !Task.isCancelled {
            let isOver = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    let done: Void? = await self.steadily { () async throws(StoreError) in
                        try await reader.follow(under: lease)
                    }
                    return done == nil
                }
                group.addTask {
                    await self.changeSignal.wait()
                    return false
                }
                let first = await group.next() ?? true
                group.cancelAll()
                return first
            }
            guard !isOver else { return }
        }
    }

    private func noteAdded(_ deliveries: [Delivery]) {
        guard plan.withLock({ $0.noteAdded(deliveries) }) else { return }
        wakeSignal.notify()
    }

    private func noteAdded(to ids: Set<WebhookID>) {
        plan.withLock { $0.noteAdded(to: ids) }
        wakeSignal.notify()
    }

    /// Does something in the store until it succeeds; nil when the task was cancelled, the store is
    /// closed or the lease is another's.
    func steadily<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async -> Value? {
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await body()
            } catch {
                guard error.code != .closed, error.code != .superseded else { return nil }
                log.warning("webhooks_paused", ["error": .text(error.description)])
            }
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(Self.pause)
        }
        return nil
    }
}

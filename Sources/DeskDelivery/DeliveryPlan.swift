import DeskModel
import DeskStore

/// Which delivery is attempted next: what each endpoint's queue holds as far as it was read, and what runs.
///
/// The store has the order within a conversation: it names only its earliest pending delivery.
struct DeliveryPlan: Sendable {
    /// Deliveries of an endpoint that are read at once.
    static let readAtOnce = 16
    /// Endpoints whose queues are read at once, and how many of sick ones.
    static let endpointsAtOnce = 64
    static let sickAtOnce = 16
    /// Endpoints that wait for others of their share, and ask again at an end of an attempt.
    private static let heldAtOnce = 4
    /// The same, when attempts left their places.
    private static let askAgainAtOnce = 32
    /// Most attempts that run or whose results are not stored.
    static let mostUnsettled = 1_000

    /// One attempt that is to be made.
    struct Start: Sendable {
        let webhook: Webhook
        let delivery: Delivery
        let begin: ContinuousClock.Instant
    }

    private var endpoints: [WebhookID: PlannedEndpoint] = [:]
    private var admission = AttemptAdmission()
    /// Endpoints with something waiting, in turn.
    private var ready: [WebhookID] = []
    /// Endpoints that wait until others of their share have less.
    private var held: [WebhookID] = []
    /// When those are to ask again even though no attempt ended.
    private var asksAgain: ContinuousClock.Instant?
    /// Endpoints whose queues are to be read, and whether those of well ones were read last.
    private var unread = UnreadQueues()
    private var readWell = false
    /// When the next delivery of an endpoint becomes due, of those that were read and were not.
    private var later: [WebhookID: Timestamp] = [:]
    /// When the next becomes due of which nothing is read before, or earlier; nil when none does.
    private(set) var nextDue: Timestamp?
    private var unsettled = 0
    /// No later than which due time of these outboxes anything can be.
    private let latestDue: @Sendable (_ attempts: Int) -> Timestamp

    /// Nothing is planned; due times beyond `latestDue` were written by a clock that was set back since.
    init(latestDue: @escaping @Sendable (Int) -> Timestamp) { self.latestDue = latestDue }

    /// How many attempts run.
    var runningCount: Int { admission.count }

    /// Of how many endpoints it is known how they fared.
    var healthCount: Int { admission.healthCount }

    /// Whether something waits for a place, or is to be read.
    var hasWork: Bool { !ready.isEmpty || !held.isEmpty || !unread.inOrder.isEmpty }

    // MARK: What there is

    /// Begins with endpoints that are new, goes on with those that are known, ends those that are not there.
    mutating func update(_ webhooks: [Webhook]) {
        var known = Set(endpoints.keys)
        for webhook in webhooks {
            if known.remove(webhook.id) != nil {
                // Disabled and enabled again between two readings, it has not failed since.
                if endpoints[webhook.id]?.webhook.beginning != webhook.beginning {
                    endpoints[webhook.id]?.failingSince = webhook.failingSince
                    endpoints[webhook.id]?.seenFailingSince = nil
                }
                endpoints[webhook.id]?.webhook = webhook
                continue
            }
            endpoints[webhook.id] = PlannedEndpoint(webhook: webhook)
            unread.insert(webhook.id)
            admission.forget(webhook.id)
            if webhook.failingSince != nil { admission.noteFailing(webhook.id) }
        }
        for id in known {
            unsettled -= endpoints[id]?.underWay.count ?? 0
            endpoints[id] = nil
            later[id] = nil
            admission.forget(id)
        }
        unread.remove(known)
        guard !known.isEmpty else { return }
        ready.removeAll { known.contains($0) }
        held.removeAll { known.contains($0) }
    }

    /// Adds deliveries that were noted, and has queues read again that are not known as far as that.
    ///
    /// - Returns: whether something is to do: not where each waits for an earlier one of its conversation.
    mutating func noteAdded(_ deliveries: [Delivery]) -> Bool {
        var hasNews = false
        for delivery in deliveries {
            let id = WebhookID(delivery.outbox.value)
            switch endpoints[id]?.add(delivery, most: Self.readAtOnce) {
            case nil, .waits: continue
            case .isNext: beReady(id)
            case .isUnread: unread.insert(id)
            }
            hasNews = true
        }
        return hasNews
    }

    /// Has queues read again that changed otherwise.
    mutating func noteAdded(to ids: some Sequence<WebhookID>) {
        for id in ids where endpoints[id] != nil {
            endpoints[id]?.readAgain()
            unread.insert(id)
        }
    }

    /// The queues to read now, and how far, in the order in which they came.
    ///
    /// Those of endpoints that are known to be well are read by themselves: they do not wait for many of
    /// others, of which few may be posted.
    mutating func queuesToRead(
        at now: Timestamp, _ instant: ContinuousClock.Instant
    ) -> [OutboxID: Int] {
        if let earliest = nextDue, earliest <= now {
            for (id, due) in later where due <= now {
                later[id] = nil
                endpoints[id]?.mayHaveMore = true
                unread.insert(id)
            }
            nextDue = later.values.min()
        }
        var asked: [OutboxID: Int] = [:]
        var (well, untried, sick): ([WebhookID], [WebhookID], [WebhookID]) = ([], [], [])
        for id in unread.inOrder {
            guard let endpoint = endpoints[id], endpoint.waiting.isEmpty,
                endpoint.running < endpoint.webhook.concurrency
            else { continue }
            if admission.isWell(id, at: instant) {
                well.append(id)
            } else if admission.isSick(id, at: instant) {
                sick.append(id)
            } else {
                untried.append(id)
            }
        }
        let others = untried.prefix(Self.endpointsAtOnce) + sick.prefix(Self.sickAtOnce)
        readWell = others.isEmpty || (!readWell && !well.isEmpty)
        let chosen = readWell ? well.prefix(Self.endpointsAtOnce) : others
        for id in chosen {
            guard let endpoint = endpoints[id] else { continue }
            asked[endpoint.webhook.outbox] = endpoint.underWay.count + Self.readAtOnce
        }
        // What changes while they are read is asked for again.
        unread.remove(Set(chosen))
        for id in chosen {
            endpoints[id]?.mayHaveMore = false
            endpoints[id]?.isBeingRead = true
        }
        return asked
    }

    /// Adds what was read.
    mutating func add(_ found: [OutboxID: [Delivery]], asked: [OutboxID: Int], at now: Timestamp) {
        for (outbox, deliveries) in found {
            let id = WebhookID(outbox.value)
            guard var endpoint = endpoints[id] else { continue }
            let idle = deliveries.filter {
                !endpoint.underWay.contains($0.position)
                    && !endpoint.settledMeanwhile.contains($0.position)
            }
            let due = idle.filter { self.due($0, at: now) <= now }
            endpoint.waiting = ArraySlice(due)
            // Read of the store, so that none is waited for whose delivery went another way.
            endpoint.know(
                deliveries.filter { !endpoint.settledMeanwhile.contains($0.position) })
            later[id] = idle.map { self.due($0, at: now) }.filter { $0 > now }.min()
            if let due = later[id] { nextDue = min(nextDue ?? due, due) }
            // A full page may have more behind it, all of which is due later where its last one is.
            if deliveries.count >= asked[outbox] ?? 0, !due.isEmpty { endpoint.mayHaveMore = true }
            if endpoint.mayHaveMore { unread.insert(id) }
            endpoints[id] = endpoint
            beReady(id)
        }
        for outbox in asked.keys {
            endpoints[WebhookID(outbox.value)]?.isBeingRead = false
            endpoints[WebhookID(outbox.value)]?.settledMeanwhile = []
        }
    }

    /// When a delivery is due: as it says, unless a clock that was set back since has written it.
    private func due(_ delivery: Delivery, at now: Timestamp) -> Timestamp {
        if let last = delivery.last, last.time <= now { return delivery.due }
        return min(delivery.due, latestDue(delivery.attempts))
    }

    // MARK: What runs

    /// Begins the next attempt; nil when none may begin now.
    mutating func next(at now: ContinuousClock.Instant) -> Start? {
        guard unsettled < Self.mostUnsettled else { return nil }
        if let time = asksAgain, time <= now {
            asksAgain = nil
            askAgain(Self.askAgainAtOnce)
        }
        while !ready.isEmpty {
            let id = ready.removeFirst()
            guard var endpoint = endpoints[id], let delivery = endpoint.waiting.first else {
                endpoints[id]?.isReady = false
                continue
            }
            switch admission.admit(id, concurrency: endpoint.webhook.concurrency, at: now) {
            case .admitted:
                endpoint.waiting = endpoint.waiting.dropFirst()
                endpoint.underWay.insert(delivery.position)
                endpoint.running += 1
                endpoint.isReady = !endpoint.waiting.isEmpty
                if endpoint.isReady { ready.append(id) }
                if endpoint.waiting.isEmpty, endpoint.mayHaveMore { unread.insert(id) }
                endpoints[id] = endpoint
                unsettled += 1
                return Start(webhook: endpoint.webhook, delivery: delivery, begin: now)
            case .endpointIsFull: endpoints[id]?.isReady = false
            case .shareIsFull: held.append(id)
            case .allIsFull:
                ready.insert(id, at: 0)
                return nil
            }
        }
        return nil
    }

    /// Ends an attempt.
    ///
    /// - Returns: how its endpoint fares, where that changed.
    mutating func end(
        _ start: Start, isAccepted: Bool, at now: ContinuousClock.Instant, wallClock: Timestamp
    ) -> WebhookHealth? {
        let id = start.webhook.id
        admission.end(id, admittedAt: start.begin, failed: !isAccepted, at: now)
        // Its endpoint may have been removed meanwhile.
        if endpoints[id] == nil { admission.forget(id) }
        // A place became free; asking for all of them again with each end would cost more than posting.
        askAgain(Self.heldAtOnce)
        guard var endpoint = endpoints[id], endpoint.underWay.contains(start.delivery.position)
        else { return nil }
        endpoint.running -= 1
        endpoint.seenFailingSince = isAccepted ? nil : endpoint.seenFailingSince ?? now
        var health: WebhookHealth?
        if isAccepted, endpoint.failingSince != nil {
            endpoint.failingSince = nil
            health = .recovered
        } else if !isAccepted, endpoint.failingSince == nil {
            endpoint.failingSince = wallClock
            health = .failing(since: wallClock)
        }
        endpoints[id] = endpoint
        beReady(id)
        return health
    }

    /// When to ask for the next attempt again, if none ends before; nil when nothing waits for a place.
    mutating func nextRelease(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        asksAgain = ready.isEmpty && held.isEmpty ? nil : admission.nextRelease(at: now)
        return asksAgain
    }

    /// Those of some endpoints that are known to be well.
    func well(
        among ids: Set<WebhookID>, at now: ContinuousClock.Instant
    ) -> Set<WebhookID> { ids.filter { admission.isWell($0, at: now) } }

    /// How an endpoint fares since its last attempt; nil for one that is not there.
    func health(of id: WebhookID) -> WebhookHealth? {
        endpoints[id].map { endpoint in
            endpoint.failingSince.map { WebhookHealth.failing(since: $0) } ?? .recovered
        }
    }

    /// Since when every attempt of an endpoint failed, and since when this plan sees it.
    func failing(_ id: WebhookID) -> (since: Timestamp, seenSince: ContinuousClock.Instant?)? {
        guard let endpoint = endpoints[id], let since = endpoint.failingSince else { return nil }
        return (since, endpoint.seenFailingSince)
    }

    /// Notes that the results of attempts are stored, or that attempts were given up.
    ///
    /// The queue of one that is pending still is read again when it is due.
    mutating func settle(_ deliveries: [Delivery]) {
        for delivery in deliveries {
            let id = WebhookID(delivery.outbox.value)
            guard endpoints[id]?.underWay.remove(delivery.position) != nil else {
                readAnew(id, without: delivery.position)
                continue
            }
            unsettled -= 1
            if endpoints[id]?.isBeingRead == true {
                endpoints[id]?.settledMeanwhile.insert(delivery.position)
            } else if delivery.state == .pending {
                // What its queue would say is known: the same delivery, due later.
                later[id] = min(later[id] ?? delivery.due, delivery.due)
                nextDue = min(nextDue ?? delivery.due, delivery.due)
                continue
            }
            guard delivery.state != .pending else {
                endpoints[id]?.mayHaveMore = true
                unread.insert(id)
                continue
            }
            if endpoints[id]?.end(delivery) == true { unread.insert(id) } else { beReady(id) }
        }
    }

    /// Reads the queue of an endpoint anew, one attempt of which began before it was disabled and enabled again.
    ///
    /// It may have read the same delivery since, and waits for the place of that attempt.
    private mutating func readAnew(_ id: WebhookID, without position: Position) {
        guard endpoints[id] != nil else { return }
        endpoints[id]?.waiting.removeAll { $0.position == position }
        if endpoints[id]?.isBeingRead == true { endpoints[id]?.settledMeanwhile.insert(position) }
        endpoints[id]?.mayHaveMore = true
        unread.insert(id)
        beReady(id)
    }

    private mutating func askAgain(_ most: Int) {
        ready += held.prefix(most)
        held.removeFirst(min(most, held.count))
    }

    private mutating func beReady(_ id: WebhookID) {
        guard let endpoint = endpoints[id], !endpoint.isReady, !endpoint.waiting.isEmpty else {
            return
        }
        endpoints[id]?.isReady = true
        ready.append(id)
    }
}

/// Endpoints whose queues are to be read, each once, in the order in which they came.
private struct UnreadQueues {
    private(set) var inOrder: [WebhookID] = []
    private var known: Set<WebhookID> = []

    mutating func insert(_ id: WebhookID) {
        if known.insert(id).inserted { inOrder.append(id) }
    }

    mutating func remove(_ ids: Set<WebhookID>) {
        guard !ids.isEmpty else { return }
        known.subtract(ids)
        inOrder.removeAll { ids.contains($0) }
    }
}

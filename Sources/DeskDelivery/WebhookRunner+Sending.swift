import DeskBroker
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import Synchronization

/// What an attempt came to, before it is stored.
struct WebhookResult: Sendable {
    let delivery: Delivery
    let webhook: Webhook
    let health: WebhookHealth?
    let disabled: Webhook.DisabledReason?
}

/// Wakes the sender at a moment.
///
/// One serves many waits: a task and a timer for each of them would cost as much as what is sent
/// meanwhile.
private struct SenderAlarm {
    let moment: ContinuousClock.Instant
    private let task: Task<Void, Never>

    init(at moment: ContinuousClock.Instant, on signal: WakeSignal, _ time: TimeSource) {
        self.moment = moment
        task = Task {
            let wait = time.instant().duration(to: moment)
            // Safe: sleeping fails only when cancelled, and then nothing is to be woken.
            guard (try? await time.sleep(wait)) != nil else { return }
            signal.notify()
        }
    }

    func cancel() { task.cancel() }
}

extension WebhookRunner {
    /// Results stored in one commit.
    static let settledAtOnce = 256
    /// From how many attempts on that run results are gathered, since more come soon, and how long.
    static let gatheredFrom = 8
    static let gathering = Duration.milliseconds(3)

    /// Attempts what is due, as many at once as are admitted, until the task is cancelled.
    func send() async {
        await withDiscardingTaskGroup { group in
            // Behind how many changes of endpoints the plan is.
            var planned: Int?
            var alarm: SenderAlarm?
            var unreadable: Set<WebhookID> = []
            defer { counts.unreadable.set(0) }
            while !Task.isCancelled {
                guard
                    let enabled = await steadily({ () async throws(StoreError) in
                        try await webhooks.counted()
                    })
                else { break }
                let now = now
                let asked = plan.withLock { plan in
                    if planned != enabled.changes { plan.update(enabled.webhooks) }
                    return plan.queuesToRead(at: now, time.instant())
                }
                if planned != enabled.changes { report(enabled.webhooks, beside: &unreadable) }
                planned = enabled.changes
                if !asked.isEmpty {
                    guard
                        let found = await steadily({ () async throws(StoreError) in
                            try await broker.store.nextDeliveries(of: asked)
                        })
                    else { break }
                    plan.withLock { $0.add(found, asked: asked, at: now) }
                }
                while let start = plan.withLock({ $0.next(at: time.instant()) }) {
                    group.addTask { await self.attempt(start) }
                }
                guard asked.isEmpty else { continue }
                let instant = time.instant()
                if let moment = plan.withLock({ nextMoment(of: &$0, at: instant) }) {
                    guard moment > instant else { continue }
                    if alarm.map({ $0.moment <= instant || $0.moment > moment }) ?? true {
                        alarm?.cancel()
                        alarm = SenderAlarm(at: moment, on: wakeSignal, time)
                    }
                }
                await wakeSignal.wait()
            }
            alarm?.cancel()
            group.cancelAll()
        }
    }

    /// Says which endpoints cannot be posted to since nothing decrypts their secrets, each once.
    private func report(_ webhooks: [Webhook], beside known: inout Set<WebhookID>) {
        let unreadable = Set(webhooks.lazy.filter(\.isSecretUnreadable).map(\.id))
        for id in unreadable.subtracting(known) {
            log.error("webhook_secret_unreadable", ["webhook": .text(id.text)])
        }
        counts.unreadable.set(unreadable.count)
        known = unreadable
    }

    /// When something is to do even if nothing comes; nil when only what comes is.
    private func nextMoment(
        of plan: inout DeliveryPlan, at instant: ContinuousClock.Instant
    ) -> ContinuousClock.Instant? {
        let moments = [
            plan.nextDue.map { instant.advanced(by: $0.since(now)) },
            plan.nextRelease(at: instant),
        ]
        return moments.compactMap(\.self).min()
    }

    private func attempt(_ start: DeliveryPlan.Start) async {
        counts.running.add(1)
        defer { counts.running.add(-1) }
        let outcome = await outcome(of: start)
        let (health, hasWork) = plan.withLock { plan in
            let health = plan.end(
                start, isAccepted: outcome?.isAccepted ?? true, at: time.instant(),
                wallClock: time.now())
            return (health, plan.hasWork)
        }
        // A failure while the server shuts down may be the shutdown's doing.
        if let outcome, outcome.isAccepted || !Task.isCancelled {
            counts.record(outcome)
            let isCurrent = outcome.isAccepted ? nil : await self.isCurrent(start.webhook)
            let result = result(of: start, outcome, health, isCurrent: isCurrent)
            results.withLock { $0.append(result) }
            resultSignal.notify()
        } else {
            plan.withLock { $0.settle([start.delivery]) }
            wakeSignal.notify()
        }
        // Where nothing waits for its place, the sender goes on when its result is stored.
        if hasWork { wakeSignal.notify() }
    }

    /// Posts an event; nil when it was cut short.
    private func outcome(of start: DeliveryPlan.Start) async -> WebhookOutcome? {
        let (webhook, delivery) = (start.webhook, start.delivery)
        let found = await steadily { () async throws(StoreError) in
            try await texts.find(delivery.position, of: webhook.business)
        }
        guard let found else { return nil }
        guard let posted = found else {
            return WebhookOutcome(notMade: "the event is not in the log any more")
        }
        let body =
            switch webhook.payload {
            case .full: posted.full
            case .thin: posted.thin
            }
        return await poster.post(body, as: posted.id, to: webhook)
    }

    /// Whether an endpoint is as an attempt had it: at the same address, and not enabled again since; nil for one that was
    /// disabled or removed meanwhile.
    private func isCurrent(_ webhook: Webhook) async -> Bool? {
        let enabled = await steadily { () async throws(StoreError) in
            try await webhooks.enabled()
        }
        return enabled?.first { $0.id == webhook.id }
            .map { $0.url == webhook.url && $0.beginning == webhook.beginning }
    }

    /// Whether an endpoint failed for so long that it is disabled.
    ///
    /// Both clocks must say so: the wall clock may be set forward by days while two attempts follow each other.
    /// Across a new start there is the wall clock alone, so that this process must have seen failures for a while.
    private func hasFailedTooLong(_ id: WebhookID) -> Bool {
        guard let (since, seen) = plan.withLock({ $0.failing(id) }), let seenSince = seen else {
            return false
        }
        return min(time.now(), now).since(since) >= .seconds(Webhook.failingSeconds)
            && seenSince.duration(to: time.instant()) >= .seconds(Webhook.seenFailingSeconds)
    }

    /// - Parameter isCurrent: whether the attempt says something of the endpoint as it is.
    private func result(
        of start: DeliveryPlan.Start, _ outcome: WebhookOutcome, _ health: WebhookHealth?,
        isCurrent: Bool?
    ) -> WebhookResult {
        var delivery = start.delivery
        delivery.attempts += 1
        delivery.last = outcome.attempt(at: now)
        var disabled: Webhook.DisabledReason?
        if outcome.isAccepted {
            delivery.state = .delivered
        } else if outcome.isGone, isCurrent != false {
            delivery.state = .dead
            disabled = isCurrent == true ? .gone : nil
        } else {
            let wait = random.withLock { random in
                schedule.wait(
                    after: delivery.attempts, asked: outcome.retryAfter, using: &random)
            }
            if let wait {
                delivery.due = now.advanced(by: wait)
            } else {
                delivery.state = .dead
            }
            if isCurrent == true, hasFailedTooLong(start.webhook.id) { disabled = .failing }
        }
        return WebhookResult(
            delivery: delivery, webhook: start.webhook, health: health, disabled: disabled)
    }

    // MARK: Results

    /// Stores results, many in one commit, until the task is cancelled or the lease is another's.
    func settleAll(under lease: Lease) async {
        while !Task.isCancelled {
            await resultSignal.wait()
            while !Task.isCancelled {
                let batch = takeResults()
                guard !batch.isEmpty else { break }
                let begin = ContinuousClock.now
                guard
                    await steadily({ () async throws(StoreError) in
                        try await settle(batch, under: lease)
                    }) != nil
                else { break }
                finish(batch)
                for result in batch { await disable(result) }
                await gather(since: begin)
            }
            if Task.isCancelled { break }
        }
        // What was accepted while the server ended need not be posted again.
        while true {
            let batch = takeResults()
            guard !batch.isEmpty else { return }
            do throws(StoreError) {
                try await settle(batch, under: lease)
            } catch {
                // Safe: what is not stored is posted again, by the next holder of the lease.
                return
            }
        }
    }

    /// Lets results gather until some time after the last ones were stored, while many attempts run.
    ///
    /// A commit costs much more than a result in it. Alone, one is stored at once.
    private func gather(since begin: ContinuousClock.Instant) async {
        guard plan.withLock({ $0.runningCount }) >= Self.gatheredFrom else { return }
        let left = begin.advanced(by: Self.gathering) - ContinuousClock.now
        guard left > .zero else { return }
        // Safe: sleeping fails only when cancelled, and then what there is is stored.
        try? await Task.sleep(for: left)
    }

    private func takeResults() -> [WebhookResult] {
        results.withLock { results in
            let batch = Array(results.prefix(Self.settledAtOnce))
            results.removeFirst(batch.count)
            return batch
        }
    }

    private func settle(_ batch: [WebhookResult], under lease: Lease) async throws(StoreError) {
        // As it is now: results of attempts that ended at the same time may come in another order than they ended.
        let health = plan.withLock { plan in
            var found: [WebhookID: WebhookHealth] = [:]
            for result in batch where result.health != nil {
                found[result.webhook.id] = plan.health(of: result.webhook.id)
            }
            return found
        }
        try await broker.store.settle(batch.map(\.delivery), health, under: lease)
    }

    private func finish(_ batch: [WebhookResult]) {
        plan.withLock { $0.settle(batch.map(\.delivery)) }
        wakeSignal.notify()
        for result in batch where result.delivery.state == .dead {
            counts.dead.add()
            log.warning(
                "webhook_dead",
                [
                    "webhook": .text(result.webhook.id.text),
                    "position": .number(Int(result.delivery.position.value)),
                    "attempts": .number(result.delivery.attempts),
                    "status": .number(result.delivery.last?.status ?? 0),
                ])
        }
    }

    /// Disables an endpoint that answered 410 or failed too long, and sounds the alarm.
    private func disable(_ result: WebhookResult) async {
        guard let reason = result.disabled else { return }
        let webhook = result.webhook
        let data = JSONWriter.object { text in
            text.member("webhook", webhook.id.text)
            text.member("url", webhook.origin)
            text.member("reason", reason.rawValue)
        }
        let step = DisableWebhook(
            webhook, as: Webhook.Disabled(reason, at: time.now()), event: data)
        let outcome = await steadily { () async throws(StoreError) in
            try await broker.store.append(step)
        }
        guard case .success(true)? = outcome else { return }
        counts.record(reason)
        log.error(
            "webhook_disabled",
            ["webhook": .text(webhook.id.text), "reason": .text(reason.rawValue)])
    }
}

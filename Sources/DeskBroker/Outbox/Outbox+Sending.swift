import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import Synchronization

extension Outbox {
    /// Attempts what is due, a few conversations at once, until cancelled, the store is closed or the
    /// lease is another's.
    ///
    /// What is under way is claimed in the store by the lease's term: the rows say it, not this process.
    func send(under lease: Lease) async {
        await withTaskGroup { group in
            while !Task.isCancelled {
                let busy = underWay.load(ordering: .relaxed)
                let found = await steadily { store throws(StoreError) in
                    try await store.nextDeliveries(
                        of: self.id, limit: busy + self.settings.attemptsAtOnce + 1)
                }
                guard let found else { break }
                let idle = found.filter { $0.claim != lease.term }
                let free = max(0, settings.attemptsAtOnce - busy)
                let now = now
                let due = idle.prefix(free).filter { $0.due <= now }
                guard let claimed = await claim(due, under: lease) else { break }
                for delivery in claimed {
                    underWay.add(1, ordering: .relaxed)
                    group.addTask {
                        await self.attempt(delivery, under: lease)
                        self.underWay.subtract(1, ordering: .relaxed)
                        self.wakeSignal.notify()
                    }
                }
                // What changed since it was read is read again.
                guard claimed.count == due.count else { continue }
                let later = free > 0 ? idle.first { $0.due > now }?.due : nil
                await rest(until: later)
            }
            group.cancelAll()
        }
    }

    /// Claims deliveries and returns those that may be sent; nil when nothing more may.
    private func claim(_ due: [Delivery], under lease: Lease) async -> [Delivery]? {
        guard !due.isEmpty else { return [] }
        let claimed = await steadily { store throws(StoreError) in
            try await store.claim(due.map(\.position), of: self.id, under: lease)
        }
        return claimed.map { claimed in due.filter { claimed.contains($0.position) } }
    }

    /// Waits for the wake signal, or until a moment when one is given.
    private func rest(until moment: Timestamp?) async {
        guard let moment else { return await wakeSignal.wait() }
        let wait = moment.since(now)
        guard wait > .zero else { return }
        await withTaskGroup { group in
            group.addTask { await self.wakeSignal.wait() }
            // Safe: sleeping fails only when cancelled, and then no task waits for it.
            group.addTask { try? await self.time.sleep(wait) }
            await group.next()
            group.cancelAll()
        }
    }

    private func attempt(_ delivery: Delivery, under lease: Lease) async {
        guard let event = await find(delivery.position) else { return }
        var tried = delivery
        tried.attempts += 1
        let result: DeliveryResult
        if let event {
            let answer = await slots.with { await target.deliver(event, delivery) }
            guard let answer, !isCutShort(answer) else { return }
            result = answer
            broker.deliveries.record(result)
        } else {
            result = .refused(status: nil, detail: "the event is not in the log any more")
        }
        apply(result, to: &tried)
        let ended = tried
        let stored = await steadily { store throws(StoreError) in
            try await store.settle(ended, under: lease)
        }
        guard case let state?? = stored else { return }
        var settled = ended
        settled.state = state
        if settled.state != .pending { count(waiting: -1) }
        if settled.state == .dead { broker.deliveries.dead.add() }
        guard let event else { return }
        await report(settled, of: event)
    }

    private func find(_ position: Position) async -> Event?? {
        await steadily { store throws(StoreError) -> Event? in
            // The row of a delivery may be damaged: no event is there.
            guard position > .start else { return nil }
            let page = try await store.events(
                after: Position(position.value - 1), in: .everything, limit: 1)
            return page.events.first { $0.id.position == position }
        }
    }

    /// A failure while the server shuts down may be the shutdown's doing.
    private func isCutShort(_ result: DeliveryResult) -> Bool {
        switch result {
        case .accepted, .refused: false
        case .failed: Task.isCancelled
        }
    }

    private func apply(_ result: DeliveryResult, to delivery: inout Delivery) {
        let ended = now
        switch result {
        case .accepted(let status, let detail):
            delivery.state = .delivered
            delivery.last = DeliveryAttempt(time: ended, status: status, detail: detail)
        case .refused(let status, let detail):
            delivery.state = .dead
            delivery.last = DeliveryAttempt(time: ended, status: status, detail: detail)
        case .failed(let status, let detail, let asked):
            delivery.last = DeliveryAttempt(time: ended, status: status, detail: detail)
            if let due = due(after: delivery.attempts, asked: asked) {
                delivery.due = due
            } else {
                delivery.state = .dead
            }
        }
    }

    /// Puts a failure into the log of events, and a dead delivery into the alarms.
    private func report(_ delivery: Delivery, of event: Event) async {
        let type: EventType
        switch delivery.state {
        case .delivered: return
        case .pending: type = .deliveryFailed
        case .dead:
            type = .deliveryDead
            log.error(
                "delivery_dead",
                [
                    "position": .number(Int(delivery.position.value)),
                    "attempts": .number(delivery.attempts),
                    "status": .number(delivery.last?.status ?? 0),
                ])
        }
        let data = JSONWriter.object { text in
            text.member("outbox", id.text)
            text.member("event", event.id.text)
            text.member("attempts", delivery.attempts)
            text.member("status") { text in
                if let status = delivery.last?.status { text.number(status) } else { text.null() }
            }
        }
        let step = AppendEvent(
            type, of: event.business, in: event.conversation?.id, data: data, at: time.now())
        _ = await steadily { store throws(StoreError) in try await store.append(step) }
    }
}

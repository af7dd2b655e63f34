import DeskModel
import DeskStore
import Synchronization

extension Tail {
    /// Time between two attempts to read a gap when the log cannot be read.
    private static let pause = Duration.milliseconds(100)

    /// Reads from the log what its feed left out, until the task is cancelled; one task calls it.
    ///
    /// Where one process writes the feed leaves nothing out, and this only waits.
    func run(reading log: any EventLog) async {
        await withDiscardingTaskGroup { group in
            if let interval = log.feedInterval {
                group.addTask { await self.compare(with: log, every: interval) }
            }
            for await _ in gaps { await fill(from: log) }
            group.cancelAll()
        }
    }

    /// Waits until a position is published, which may have to be read first.
    func reach(_ position: Position, within limit: Duration) async {
        note(position)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: position) }
            group.addTask {
                // Safe: it is cancelled when the position was published first.
                try? await Task.sleep(for: limit)
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func compare(with log: any EventLog, every interval: Duration) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: interval) } catch { return }
            note(log.newest)
        }
    }

    private func note(_ position: Position) {
        let isMissing = state.withLock { state in
            state.note(position)
            return state.missing != nil
        }
        if isMissing { gap.yield() }
    }

    private func fill(from log: any EventLog) async {
        while !Task.isCancelled, let cursor = state.withLock({ $0.missing }) {
            guard cursor >= log.oldest else {
                let woken = state.withLock { $0.skip(to: log.oldest) }
                for one in woken { one.notify() }
                continue
            }
            do throws(StoreError) {
                let page = try await log.events(
                    after: cursor, in: .everything, limit: limits.replayPage)
                let events = page.events.map { SharedEvent($0) }
                let woken = state.withLock { $0.fill(events, upTo: page.end) }
                for one in woken { one.notify() }
                if page.end > cursor { continue }
            } catch {
                if error.code == .closed { return }
            }
            do { try await Task.sleep(for: Self.pause) } catch { return }
        }
    }

    private func wait(for position: Position) async {
        let id = state.withLock { $0.waiters.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isPublished = state.withLock { state in
                    guard position > state.newest else { return true }
                    state.waiters.add(waiter, as: id, until: position)
                    return false
                }
                guard !isPublished else { return waiter.resume() }
                // The handler may have run before the waiter was added.
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) { state.withLock { $0.waiters.remove(id) }?.resume() }
}

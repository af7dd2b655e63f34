import DeskModel
import DeskStore

/// Follows what other processes write: reads it when it is hinted at, and looks every half a second.
final class PostgresTail: Sendable {
    /// How often it is looked without a hint: one may be lost.
    static let interval: Duration = .milliseconds(500)
    private static let pageSize = 300

    /// What the database has after a position.
    struct Page: Sendable {
        /// From the position on, whose own event is the first where it is there.
        let events: [Event]
        /// The oldest position that a cursor may have.
        let oldest: Position
        let history: LogHistory
    }

    private let feed: PostgresFeed
    private let health: PostgresHealth
    private let hints: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation

    init(_ feed: PostgresFeed, _ health: PostgresHealth) {
        self.feed = feed
        self.health = health
        (hints, hint) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let hint = hint
        feed.onLag { hint.yield() }
    }

    /// Says that there may be something to read.
    func look() { hint.yield() }

    /// Follows until the task is cancelled.
    ///
    /// - Parameters:
    ///   - read: a page of the log from a position on, as much as the database has.
    ///   - ended: called when the log is another one than before; nothing is followed then.
    func run(
        reading read: @escaping @Sendable (PostgresFeed.Last, Int) async throws(StoreError) -> Page,
        ended: @escaping @Sendable (LogHistory) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: Self.interval) } catch { return }
                    self.look()
                }
            }
            for await _ in hints {
                let history = await catchUp(read)
                guard case .same = history else {
                    await ended(history)
                    break
                }
            }
            group.cancelAll()
        }
    }

    private func catchUp(
        _ read: @Sendable (PostgresFeed.Last, Int) async throws(StoreError) -> Page
    ) async -> LogHistory {
        while !Task.isCancelled {
            do throws(StoreError) {
                let last = feed.last
                let page = try await read(last, Self.pageSize)
                guard case .same = page.history else { return page.history }
                health.noteAnswer()
                feed.forget(upTo: page.oldest)
                if let first = page.events.first, first.id.position == last.position {
                    if let mark = EventMark(first) { feed.remember(mark) }
                }
                feed.publish(page.events, isRead: true)
                guard page.events.count == Self.pageSize else { return .same }
            } catch {
                // The next look tries again.
                return .same
            }
        }
        return .same
    }
}

import DeskModel
import DeskStore

/// Follows what other processes write: reads it when it is hinted at, and looks every half a second.
final class PostgresTail: Sendable {
    /// How often it is looked without a hint: one may be lost.
    static let interval: Duration = .milliseconds(500)
    private static let pageSize = 300

    /// What the database has after a position.
    struct Page: Sendable {
        let events: [Event]
        /// The oldest position that a cursor may have.
        let oldest: Position
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
    /// - Parameter read: a page of the log after a position, as much as the database has.
    func run(
        reading read: @escaping @Sendable (Position, Int) async throws(StoreError) -> Page
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: Self.interval) } catch { return }
                    self.look()
                }
            }
            for await _ in hints { await catchUp(read) }
            group.cancelAll()
        }
    }

    private func catchUp(
        _ read: @Sendable (Position, Int) async throws(StoreError) -> Page
    ) async {
        while !Task.isCancelled {
            do throws(StoreError) {
                let page = try await read(feed.newest, Self.pageSize)
                health.noteAnswer()
                feed.forget(upTo: page.oldest)
                feed.publish(page.events, isRead: true)
                guard page.events.count == Self.pageSize else { return }
            } catch {
                // The next look tries again.
                return
            }
        }
    }
}

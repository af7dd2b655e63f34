import DeskModel
import DeskStore
import Synchronization

/// Follows what other processes write: reads it when it is hinted at, and looks every half a second.
final class PostgresTail: Sendable {
    /// How often it is looked without a hint: one may be lost.
    static let interval: Duration = .milliseconds(500)
    private static let pageSize = 300

    /// What the database has after a position.
    struct Page: Sendable {
        /// From the position on, whose own event is the first where it is there.
        let events: [Event]
        /// Nil when only another look can say that the log is the same: a quick one knows by the first event alone.
        let history: LogHistory?
        /// The oldest position that a cursor may have; nil when it was not looked at.
        var oldest: Position?
        /// Whether a commit has been waiting for a standby for too long; nil when it was not looked at.
        var isStandbyAwaited: Bool?
        /// Whether the server only reads, as a standby does; nil when it was not looked at.
        var isReadOnly: Bool?
    }

    /// How a page is read.
    enum Look: Sendable {
        /// The events alone, by one statement: there is a notice of some.
        case quick
        /// With whether the log, its tables and what is kept of it are the same, and where it is asked for whether
        /// commits wait for a standby.
        case whole(looksAtStandby: Bool)
    }

    private let feed: PostgresFeed
    private let health: PostgresHealth
    /// Who writes for this process.
    private let writer: Int64
    private let isWholeDue = Atomic(true)
    private let hints: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation

    init(_ feed: PostgresFeed, _ health: PostgresHealth, besideWriter writer: Int64) {
        self.writer = writer
        self.feed = feed
        self.health = health
        (hints, hint) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let hint = hint
        feed.onLag { hint.yield() }
    }

    /// Says that there may be something to read, or that the log may be another one.
    func look() {
        isWholeDue.store(true, ordering: .relaxed)
        hint.yield()
    }

    /// Has what a notice announces read, unless it is of this process or was handed over already.
    ///
    /// Nil stands for those that may have been missed.
    func look(at notice: String?) {
        guard let hint = notice.flatMap({ LogHint($0) }) else { return look() }
        guard hint.writer != writer, hint.position > feed.newest else { return }
        self.hint.yield()
    }

    /// Follows until the task is cancelled.
    ///
    /// - Parameters:
    ///   - read: a page of the log from a position on, as much as the database has.
    ///   - ended: called when the log is another one than before, or not to be read; nothing is followed then.
    func run(
        reading read:
            @escaping @Sendable (PostgresFeed.Last, Int, Look) async throws(StoreError) -> Page,
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
        _ read: @Sendable (PostgresFeed.Last, Int, Look) async throws(StoreError) -> Page
    ) async -> LogHistory {
        while !Task.isCancelled {
            do throws(StoreError) {
                let last = feed.last
                let look: Look =
                    last.mark == nil || isWholeDue.exchange(false, ordering: .relaxed)
                    ? .whole(looksAtStandby: health.shouldLookAtStandby()) : .quick
                let page = try await read(last, Self.pageSize, look)
                guard let history = page.history else {
                    isWholeDue.store(true, ordering: .relaxed)
                    continue
                }
                guard case .same = history else { return history }
                health.noteAnswer()
                if let isAwaited = page.isStandbyAwaited {
                    health.noteStandby(isAwaited: isAwaited)
                }
                if let isReadOnly = page.isReadOnly { health.noteReadOnly(isReadOnly) }
                if let oldest = page.oldest { feed.forget(upTo: oldest) }
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

/// What a commit notifies other processes of the log of.
struct LogHint: Equatable {
    /// The newest event.
    let position: Position
    /// Who wrote it.
    let writer: Int64

    init(position: Position, writer: Int64) {
        self.position = position
        self.writer = writer
    }

    /// Reads a notice; nil for one of a program that says no more than that there is something.
    init?(_ notice: String) {
        let words = notice.split(separator: " ")
        guard words.count == 2, let position = Int64(words[0]), position >= 0,
            let writer = Int64(words[1])
        else {
            return nil
        }
        self.init(position: Position(position), writer: writer)
    }

    /// The notice.
    var text: String { "\(position.value) \(writer)" }
}

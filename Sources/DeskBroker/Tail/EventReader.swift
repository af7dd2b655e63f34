public import DeskModel
public import DeskStore
import Synchronization

/// One reader's way through the log: replay from its cursor, then live, without gaps or repeats.
///
/// Thread: one task reads it at a time.
public final class EventReader: Sendable {
    private enum Phase {
        case replaying(after: Position, page: ArraySlice<SharedEvent>)
        case live(Int)
        case ended
    }

    private let tail: Tail
    private let log: any EventLog
    private let scope: EventScope
    private let wake: (@Sendable () -> Void)?
    private let phase: Mutex<Phase>

    init(
        tail: Tail, log: any EventLog, scope: EventScope, after cursor: EventID?,
        wake: (@Sendable () -> Void)? = nil
    ) {
        self.tail = tail
        self.log = log
        self.scope = scope
        self.wake = wake
        guard let cursor else {
            phase = Mutex(.live(tail.joinNow(in: scope, isReset: false)))
            return
        }
        // A cursor ahead of this process may come from another one: `readOn` finds out.
        if cursor.epoch == tail.epoch, cursor.position >= log.oldest {
            phase = Mutex(.replaying(after: cursor.position, page: []))
        } else {
            phase = Mutex(.live(tail.joinNow(in: scope, isReset: true)))
        }
    }

    deinit { leave() }

    /// Waits for the next item; nil when the stream has ended or the task was cancelled.
    ///
    /// Order: events by position, each once. Cancel: ends the stream.
    /// - Throws: what the log throws while it is replayed; the stream has ended then.
    public func next() async throws(StoreError) -> StreamItem? {
        while !Task.isCancelled {
            switch try await look() {
            case .item(let item): return item
            case .ended: return nil
            case .nothingYet(let reader): await tail.wait(reader)
            }
        }
        leave()
        return nil
    }

    /// The next item if one is there, without waiting for what has not happened yet.
    ///
    /// After `nothingYet` the reader's `wake` is called once when there is more.
    /// - Throws: what the log throws while it is replayed; the stream has ended then.
    public func nextAtHand() async throws(StoreError) -> AtHand {
        switch try await look() {
        case .item(let item): return .item(item)
        case .ended: return .ended
        case .nothingYet: return .nothingYet
        }
    }

    /// What `nextAtHand` found.
    public enum AtHand: Sendable {
        /// An item.
        case item(StreamItem)
        /// The reader has caught up.
        case nothingYet
        /// The stream has ended.
        case ended
    }

    private enum Look {
        case item(StreamItem)
        case nothingYet(Int)
        case ended
    }

    private func look() async throws(StoreError) -> Look {
        while true {
            switch phase.withLock({ $0 }) {
            case .ended: return .ended
            case .live(let reader):
                switch tail.take(reader, armedWith: wake) {
                case .item(.cutOff):
                    phase.withLock { $0 = .ended }
                    return .item(.cutOff)
                case .item(let item): return .item(item)
                case .empty: return .nothingYet(reader)
                case .left:
                    phase.withLock { $0 = .ended }
                    return .ended
                }
            case .replaying(let cursor, var page):
                if let shared = page.popFirst() {
                    phase.withLock { $0 = .replaying(after: cursor, page: page) }
                    return .item(.event(shared))
                }
                try await readOn(after: cursor)
            }
        }
    }

    /// Ends the stream and frees its queue; a waiting `next()` returns nil.
    public func leave() {
        let previous = phase.withLock { phase in
            defer { phase = .ended }
            return phase
        }
        if case .live(let reader) = previous { tail.leave(reader) }
    }

    private func readOn(after cursor: Position) async throws(StoreError) {
        let following: Phase
        switch tail.join(after: cursor, in: scope) {
        case .live(let reader): following = .live(reader)
        case .recent(let events, let end): following = .replaying(after: end, page: events[...])
        case .future:
            let limit = Duration.seconds(tail.limits.catchUpSeconds)
            let isReached: Bool
            do throws(StoreError) {
                isReached = try await log.reach(cursor, within: limit)
            } catch {
                // Not known is no reset: the reader comes again with its cursor.
                leave()
                throw error
            }
            if isReached {
                await tail.reach(cursor, within: limit)
                following = .replaying(after: cursor, page: [])
            } else {
                following = .live(tail.joinNow(in: scope, isReset: true))
            }
        case .tooOld where cursor < log.oldest:
            // Retention deleted events before the reader had read them.
            following = .live(tail.joinNow(in: scope, isReset: true))
        case .tooOld:
            do throws(StoreError) {
                let page = try await log.events(
                    after: cursor, in: scope, limit: tail.limits.replayPage)
                following = .replaying(
                    after: page.end, page: page.events.map { SharedEvent($0) }[...])
            } catch {
                leave()
                throw error
            }
        }
        let isEnded = phase.withLock { phase in
            if case .ended = phase { return true }
            phase = following
            return false
        }
        if isEnded, case .live(let reader) = following { tail.leave(reader) }
    }
}

extension Broker {
    /// Follows the log from a cursor, or with nil from now on.
    ///
    /// `wake` is called when there is more for an idle reader; see `nextAtHand`.
    ///
    /// Limit: 256 items or 1 MiB may wait; a reader with more is cut off.
    public func events(
        after cursor: EventID?, in scope: EventScope, wake: (@Sendable () -> Void)? = nil
    ) -> EventReader {
        EventReader(tail: tail, log: log, scope: scope, after: cursor, wake: wake)
    }
}

import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// Serves one event stream (`text/event-stream`).
final class EventStream: SteppedStream {
    /// Events passed over after which the reader is given a newer id to resume from.
    private static let passedOverAtMost = 300

    /// Milliseconds after which a reader comes back, drawn at random so that not all come at once.
    static let retry = 2_000...5_000

    /// What changes from turn to turn; turns come one at a time.
    private struct State {
        var reader: EventReader?
        var clock: StreamClock
        var beat: ContinuousClock.Instant
        /// The newest event that the filter passed over since the last id, and how many it were.
        var passedOver: (id: EventID, count: Int)?
    }

    private let services: Services
    private let feed: Feed
    private let cursor: EventID?
    private let lease: StreamLease
    private let retry = Int.random(in: EventStream.retry)
    private let state: Mutex<State>

    /// Puts a stream together; its clock runs from now on.
    init(
        services: Services, feed: Feed, watch: PrincipalWatch, cursor: EventID?, lease: StreamLease
    ) {
        self.services = services
        self.feed = feed
        self.cursor = cursor
        self.lease = lease
        state = Mutex(
            State(
                clock: StreamClock(services: services, watch: watch, look: lease.look),
                beat: services.time.instant()))
    }

    /// Writes until the reader leaves or falls behind, or the stream's life has ended.
    func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
        let rest: StepResult
        switch cause {
        case .opened:
            let reader = services.broker.events(after: cursor, in: feed.scope) { line.wake() }
            state.withLock { $0.reader = reader }
            lease.look.wakes { line.wake() }
            rest = await deliver(reader, on: line, after: Array("retry: \(retry)\n\n".utf8))
        case .due, .message:
            guard let reader = state.withLock({ $0.reader }) else { return .over(code: 1000) }
            rest = await deliver(reader, on: line, after: [])
        case .ending: rest = .over(code: 1000)
        }
        guard case .over = rest else { return rest }
        leave()
        // Safe: the reader may be gone already; the hint is for one that is not.
        try? await line.send(Array("retry: \(retry)\n\n".utf8))
        return rest
    }

    /// Lets the reader and the lease go, which hold the line to us.
    private func leave() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.leave()
        lease.leave()
    }

    private func deliver(
        _ reader: EventReader, on line: any StreamLine, after first: [UInt8]
    ) async -> StepResult {
        do {
            if !first.isEmpty { try await line.send(first) }
            while true {
                var clock = state.withLock { $0.clock }
                let end = await clock.judge()
                state.withLock { $0.clock = clock }
                guard end == nil else { return .over(code: 1000) }
                if isBeatDue() { try await line.send(takeID() ?? Array(": \n\n".utf8)) }
                switch try await reader.nextAtHand() {
                case .item(.cutOff), .ended: return .over(code: 1000)
                case .item(let item):
                    if let block = try await block(of: item) { try await line.send(block) }
                case .nothingYet: return .upTo(min(clock.rest, untilBeat))
                }
            }
        } catch {
            // The reader is gone or the log cannot be read: it comes back with its last id.
            return .over(code: 1000)
        }
    }

    private var untilBeat: Duration {
        let passed = state.withLock { $0.beat }.duration(to: services.time.instant())
        return max(.milliseconds(1), .seconds(services.limits.heartbeatSeconds) - passed)
    }

    /// Whether a comment is due, which keeps proxies from closing the stream as idle.
    private func isBeatDue() -> Bool {
        let now = services.time.instant()
        return state.withLock { state in
            guard state.beat.duration(to: now) >= .seconds(services.limits.heartbeatSeconds) else {
                return false
            }
            state.beat = now
            return true
        }
    }

    /// The text for a reader; nil for what is not for it.
    private func block(of item: StreamItem) async throws -> [UInt8]? {
        switch item {
        case .event(let shared):
            guard feed.includes(shared.event) else { return passOver(shared.event.id) }
            state.withLock { $0.passedOver = nil }
            try await services.authorNames.load(shared.event)
            let text = shared.text(for: feed.audience, made: feed.text)
            return Self.block(shared.event.type.rawValue, id: shared.event.id, text)
        case .signal(let signal):
            guard feed.includes(signal) else { return nil }
            try await services.authorNames.load([signal.who])
            let text = EventText.signal(signal, for: feed.audience, services.authorNames)
            return Self.block("ephemeral", id: nil, text)
        case .live(let head):
            return Self.block("live", id: head, EventText.mark("live", head: head))
        case .reset(let head):
            return Self.block("reset", id: head, EventText.mark("reset", head: head))
        case .cutOff: return nil
        }
    }

    /// Notes that an event was not for the reader; now and then what says so, so that one who resumes
    /// does not have all of them looked through again.
    private func passOver(_ id: EventID) -> [UInt8]? {
        let count = state.withLock { state in
            let count = (state.passedOver?.count ?? 0) + 1
            state.passedOver = (id, count)
            return count
        }
        return count < Self.passedOverAtMost ? nil : takeID()
    }

    /// A block of nothing but an id, which clients remember and report nothing of; nil where the reader
    /// has the newest one.
    private func takeID() -> [UInt8]? {
        let passed = state.withLock { state in
            defer { state.passedOver = nil }
            return state.passedOver
        }
        return passed.map { Array("id: \($0.id.text)\n\n".utf8) }
    }

    /// One event's lines.
    ///
    /// A payload may hold line ends between its values, which an event stream's line cannot. They
    /// become spaces here; strings have none, and `sha256` names the exact bytes, which the message's
    /// own route gives.
    static func block(_ type: String, id: EventID?, _ data: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(data.count + 96)
        if let id { block.append(contentsOf: "id: \(id.text)\n".utf8) }
        block.append(contentsOf: "event: \(type)\ndata: ".utf8)
        block.append(contentsOf: data.lazy.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        block.append(0x0A)
        block.append(0x0A)
        return block
    }
}

import DeskBroker
import DeskEventJSON
public import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb
import Synchronization

/// Serves one page's WebSocket: events from a cursor on, signals both ways.
public final class LiveSocket: SteppedStream {
    /// Passes a signal of the reader's on; false when it speaks of what the reader may not see.
    public typealias Hear = @Sendable (ClientFrame) async -> Bool

    /// What changes from turn to turn; turns come one at a time.
    private struct State {
        var reader: EventReader?
        var clock: StreamClock
        var frames: RateLimiter<Int>
    }

    private let services: Services
    private let feed: Feed
    private let lease: StreamLease
    private let hear: Hear
    private let gone: @Sendable () -> Void
    private let begin: ContinuousClock.Instant
    private let state: Mutex<State>

    /// Puts a socket together; `context` must have a principal.
    ///
    /// `gone` is called when the socket ends, as soon as that is known.
    /// - Throws: `rate_limited` when the reader has too many streams.
    public init(
        context: RequestContext, feed: Feed, gone: @escaping @Sendable () -> Void = {},
        hear: @escaping Hear
    ) throws(Problem) {
        self.gone = gone
        services = context.services
        self.feed = feed
        lease = try context.services.streams.acquire(
            try context.requirePrincipal(), context.request.peer)
        self.hear = hear
        begin = context.services.time.instant()
        let limits = context.services.limits
        let rate = Rate(
            perSecond: Double(limits.socketFramesPerSecond),
            burst: Double(limits.socketFramesBurst))
        state = Mutex(
            State(
                clock: StreamClock(
                    services: context.services, watch: context.watch, look: lease.look),
                frames: RateLimiter(rate)))
    }

    /// The answer that turns the connection into this socket.
    public func response() -> Response {
        Response(status: .switchingProtocols, body: .socketSteps(self))
    }

    /// Reads and writes until the page leaves or falls behind, or the stream's life has ended.
    public func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
        let rest = await answer(cause, on: line)
        guard case .over(let code) = rest else { return rest }
        leave()
        services.log.debug("socket_closed", ["code": .number(Int(code))])
        return rest
    }

    /// Lets the reader go, which holds the line to us.
    private func leave() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.leave()
        lease.leave()
        gone()
    }

    private func answer(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
        switch cause {
        case .ending: return .over(code: 1000)
        case .message(.binary): return .over(code: 1003)
        case .message(.text(let text)):
            if let code = await judge() { return .over(code: code) }
            if let code = await listen(text, on: line) { return .over(code: code) }
        case .opened: lease.look.wakes { line.wake() }
        case .due: break
        }
        guard let reader = state.withLock({ $0.reader }) else {
            let passed = begin.duration(to: services.time.instant())
            let left = .seconds(services.limits.firstFrameSeconds) - passed
            return left > .zero ? .upTo(left) : .over(code: 1008)
        }
        return await deliver(reader, on: line)
    }

    /// Handles a frame; the code when it ends the session.
    private func listen(_ text: String, on line: any StreamLine) async -> UInt16? {
        let now = services.time.instant()
        let (isOpen, isAllowed) = state.withLock {
            ($0.reader != nil, $0.frames.take(by: 0, at: now).isAllowed)
        }
        guard isAllowed else { return nil }
        guard let frame = ClientFrame(text) else { return 1008 }
        guard case .hello(let after) = frame else {
            guard isOpen else { return 1008 }
            return await hear(frame) ? nil : 1008
        }
        guard !isOpen else { return 1008 }
        let reader = services.broker.events(after: Feed.cursor(after), in: feed.scope) {
            line.wake()
        }
        state.withLock { $0.reader = reader }
        return nil
    }

    private func deliver(_ reader: EventReader, on line: any StreamLine) async -> StepResult {
        do {
            while true {
                if let code = await judge() { return .over(code: code) }
                switch try await reader.nextAtHand() {
                // 1013: try again later, from the last id.
                case .item(.cutOff): return .over(code: 1013)
                case .item(let item):
                    if let text = try await text(of: item) { try await line.send(text) }
                case .nothingYet: return .upTo(state.withLock { $0.clock }.rest)
                case .ended: return .over(code: 1000)
                }
            }
        } catch {
            return .over(code: 1011)
        }
    }

    /// The code when the stream's life has ended or its reader may read no more.
    private func judge() async -> UInt16? {
        var clock = state.withLock { $0.clock }
        let end = await clock.judge()
        state.withLock { $0.clock = clock }
        return switch end {
        case .life: 1000
        case .notAllowed: 1008
        case .paused: 1013
        case nil: nil
        }
    }

    /// The text for a page; nil for what is not for it.
    private func text(of item: StreamItem) async throws -> [UInt8]? {
        switch item {
        case .event(let shared):
            guard feed.includes(shared.event) else { return nil }
            try await services.authorNames.load(shared.event)
            return shared.text(for: feed.audience, made: feed.text)
        case .signal(let signal):
            guard feed.includes(signal) else { return nil }
            try await services.authorNames.load([signal.who])
            return EventText.signal(signal, for: feed.audience, services.authorNames)
        case .live(let head): return EventText.mark("live", head: head)
        case .reset(let head): return EventText.mark("reset", head: head)
        case .cutOff: return nil
        }
    }
}

import DeskCrypto
import DeskHTTP
import DeskLog
import Synchronization

/// What all connections of a server share.
final class Service: Sendable {
    private struct Drain {
        var holds = 0
        var whenFree: (@Sendable () -> Void)?
    }

    private struct State {
        var tls: TLSContext?
        var unauthenticatedByAddress: [ClientNetwork: Int] = [:]
    }

    let handler: any Handler
    let limits: ServerLimits
    let times: ServiceTimes
    let log: Log
    let counts: ServiceCounts
    let isDraining = Atomic(false)
    let isClosing = Atomic(false)
    let isAborting = Atomic(false)
    private let state: Mutex<State>
    private let drain = Mutex(Drain())

    init(
        handler: any Handler, limits: ServerLimits, tls: TLSContext?, log: Log, metrics: Metrics
    ) {
        self.handler = handler
        self.limits = limits
        self.log = log
        times = ServiceTimes(limits)
        counts = ServiceCounts(metrics)
        state = Mutex(State(tls: tls))
    }

    /// The certificate for new connections; nil for plain ones.
    var tls: TLSContext? { state.withLock { $0.tls } }

    func replaceCertificate(_ context: TLSContext) { state.withLock { $0.tls = context } }

    /// Begins a drain, which lasts until every hold of this call and of `hold` was released by `letGo`;
    /// false when one has begun already.
    func beginDrain(holds: Int, whenFree: @escaping @Sendable () -> Void) -> Bool {
        guard !isDraining.exchange(true, ordering: .relaxed) else { return false }
        drain.withLock { $0 = Drain(holds: holds, whenFree: whenFree) }
        return true
    }

    /// Keeps the drain from ending: work that ran when it began still runs.
    func hold() { drain.withLock { $0.holds += 1 } }

    /// Releases a hold; the last release ends the drain.
    func letGo() {
        let free: (@Sendable () -> Void)? = drain.withLock { drain in
            drain.holds -= 1
            guard drain.holds == 0 else { return nil }
            defer { drain.whenFree = nil }
            return drain.whenFree
        }
        free?()
    }

    /// Counts a new connection of an address; false when its network has too many.
    func admitUnauthenticated(_ address: String) -> Bool {
        let network = ClientNetwork(address)
        return state.withLock { state in
            let count = state.unauthenticatedByAddress[network, default: 0]
            guard count < limits.connectionsPerAddress else { return false }
            state.unauthenticatedByAddress[network] = count + 1
            return true
        }
    }

    /// Undoes what `admitUnauthenticated` counted.
    func dismissUnauthenticated(_ address: String) {
        let network = ClientNetwork(address)
        state.withLock { state in
            guard let count = state.unauthenticatedByAddress[network] else { return }
            state.unauthenticatedByAddress[network] = count > 1 ? count - 1 : nil
        }
    }
}

/// The deadlines of the limits in the loop's unit of time.
struct ServiceTimes: Sendable {
    let tlsHandshake, firstByte, headComplete, keepAliveIdle: Nanoseconds
    let bodyComplete, uploadWindow, uploadComplete: Nanoseconds
    let handler, writeStall, heartbeat, pong: Nanoseconds
    let linger, drainRequests, drainStreams, lastWord, drainLast, drainAll: Nanoseconds

    init(_ limits: ServerLimits) {
        tlsHandshake = Nanoseconds(limits.tlsHandshake)
        firstByte = Nanoseconds(limits.firstByte)
        headComplete = Nanoseconds(limits.headComplete)
        keepAliveIdle = Nanoseconds(limits.keepAliveIdle)
        bodyComplete = Nanoseconds(limits.bodyComplete)
        uploadWindow = Nanoseconds(limits.uploadWindow)
        uploadComplete = Nanoseconds(limits.uploadComplete)
        handler = Nanoseconds(limits.handlerTime)
        writeStall = Nanoseconds(limits.writeStall)
        linger = Nanoseconds(limits.linger)
        heartbeat = Nanoseconds(limits.heartbeat)
        pong = Nanoseconds(limits.pong)
        drainRequests = Nanoseconds(limits.drainRequests)
        drainStreams = Nanoseconds(limits.drainStreams)
        lastWord = Nanoseconds(limits.lastWord)
        drainLast = Nanoseconds(limits.drainLast)
        drainAll = Nanoseconds(limits.drainAll)
    }
}

/// The metrics of the server.
struct ServiceCounts: Sendable {
    let accepted, closedForLimit, requests, handlerTimeouts, stalls: Counter
    let loopLag, requestTime: Histogram
    /// By the first digit of the status, from 1 on.
    private let responses: [Counter]
    private let metrics: Metrics
    let open, streams: Gauge

    init(_ metrics: Metrics) {
        self.metrics = metrics
        accepted = metrics.counter(
            "frontdesk_connections_accepted_total", help: "Connections accepted.")
        closedForLimit = metrics.counter(
            "frontdesk_connections_refused_total",
            help: "Connections closed at once because their address has too many.")
        open = metrics.gauge("frontdesk_connections_open", help: "Connections open now.")
        streams = metrics.gauge(
            "frontdesk_streams_open", help: "Event streams and WebSockets open now.")
        requests = metrics.counter(
            "frontdesk_http_requests_total", help: "Requests given to a handler.")
        loopLag = metrics.histogram(
            "frontdesk_loop_lag_seconds",
            help: "Time that work waits for an event loop, measured once a second on each.",
            bounds: [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000],
            scale: 0.000001)
        requestTime = metrics.histogram(
            "frontdesk_http_request_seconds",
            help: "Time from a request's head to its handler's answer; streams are left out.",
            bounds: [1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000],
            scale: 0.000001)
        responses = ["1xx", "2xx", "3xx", "4xx", "5xx"].map {
            metrics.counter(
                "frontdesk_http_responses_total", help: "Answers begun, by class of status.",
                labels: ["class": $0])
        }
        handlerTimeouts = metrics.counter(
            "frontdesk_http_handler_timeouts_total",
            help: "Requests answered 503 because the handler exceeded its time.")
        stalls = metrics.counter(
            "frontdesk_http_stalled_total",
            help: "Connections closed because the peer read no byte for too long.")
    }

    /// Counts an answer whose head is written.
    func countResponse(_ status: Status) { responses[status.code / 100 - 1].add() }

    /// Counts a request that was refused before any handler saw it; `code` is one of the server's problem codes.
    func countRefusal(_ code: String) {
        metrics.counter(
            "frontdesk_http_refused_total",
            help: "Requests refused before any handler saw them, by reason.",
            labels: ["reason": code]
        ).add()
    }
}

public import DeskHTTP
public import DeskLog

/// Names requests, and notes and counts how they were answered: the API's and the gateway's alike.
public struct RequestNotes: Sendable {
    private let numbers = RequestNumbers()
    private let refusals: RefusalCounts
    private let log: Log

    /// Begins anywhere in the numbers of requests.
    public init(log: Log, metrics: Metrics) {
        self.log = log
        refusals = RefusalCounts(metrics)
    }

    /// Gives a request its name.
    public func begin(_ request: Request) -> RequestTrace {
        RequestTrace(number: numbers.take(), parent: TraceParent(request.headers))
    }

    /// Counts a refusal by its code and leaves a line.
    ///
    /// A line for each request helps to find a fault; one for each failure is always written.
    /// - Parameters:
    ///   - isMeant: whether the failure was ordered, by a fault dial.
    ///   - sender: who sent the request, by a name that is no secret; asked for by a line alone.
    ///   - span: the duration of the answer; asked for by a line alone.
    public func end(
        _ trace: RequestTrace, operation: String, _ status: Status, _ problem: ProblemCode?,
        isMeant: Bool = false, by sender: @autoclosure () -> String?,
        lasting span: @autoclosure () -> Duration
    ) {
        if let problem { count(problem) }
        // A full disk has an alarm of its own, and refuses more than a log should hold.
        let hasFailed = status.code >= 500 && problem != .storageFull && !isMeant
        let level: LogLevel = hasFailed ? .warning : .debug
        guard log.writes(level) else { return }
        let log = trace.log(log)
        let values: KeyValuePairs<String, LogValue> = [
            "operation": .text(operation), "status": .number(status.code),
            "code": .text(problem?.rawValue ?? ""), "by": .text(sender() ?? ""),
            "ms": .number(Int(span() / .milliseconds(1))),
        ]
        if hasFailed {
            log.warning("request_failed", values)
        } else {
            log.debug("request", values)
        }
    }

    /// Whether every request has a line.
    package var writesEach: Bool { log.writes(.debug) }

    /// Counts a refusal that is no request's own: a message's of a batch, or the router's.
    package func count(_ problem: ProblemCode) { refusals.count(problem) }
}

extension RequestTrace {
    /// A log whose lines name the request, and its trace if it has one.
    package func log(_ log: Log) -> Log {
        let named = log.with("request", .text(id))
        return parent.map { named.with("trace", .text($0.trace)) } ?? named
    }
}

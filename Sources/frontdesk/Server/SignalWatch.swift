import Glibc

/// Turns the process's signals into values; the main thread waits for them, so no handler ever runs.
struct SignalWatch: Sendable {
    /// What the process was asked.
    enum Request: Sendable, Equatable {
        case end
        case reloadCertificate
    }

    /// The requests in order.
    let requests: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation

    /// Blocks the signals in every thread that is made from now on.
    ///
    /// Thread: the main one, before there is any other.
    init() {
        (requests, continuation) = AsyncStream.makeStream(
            of: Request.self, bufferingPolicy: .bufferingOldest(8))
        var set = Self.watched()
        let code = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        precondition(code == 0, "pthread_sigmask answered \(code)")
    }

    /// Waits for signals until the process ends.
    ///
    /// Thread: the main one.
    func run() -> Never {
        var set = Self.watched()
        while true {
            var signal: Int32 = 0
            guard unsafe sigwait(&set, &signal) == 0 else { continue }
            continuation.yield(signal == SIGHUP ? .reloadCertificate : .end)
        }
    }

    private static func watched() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, signal) }
        return set
    }
}

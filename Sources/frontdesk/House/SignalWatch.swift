import DeskStore
import Glibc

/// Turns the process's signals into values; a thread waits for them, so no handler ever runs.
struct SignalWatch: Sendable {
    /// What the process was asked.
    enum Request: Sendable, Equatable {
        case end
        case reloadCertificate
    }

    /// The requests in order.
    let requests: AsyncStream<Request>

    /// Starts watching; call it before any other thread is made, so that all of them leave the
    /// signals to this one.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Request.self, bufferingPolicy: .bufferingOldest(8))
        requests = stream
        Self.change(SIG_BLOCK)
        WorkerThread.start {
            var set = Self.watched()
            while true {
                var signal: Int32 = 0
                guard unsafe sigwait(&set, &signal) == 0 else { continue }
                continuation.yield(signal == SIGHUP ? .reloadCertificate : .end)
            }
        }
    }

    private static func watched() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, signal) }
        return set
    }

    private static func change(_ how: Int32) {
        var set = watched()
        let code = unsafe pthread_sigmask(how, &set, nil)
        precondition(code == 0, "pthread_sigmask answered \(code)")
    }
}

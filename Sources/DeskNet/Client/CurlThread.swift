import CCurl
import DeskHTTP
import Glibc

/// Runs all exchanges of a client on one thread, by libcurl's multi interface.
///
/// Thread: made, run and freed on its own.
@safe final class CurlThread {
    /// What a thread is started with.
    final class Start: Sendable {
        let loop: CurlLoop
        let reach: OutgoingReach
        let authorityFile: String?
        let clock: @Sendable () -> UInt64

        init(
            loop: CurlLoop, reach: OutgoingReach, authorityFile: String?,
            clock: @escaping @Sendable () -> UInt64
        ) {
            self.loop = loop
            self.reach = reach
            self.authorityFile = authorityFile
            self.clock = clock
        }
    }

    /// Connections that are kept open for the next request, oldest closed first.
    private static let mostKept = 64
    /// Longest sleep, in milliseconds; orders, sockets and deadlines end it before.
    private static let longestSleep: UInt64 = 60_000

    private static let isReady = frontdesk_curl_start() == CURLE_OK

    private let start: Start
    private let multi: UnsafeMutableRawPointer?
    private var byTransfer: [ObjectIdentifier: CurlExchange] = [:]
    /// By the handle's address.
    private var byHandle: [UInt: CurlExchange] = [:]

    init(_ start: Start) {
        self.start = start
        // A peer that goes away must not end the process.
        signal(SIGPIPE, SIG_IGN)
        unsafe multi = CurlThread.isReady ? curl_multi_init() : nil
        if let multi = unsafe multi {
            unsafe frontdesk_multi_set_long(multi, CURLMOPT_MAXCONNECTS, CurlThread.mostKept)
        }
        unsafe start.loop.use(multi)
    }

    deinit { if let multi = unsafe multi { unsafe curl_multi_cleanup(multi) } }

    /// Runs until the loop is stopped.
    func run() {
        guard let multi = unsafe multi else {
            start.loop.stop()
            end()
            return
        }
        while true {
            let (orders, isStopping) = start.loop.takeOrders()
            for order in orders {
                switch order {
                case .start(let transfer): unsafe begin(transfer, multi)
                case .look(let transfer): byTransfer[ObjectIdentifier(transfer)]?.look()
                }
            }
            if isStopping { break }
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
            var code = CURLE_OK
            while let handle = unsafe frontdesk_multi_next_done(multi, &code) {
                byHandle[UInt(bitPattern: handle)]?.finish(code)
            }
            let sleep = unsafe dropWhatIsOver(multi)
            unsafe curl_multi_poll(multi, nil, 0, sleep, nil)
        }
        end()
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: start.clock()) }

    private func begin(_ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer) {
        // Cancelled before it began.
        guard !transfer.isOver else { return start.loop.noteEnd() }
        do throws(OutgoingError) {
            let exchange = try CurlExchange(
                transfer, reach: start.reach, authorityFile: start.authorityFile, now: now)
            guard unsafe curl_multi_add_handle(multi, exchange.handle) == CURLM_OK else {
                throw OutgoingError(.connection, "libcurl takes no more transfers")
            }
            byTransfer[ObjectIdentifier(transfer)] = exchange
            unsafe byHandle[UInt(bitPattern: exchange.handle)] = exchange
        } catch {
            transfer.end(.failure(error))
            start.loop.noteEnd()
        }
    }

    /// Ends what is overdue, lets go of what is over, and says how long nothing has to be done.
    private func dropWhatIsOver(_ multi: UnsafeMutableRawPointer) -> Int32 {
        let now = now
        var sleep = CurlThread.longestSleep
        for exchange in byTransfer.values {
            if exchange.isOverdue(now) {
                let seconds = exchange.transfer.request.timeout
                exchange.transfer.end(
                    .failure(OutgoingError(.timeout, "no answer, or too slow a one, in \(seconds)"))
                )
            }
            if exchange.transfer.isOver {
                unsafe drop(exchange, multi)
            } else {
                sleep = min(sleep, exchange.deadline.since(now).count / 1_000_000 + 1)
            }
        }
        return Int32(clamping: sleep)
    }

    private func drop(_ exchange: CurlExchange, _ multi: UnsafeMutableRawPointer) {
        unsafe curl_multi_remove_handle(multi, exchange.handle)
        byTransfer[ObjectIdentifier(exchange.transfer)] = nil
        unsafe byHandle[UInt(bitPattern: exchange.handle)] = nil
        start.loop.noteEnd()
    }

    private func end() {
        unsafe start.loop.use(nil)
        let error = OutgoingError(.cancelled, "the client has ended")
        for case .start(let transfer) in start.loop.takeOrders().orders {
            transfer.end(.failure(error))
        }
        for exchange in byTransfer.values {
            exchange.transfer.end(.failure(error))
            if let multi = unsafe multi { unsafe drop(exchange, multi) }
        }
    }
}

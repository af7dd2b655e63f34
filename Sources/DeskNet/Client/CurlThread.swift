import CCurl
import DeskHTTP
import Glibc

/// Runs all exchanges of a client on one thread, by libcurl's multi interface.
///
/// What libcurl waits for, epoll watches: a turn costs what came, and not what waits.
///
/// Thread: made, run and freed on its own.
@safe final class CurlThread {
    /// The configuration of a client.
    struct Settings: Sendable {
        let reach: OutgoingReach
        var authorityFile: String?
        /// The library's name, as the system's loader looks for it.
        var library = FRONTDESK_CURL_LIBRARY
        let clock: @Sendable () -> UInt64
        /// The addresses of names for the next transfer, each as `name:port:address,address`; names that are not
        /// here are looked up.
        var addresses: @Sendable () -> [String] = { [] }
    }

    /// The arguments of a thread.
    final class Start: Sendable {
        let loop: CurlLoop
        let settings: Settings

        init(loop: CurlLoop, settings: Settings) {
            self.loop = loop
            self.settings = settings
        }
    }

    /// Connections that are kept open for the next request beside those in use, oldest closed
    /// first.
    private static let mostKept = 64
    /// Longest sleep, in milliseconds; orders, sockets and deadlines end it before.
    private static let longestSleep: UInt64 = 60_000

    private let start: Start
    private let multi: UnsafeMutableRawPointer
    private var byTransfer: [ObjectIdentifier: CurlExchange] = [:]
    /// By the handle's address.
    private var byHandle: [UInt: CurlExchange] = [:]
    /// Before which no transfer is overdue.
    private var nextDeadline = MonotonicTime.never

    /// Loads the library when this is the first thread that needs it.
    ///
    /// - Throws: `connection` with what is missing.
    init(_ start: Start) throws(OutgoingError) {
        try CurlThread.load(start.settings.library)
        guard let multi = unsafe frontdesk_multi_make() else {
            throw OutgoingError(.connection, "libcurl has no memory")
        }
        self.start = start
        unsafe self.multi = unsafe multi
        // A peer that disconnects must not end the process.
        signal(SIGPIPE, SIG_IGN)
        boundConnections()
        unsafe start.loop.use(multi)
    }

    deinit { unsafe frontdesk_multi_free(multi) }

    /// Loads the library, once in a process.
    ///
    /// - Throws: `connection` with what is missing.
    static func load(_ library: String) throws(OutgoingError) {
        var fault = [CChar](repeating: 0, count: 512)
        guard unsafe frontdesk_curl_load(library, &fault, fault.count) != 0 else { return }
        let said = fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw OutgoingError(
            .connection,
            "nothing can be sent: \(String(decoding: said, as: UTF8.self)); "
                + "Debian's package libcurl4 has libcurl.so.4: apt-get install libcurl4")
    }

    /// Runs until the loop is stopped.
    func run() {
        var sleep: Int32 = 0
        while true {
            let (orders, isStopping) = start.loop.takeOrders()
            for order in orders {
                switch order {
                case .start(let transfer): begin(transfer)
                case .look(let transfer): look(at: transfer)
                }
            }
            if isStopping { break }
            // What was ordered may have a deadline before the others'.
            let wait = orders.isEmpty ? sleep : 0
            unsafe frontdesk_multi_run(multi, wait)
            var code = CURLE_OK
            while let handle = unsafe frontdesk_multi_next_done(multi, &code) {
                guard let exchange = byHandle[UInt(bitPattern: handle)] else { continue }
                // Before its caller can begin the next one.
                drop(exchange)
                exchange.finish(code)
            }
            sleep = dropOverdue()
        }
        end()
    }

    /// Lets a transfer go on that its caller changed, or drops it when it was cancelled.
    private func look(at transfer: CurlTransfer) {
        guard let exchange = byTransfer[ObjectIdentifier(transfer)] else { return }
        exchange.look()
        if transfer.isOver { drop(exchange) }
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: start.settings.clock()) }

    private func begin(_ transfer: CurlTransfer) {
        // Cancelled before it began.
        guard !transfer.isOver else { return start.loop.noteEnd() }
        do throws(OutgoingError) {
            let exchange = try CurlExchange(transfer, start.settings, now: now)
            guard unsafe frontdesk_multi_add(multi, exchange.handle) == CURLM_OK else {
                throw OutgoingError(.connection, "libcurl accepts no more transfers")
            }
            byTransfer[ObjectIdentifier(transfer)] = exchange
            unsafe byHandle[UInt(bitPattern: exchange.handle)] = exchange
            nextDeadline = min(nextDeadline, exchange.deadline)
            boundConnections()
        } catch {
            transfer.end(.failure(error))
            start.loop.noteEnd()
        }
    }

    /// Ends overdue transfers, and returns how long the thread may sleep.
    ///
    /// Deadlines are only put off, so that none is looked at before the earliest that was seen.
    private func dropOverdue() -> Int32 {
        let now = now
        if now >= nextDeadline {
            nextDeadline = .never
            for exchange in byTransfer.values {
                if exchange.isOverdue(now) {
                    let seconds = exchange.transfer.request.timeout
                    drop(exchange)
                    exchange.transfer.end(
                        .failure(
                            OutgoingError(.timeout, "no answer, or too slow a one, in \(seconds)"))
                    )
                } else {
                    nextDeadline = min(nextDeadline, exchange.deadline)
                }
            }
        }
        guard nextDeadline < .never else { return Int32(CurlThread.longestSleep) }
        let left = nextDeadline.since(now).count / 1_000_000 + 1
        return Int32(clamping: min(CurlThread.longestSleep, left))
    }

    private func drop(_ exchange: CurlExchange) {
        unsafe frontdesk_multi_remove(multi, exchange.handle)
        byTransfer[ObjectIdentifier(exchange.transfer)] = nil
        unsafe byHandle[UInt(bitPattern: exchange.handle)] = nil
        boundConnections()
        start.loop.noteEnd()
    }

    /// Has libcurl keep connections beside those in use, which its own bound counts too.
    ///
    /// Otherwise, while more than that hang, it would close every connection whose answer came.
    private func boundConnections() {
        unsafe frontdesk_multi_set_long(
            multi, CURLMOPT_MAXCONNECTS, CurlThread.mostKept + byTransfer.count)
    }

    private func end() {
        let error = OutgoingError(.cancelled, "the client has ended")
        start.loop.end(because: error)
        for exchange in byTransfer.values {
            exchange.transfer.end(.failure(error))
            drop(exchange)
        }
    }
}

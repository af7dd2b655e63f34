import CLinux
public import DeskCrypto
public import DeskHTTP
public import DeskLog
import Glibc
import Synchronization

/// Listens, and serves every connection on an event loop.
///
/// `start` binds, so that the port is known; `run` serves until it is cancelled or a drain has ended.
public final class Server: Sendable {
    /// How a server is set up.
    public struct Configuration: Sendable {
        /// Where to listen.
        public var listen: [ListenAddress]
        /// Every limit and deadline.
        public var limits = ServerLimits()
        /// Event loops; each is a thread.
        public var loops = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// The certificate; nil serves plain HTTP.
        public var tls: TLSContext?
        /// A monotonic clock in nanoseconds for the deadlines; nil for the machine's own.
        package var clock: (@Sendable () -> UInt64)?

        /// Makes a configuration with the server's limits.
        public init(listen: [ListenAddress], tls: TLSContext? = nil) {
            self.listen = listen
            self.tls = tls
        }
    }

    private struct State {
        var listeners: [Int32] = []
        var ports: [Int] = []
        var loops: [EventLoop] = []
    }

    private let configuration: Configuration
    private let service: Service
    private let state = Mutex(State())

    /// Makes a server that is not listening yet.
    public init(
        _ configuration: Configuration, handler: any Handler, log: Log = .silent,
        metrics: Metrics = Metrics()
    ) {
        self.configuration = configuration
        service = Service(
            handler: handler, limits: configuration.limits, tls: configuration.tls, log: log,
            metrics: metrics)
    }

    /// Binds every address; connections wait in the kernel until `run`.
    ///
    /// - Throws: when an address is not numeric, in use or not this machine's; nothing is bound then.
    public func start() throws(NetError) {
        // A peer that disconnects while a file is sent must not end the process.
        signal(SIGPIPE, SIG_IGN)
        Server.raiseDescriptorLimit()
        var opened: [Int32] = []
        for address in configuration.listen {
            let backlog = Int32(clamping: configuration.limits.acceptBacklog)
            let descriptor = unsafe frontdesk_listen(address.host, address.port, backlog)
            guard descriptor >= 0 else {
                for descriptor in opened { Glibc.close(descriptor) }
                throw NetError("listen", -descriptor)
            }
            opened.append(descriptor)
        }
        let ports = opened.map { Int(frontdesk_bound_port($0)) }
        state.withLock {
            $0.listeners = opened
            $0.ports = ports
        }
    }

    /// The bound ports, in the order of the addresses; empty before `start`.
    public var ports: [Int] { state.withLock { $0.ports } }

    /// The first bound port; 0 before `start`.
    public var port: Int { ports.first ?? 0 }

    /// Serves until a drain has ended or the task is cancelled; then closes everything.
    ///
    /// Cancel: closes every connection at once; `drain` ends them gracefully.
    /// - Throws: when no event loop can be made.
    public func run() async throws(NetError) {
        var loops: [EventLoop] = []
        let clock = configuration.clock ?? { MonotonicTime.now().nanoseconds }
        for _ in 0..<configuration.loops { loops.append(try EventLoop(clock: clock)) }
        for (index, loop) in loops.enumerated() {
            do throws(NetError) { try loop.start() } catch {
                for started in loops[..<index] { started.stop() }
                throw error
            }
        }
        let listeners = state.withLock { state in
            state.loops = loops
            defer { state.listeners = [] }
            return state.listeners
        }
        let all = loops
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for loop in all {
                    group.addTask(executorPreference: loop) {
                        await loop.streamRunner.run(on: loop)
                    }
                }
                await withDiscardingTaskGroup { acceptors in
                    for listener in listeners {
                        acceptors.addTask(executorPreference: all[0]) {
                            await Acceptor(adopting: listener, service: self.service, loops: all)
                                .run()
                        }
                    }
                }
                for loop in all { loop.perform { loop.streamRunner.close() } }
            }
        } onCancel: {
            abort()
        }
        state.withLock { $0.loops = [] }
        for loop in loops { loop.stop() }
    }

    /// Begins a graceful end: running requests may finish, and requests that arrive meanwhile are served.
    ///
    /// When all work that ran has ended, the listener closes and later requests get a last deadline.
    ///
    /// The handler refuses new streams from now on: they would only be ended again.
    /// Returns at once; `run` returns when all connections have ended. A second call does nothing.
    public func drain() {
        let loops = state.withLock { $0.loops }
        // One for each loop that has not looked at its connections yet, and one for this call.
        guard service.beginDrain(holds: loops.count + 1, whenFree: { [self] in close() }) else {
            return
        }
        service.log.info("server_draining")
        for loop in loops {
            loop.perform { [service] in
                for channel in loop.channels.all { channel.owner?.drain() }
                service.letGo()
            }
        }
        service.letGo()
    }

    private func close() {
        service.isClosing.store(true, ordering: .relaxed)
        service.log.info("server_closing")
        onEveryChannel { $0.close() }
    }

    /// Whether `drain` was called; readiness is false then.
    public var isDraining: Bool { service.isDraining.load(ordering: .relaxed) }

    /// Uses another certificate for new connections; open connections keep theirs.
    public func reload(certificate: TLSContext) { service.replaceCertificate(certificate) }

    /// Measures on each event loop how long queued work waits; call it periodically.
    public func measureLag() {
        let lag = service.counts.loopLag
        for loop in state.withLock({ $0.loops }) {
            let asked = ContinuousClock.now
            loop.perform { lag.record(Int(asked.duration(to: .now) / .microseconds(1))) }
        }
    }

    private func abort() {
        service.isAborting.store(true, ordering: .relaxed)
        onEveryChannel { $0.abort() }
    }

    private func onEveryChannel(_ act: @escaping @Sendable (any ChannelOwner) -> Void) {
        let loops = state.withLock { $0.loops }
        for loop in loops {
            loop.perform {
                for channel in loop.channels.all {
                    if let owner = channel.owner { act(owner) }
                }
            }
        }
    }

    /// Descriptors that this process may have open, after raising the limit as far as allowed.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 0
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Has this process open as many descriptors as it is allowed to.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return
        }
        limit.rlim_cur = limit.rlim_max
        // When the system refuses, the old limit holds, and accepting waits when descriptors run out.
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

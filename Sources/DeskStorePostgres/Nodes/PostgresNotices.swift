import CPostgres
public import DeskStore
import Synchronization

/// A node's connection for notices, with its thread.
///
/// Parts of the node attach to it: signals, counters, credentials, and what wants to be woken. A
/// connection that is lost is made again, with growing pauses, and every part is notified of that, since
/// what was notified meanwhile is lost. Other installations and other schemas in the database hear nothing.
public final class PostgresNotices: Sendable {
    /// How the database is reached, and who is notified of the connection.
    public struct Options: Sendable {
        /// Where it is: a connection string or URI of libpq's.
        public var address: String
        /// The library's name, as the system's loader looks for it.
        public var library = FRONTDESK_PQ_LIBRARY
        /// Called with what happens to the connection; it is quick and waits for nothing.
        public var report: @Sendable (Occurrence) -> Void = { _ in }

        /// An address, and defaults for the rest.
        public init(address: String) { self.address = address }
    }

    /// What happens to the connection.
    public enum Occurrence: Sendable {
        /// It was made, for the first time or anew.
        case connected
        /// It could not be made, or was lost; it is tried again.
        case disconnected(StoreError)
        /// A notice was longer than a payload, and was dropped.
        case dropped(topic: String)
    }

    private static let shortestPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    private struct State {
        var parts: [any NoticePart] = []
        var isClosed = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Names the node among all that share the database; new with each start.
    public let node: Int64
    let options: Options
    private let state = Mutex(State())
    private let wakeUp: Int32

    /// Starts the thread, which connects; it ends by `close`.
    public init(_ options: Options) {
        self.options = options
        var random = SystemRandomNumberGenerator()
        node = Int64.random(in: 1...Int64.max, using: &random)
        wakeUp = frontdesk_pq_make_wake()
        precondition(wakeUp >= 0, "there is no eventfd left")
        WorkerThread.start { [self] in serveUntilClosed() }
    }

    deinit { frontdesk_pq_close_wake(wakeUp) }

    /// Calls a listener with what is notified on a channel, and with nil when it may have missed some.
    package func listen(
        to channel: NoticeChannel, _ listener: @escaping @Sendable (String?) -> Void
    ) {
        attach(NoticeListener(channel: channel, listener: listener))
    }

    /// Adds a part for as long as the node lives.
    func attach(_ part: any NoticePart) {
        state.withLock { $0.parts.append(part) }
        wake()
    }

    /// Has the thread look at once at what is due.
    func wake() { frontdesk_pq_wake(wakeUp) }

    /// Lets every part leave and ends the connection; returns when the thread has ended.
    ///
    /// Limit: the time of one connection attempt and one statement.
    public func close() async {
        state.withLock { $0.isClosed = true }
        wake()
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiters.append(waiter) }
                return state.hasEnded
            }
            if isOver { waiter.resume() }
        }
    }

    // MARK: The thread

    private var isClosed: Bool { state.withLock(\.isClosed) }

    private func serveUntilClosed() {
        var pause = Self.shortestPause
        while !isClosed {
            do throws(StoreError) {
                let connection = try ListeningConnection(
                    address: options.address, library: options.library)
                try serve(connection) { pause = Self.shortestPause }
            } catch {
                options.report(.disconnected(error))
                rest(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
        let waiters = state.withLock { state in
            state.hasEnded = true
            state.parts = []
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Serves the parts over one connection until the node is closed or the connection is lost.
    private func serve(
        _ connection: ListeningConnection, connected: () -> Void
    ) throws(StoreError) {
        var served: [any NoticePart] = []
        var names: [String: NoticeChannel] = [:]
        var isNew = true
        while true {
            let parts = state.withLock(\.parts)
            for part in parts[served.count...] {
                for channel in part.channels where !names.values.contains(channel) {
                    names[try connection.listen(to: channel)] = channel
                }
                try part.begin(on: connection)
            }
            served = parts
            guard !isClosed else {
                for part in served { try part.end(on: connection) }
                return
            }
            for part in served {
                if let due = part.nextStep(), due <= .now { try part.step(on: connection) }
            }
            // After the first steps: where they cannot write, the next attempt comes later and later.
            if isNew {
                isNew = false
                connected()
                options.report(.connected)
            }
            // A statement reads notices too, for which the socket would not wake again.
            let heard = connection.notices()
            for notice in heard { deliver(notice.payload, on: names[notice.channel], to: served) }
            guard heard.isEmpty else { continue }
            let due = served.compactMap { $0.nextStep() }.min()
            let rest = due.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(60)
            guard connection.wait(atMost: max(.zero, rest), or: wakeUp) else {
                throw StoreError(.unavailable, "postgres connection lost")
            }
        }
    }

    private func deliver(
        _ payload: String, on channel: NoticeChannel?, to parts: [any NoticePart]
    ) {
        guard let channel else { return }
        for part in parts where part.channels.contains(channel) {
            part.receive(payload, on: channel)
        }
    }

    /// Waits between two attempts; closing ends it.
    private func rest(_ pause: Duration) {
        let end = ContinuousClock.now + pause
        while !isClosed {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return }
            let milliseconds = Int32(clamping: Int(rest / .milliseconds(1)) + 1)
            guard frontdesk_pq_wait(-1, wakeUp, milliseconds) != 0 else { return }
        }
    }
}

/// A part that only listens.
private struct NoticeListener: NoticePart {
    let channel: NoticeChannel
    let listener: @Sendable (String?) -> Void

    var channels: [NoticeChannel] { [channel] }
    func begin(on connection: ListeningConnection) { listener(nil) }
    func receive(_ payload: String, on channel: NoticeChannel) { listener(payload) }
    func nextStep() -> ContinuousClock.Instant? { nil }
    func step(on connection: ListeningConnection) {}
}

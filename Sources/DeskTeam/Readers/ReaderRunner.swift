public import DeskBroker
public import DeskLog
public import DeskModel
package import DeskStore
import Synchronization

/// Runs a reader of the log wherever this process holds its lease.
///
/// The log's feed wakes it. It gathers what comes within `rest`, so that many messages cost one commit,
/// and while it is behind it works half of the time and leaves the other half to requests.
public final class ReaderRunner: Sendable {
    /// Time between the first news and the batch with them.
    static let rest = Duration.milliseconds(250)
    /// Time after a failure.
    static let pause = Duration.seconds(5)
    /// Events of a batch.
    static let page = 300
    /// How long a cursor is waited for that another process may have stored.
    private static let reach = Duration.seconds(2)

    /// Longest time in seconds after which an idle reader looks whether it is to begin anew.
    public static let patienceSeconds = 10

    private let reader: any LogReader
    private let broker: Broker
    private let time: TimeSource
    private let log: Log
    private let mayWrite: @Sendable () -> Bool
    private let place: ReaderPlace

    /// Puts a runner together; nothing happens before `run()`.
    ///
    /// - Parameter mayWrite: whether there is room on the disk for what can wait.
    public init(
        _ reader: any LogReader, of broker: Broker, time: TimeSource = .system, log: Log = .silent,
        metrics: Metrics = Metrics(), mayWrite: @escaping @Sendable () -> Bool = { true }
    ) {
        self.reader = reader
        self.broker = broker
        self.time = time
        self.log = log.with("reader", .text(reader.name.text))
        self.mayWrite = mayWrite
        let place = ReaderPlace()
        self.place = place
        let store = broker.store
        metrics.showLag(of: reader.name) { place.lag(behind: store.newest) }
    }

    /// Reads whenever this process holds the reader's lease, until it is cancelled or the store is
    /// closed.
    ///
    /// Cancel: between two batches, or within one that is applied again then.
    public func run() async {
        let lease = "reader \(reader.name)"
        await LeaseHolder(of: broker.store, named: lease).run { lease in
            await self.follow(under: lease)
            self.place.set(nil)
        }
    }

    /// Applies everything up to the newest event and returns the cursor.
    ///
    /// - Parameter standsBack: whether it waits while messages come fast, as search does, so that requests
    ///   have the processor.
    /// - Throws: what the store or the reader throws, `superseded` when the lease is another's.
    package func readOn(
        under lease: Lease, standsBack: Bool = false
    ) async throws(StoreError) -> EventID {
        var cursor = try await begin(under: lease)
        var schedule = IndexSchedule(newest: broker.store.newest, at: time.instant())
        while !Task.isCancelled {
            let began = time.instant()
            let pace = schedule.next(
                newest: broker.store.newest, indexed: cursor.position, at: began)
            if standsBack, pace == .standBack {
                // Safe: sleeping fails only when cancelled, which the loop looks at.
                try? await time.sleep(IndexSchedule.window)
                continue
            }
            guard let next = try await step(from: cursor, under: lease) else { break }
            cursor = next
            guard broker.store.newest.value - cursor.position.value > Int64(Self.page) else {
                continue
            }
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(began.duration(to: time.instant()))
        }
        return cursor
    }

    private func follow(under lease: Lease) async {
        while !Task.isCancelled {
            do throws(StoreError) {
                if mayWrite() {
                    let cursor = try await readOn(under: lease, standsBack: true)
                    await waitForNews(after: cursor)
                    // Safe: sleeping fails only when cancelled, which the loop looks at.
                    try? await time.sleep(Self.rest)
                    continue
                }
            } catch {
                guard error.code != .closed, error.code != .superseded else { return }
                log.warning("reader_paused", ["error": .text(error.description)])
                place.fail(error.description, at: time.now())
            }
            // Safe: as above.
            try? await time.sleep(Self.pause)
        }
    }

    /// The reader's cursor; a new one where it has none that this log knows.
    private func begin(under lease: Lease) async throws(StoreError) -> EventID {
        let store = broker.store
        let known = try await store.findCursor(of: reader.name)
        if let known, known.epoch == store.epoch, known.position >= store.oldest,
            try await store.reach(known.position, within: Self.reach)
        {
            place.set(known.position)
            return known
        }
        let position =
            switch reader.beginning {
            case .oldest: store.oldest
            case .newest: store.newest
            }
        let cursor = EventID(epoch: store.epoch, position: position)
        try await store.advance(
            reader.name, from: known, to: cursor, storing: reader.beginningWrites, under: lease)
        log.info("reader_began", ["position": .number(Int(position.value))])
        place.set(position)
        return cursor
    }

    /// Applies one batch; nil when there is none.
    private func step(
        from cursor: EventID, under lease: Lease
    ) async throws(StoreError) -> EventID? {
        let store = broker.store
        let page = try await broker.page(
            after: cursor.position, in: .everything, limit: Self.page)
        guard page.end > cursor.position else { return nil }
        let wanted = page.events.filter { event in
            // A later program wrote it, and nothing here knows what it means.
            if case .other = event.type { return false }
            return reader.wants(event.type)
        }
        let writes = wanted.isEmpty ? .nothing : try await reader.apply(wanted)
        let next = EventID(epoch: cursor.epoch, position: page.end)
        try await store.advance(
            reader.name, from: cursor, to: next, storing: writes, under: lease)
        place.set(next.position)
        return next
    }

    /// Returns when there is an event behind the cursor, after `patienceSeconds`, or when the task is cancelled.
    private func waitForNews(after cursor: EventID) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.readNews(after: cursor) }
            // Safe: sleeping fails only when cancelled.
            group.addTask { try? await self.time.sleep(.seconds(Self.patienceSeconds)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func readNews(after cursor: EventID) async {
        let live = broker.events(after: cursor, in: .everything)
        defer { live.leave() }
        do throws(StoreError) {
            while let item = try await live.next() {
                switch item {
                case .signal, .live: continue
                case .event, .reset, .cutOff: return
                }
            }
        } catch {
            // What the store has to say is said again when the next batch is read.
        }
    }
}

extension ReaderRunner {
    /// Why a reader could not go on.
    public struct Failure: Sendable {
        /// Which reader.
        public let reader: ReaderName
        /// When.
        public let time: Timestamp
        /// What the store said.
        public let reason: String
    }

    /// Why this process could not go on last; nil where it always could.
    public var lastFailure: Failure? {
        place.lastFailure.map { Failure(reader: reader.name, time: $0.time, reason: $0.reason) }
    }
}

/// How far a reader has come in this process.
private final class ReaderPlace: Sendable {
    private let position = Mutex<Position?>(nil)
    private let failure = Mutex<(time: Timestamp, reason: String)?>(nil)

    func fail(_ reason: String, at time: Timestamp) { failure.withLock { $0 = (time, reason) } }

    var lastFailure: (time: Timestamp, reason: String)? { failure.withLock { $0 } }

    func set(_ next: Position?) { position.withLock { $0 = next } }

    func lag(behind newest: Position) -> Int64 {
        position.withLock { $0 }.map { max(0, newest.value - $0.value) } ?? 0
    }
}

public import DeskLog
public import DeskModel
public import DeskStore
import Synchronization

/// Accepts, stores and publishes: the one way into the log.
public final class Broker: Sendable {
    /// The store behind it; registries are read and written there directly.
    public let store: any Store
    /// What the wall clock says; given from outside.
    public let now: @Sendable () -> Timestamp

    let tail: Tail
    /// The log as readers follow it: the store's.
    let log: any EventLog
    let deliveries: DeliveryCounts
    let retries: RetryWakes
    let signals: SignalPublisher
    let receiver: SignalReceiver
    private let accepted: AcceptCounts
    private let random: Mutex<any RandomNumberGenerator & Sendable>

    /// Follows a store's log from its newest event on; one broker for a store.
    public convenience init(
        store: any Store, now: @escaping @Sendable () -> Timestamp,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        limits: StreamLimits = StreamLimits(), metrics: Metrics = Metrics(),
        signals: any SignalBus = LocalSignalBus()
    ) {
        self.init(
            store: store, log: store, now: now, random: random, limits: limits, metrics: metrics,
            signals: signals)
    }

    /// Follows a log that is not the store's own view of it, such as a test's.
    init(
        store: any Store, log: any EventLog, now: @escaping @Sendable () -> Timestamp,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        limits: StreamLimits = StreamLimits(), metrics: Metrics = Metrics(),
        signals bus: any SignalBus = LocalSignalBus()
    ) {
        self.store = store
        self.log = log
        self.now = now
        self.random = Mutex(random)
        let tail = Tail(epoch: log.epoch, newest: log.newest, limits: limits)
        self.tail = tail
        deliveries = DeliveryCounts(metrics)
        accepted = AcceptCounts(metrics)
        let retries = RetryWakes()
        self.retries = retries
        signals = SignalPublisher(bus)
        let receiver = SignalReceiver(tail, isRepeated: bus.repeatInterval != nil)
        self.receiver = receiver
        bus.subscribe { receiver.receive($0) }
        log.follow { tail.publish($0) }
        store.followRetries { retries.notify($0, requeued: $1) }
    }

    /// Reads from the log what its feed left out, and repeats presence where its bus may lose it,
    /// until the task is cancelled; one task calls it.
    public func run() async {
        await withDiscardingTaskGroup { group in
            if let interval = signals.bus.repeatInterval {
                group.addTask { await self.repeatPresence(every: interval) }
            }
            await tail.run(reading: log)
            group.cancelAll()
        }
    }

    private func repeatPresence(every interval: Duration) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: interval) } catch { return }
            signals.publishAgain()
            receiver.endRound()
        }
    }

    /// Counts a message that this process stored, and returns its answer.
    func count(_ acceptance: Acceptance) -> Acceptance {
        if !acceptance.isRepeat { count(acceptance.message.facts.direction) }
        return acceptance
    }

    /// Counts a message that this process stored.
    func count(_ direction: Direction) { accepted.record(direction) }

    /// The newest published event; a stream's `head`.
    public var head: EventID { tail.head }

    /// A fresh random id, from the generator the broker was given.
    public func makeID() -> UniqueID {
        random.withLock { UniqueID(using: &$0) }
    }

    /// A fresh id for a message of ours; it begins with the time, which the message shows anyway.
    public func makeMessageID() -> MessageID {
        let time = now().milliseconds
        return MessageID(random.withLock { UniqueID(milliseconds: time, using: &$0) })
    }

    /// Stores one group and returns its last step's answer.
    ///
    /// Durable: on return it survives a power cut.
    /// - Throws: `refused` when a step was refused; then nothing of the group was stored.
    func commit<Last: WriteStep>(
        _ last: Last, after first: [Write] = []
    ) async throws(BrokerError) -> Last.Answer {
        let result: Result<Last.Answer, Refusal>
        do {
            result = try await store.append(last, after: first)
        } catch {
            throw .store(error)
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let refusal): throw .refused(refusal)
        }
    }
}

/// How many messages this process accepted; those of other processes are theirs to count.
private struct AcceptCounts: Sendable {
    let inbound, outbound: Counter

    init(_ metrics: Metrics) {
        func counter(_ direction: Direction) -> Counter {
            metrics.counter(
                "frontdesk_messages_accepted_total", help: "Messages accepted and flushed.",
                labels: ["direction": direction.rawValue])
        }
        inbound = counter(.inbound)
        outbound = counter(.outbound)
    }

    func record(_ direction: Direction) {
        switch direction {
        case .inbound: inbound.add()
        case .outbound: outbound.add()
        }
    }
}

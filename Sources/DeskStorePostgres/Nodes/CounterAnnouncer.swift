import DeskModel
import Synchronization

/// Announces what a node counted, and counts what others announce.
final class CounterAnnouncer: Sendable {
    private static let interval = Duration.milliseconds(250)

    private let book: CounterBook
    private let gatherer: NoticeGatherer

    init(_ notices: PostgresNotices, time: TimeSource, repeats: Duration) {
        let book = CounterBook(time: time, life: repeats * 3)
        self.book = book
        gatherer = NoticeGatherer(
            notices, on: .counters, every: Self.interval, repeats: repeats,
            drain: { all in book.drain(all: all).map(\.text) },
            receive: { item, node in
                // What a newer program announces, this one does not count.
                guard let announcement = CounterAnnouncement(text: item) else { return }
                book.apply(announcement, of: String(node))
            })
    }

    func register(_ counter: any RateCounter, _ name: String) { book.register(counter, name) }

    func register(_ counter: any FailureCounter, _ name: String) { book.register(counter, name) }

    func register(_ counter: any ReservationCounter, _ name: String) {
        book.register(counter, name)
    }

    /// Announces what was counted, without waiting for more.
    func announce() { gatherer.gather(atOnce: true) }

    func announce(_ announcement: CounterAnnouncement) {
        book.add(announcement)
        gatherer.gather(atOnce: true)
    }

    func debit(_ tokens: Double, of subject: CounterSubject, _ name: String, burst: Double) {
        guard tokens != 0 else { return }
        let sum = book.debit(tokens, of: CounterKey(name: name, subject: subject))
        gatherer.gather(atOnce: sum >= burst / 10)
    }

    func reservationChanged(of key: CounterKey) {
        book.noteReservation(of: key)
        gatherer.gather()
    }

    func reservedElsewhere(for key: CounterKey) -> Int64 { book.reservedElsewhere(for: key) }
}

/// What a node has to announce of its counters, and what it knows of others'.
private final class CounterBook: Sendable {
    /// Most subjects whose announcements wait; what comes beyond them is not announced.
    private static let maximum = 50_000

    /// What another node reserves, and when it said so.
    private struct Reserved {
        let sum: Int64
        let heard: ContinuousClock.Instant
    }

    private struct State {
        var rates: [String: any RateCounter] = [:]
        var failures: [String: any FailureCounter] = [:]
        var debits: [CounterKey: Double] = [:]
        /// What has an order among itself.
        var ordered: [CounterAnnouncement] = []
        var sums: [String: any ReservationCounter] = [:]
        /// Whose sums on this node changed, and whose were more than nothing when they were announced.
        var changed: Set<CounterKey> = []
        var standing: Set<CounterKey> = []
        var elsewhere: [CounterKey: [String: Reserved]] = [:]
    }

    private let time: TimeSource
    /// How long another node's sum counts unless it is repeated.
    private let life: Duration
    private let state = Mutex(State())

    init(time: TimeSource, life: Duration) {
        self.time = time
        self.life = life
    }

    func register(_ counter: any RateCounter, _ name: String) {
        state.withLock { $0.rates[name] = counter }
    }

    func register(_ counter: any FailureCounter, _ name: String) {
        state.withLock { $0.failures[name] = counter }
    }

    func register(_ counter: any ReservationCounter, _ name: String) {
        state.withLock { $0.sums[name] = counter }
    }

    /// Adds a debit; returns what is not announced yet of the subject's.
    func debit(_ tokens: Double, of key: CounterKey) -> Double {
        state.withLock { state in
            guard state.debits[key] != nil || state.debits.count < Self.maximum else { return 0 }
            state.debits[key, default: 0] += tokens
            return state.debits[key] ?? 0
        }
    }

    func add(_ announcement: CounterAnnouncement) {
        state.withLock { state in
            if state.ordered.count < Self.maximum { state.ordered.append(announcement) }
        }
    }

    func noteReservation(of key: CounterKey) {
        state.withLock { _ = $0.changed.insert(key) }
    }

    func reservedElsewhere(for key: CounterKey) -> Int64 {
        let oldest = time.instant() - life
        return state.withLock { state in
            guard let nodes = state.elsewhere[key] else { return 0 }
            let current = nodes.filter { $0.value.heard > oldest }
            state.elsewhere[key] = current.isEmpty ? nil : current
            return current.values.reduce(0) { $0 + $1.sum }
        }
    }

    /// What is to be announced now; with `all` every sum that is reserved.
    func drain(all: Bool) -> [CounterAnnouncement] {
        let oldest = time.instant() - life
        return state.withLock { state in
            defer {
                state.debits = [:]
                state.ordered = []
                state.changed = []
            }
            if all {
                state.elsewhere = state.elsewhere.compactMapValues { nodes in
                    let current = nodes.filter { $0.value.heard > oldest }
                    return current.isEmpty ? nil : current
                }
            }
            // Read only now, so that of two changes at once the last sum is announced.
            let sums = (all ? state.changed.union(state.standing) : state.changed).map { key in
                (key, state.sums[key.name]?.reserve(0, for: key.subject) ?? 0)
            }
            for (key, sum) in sums {
                if sum > 0 { state.standing.insert(key) } else { state.standing.remove(key) }
            }
            return state.debits.map { .debit($0.key, $0.value) } + state.ordered
                + sums.map { .reserved($0, $1) }
        }
    }

    /// Counts what another node announced.
    func apply(_ announcement: CounterAnnouncement, of node: String) {
        let now = time.instant()
        switch announcement {
        case .debit(let key, let tokens):
            state.withLock { $0.rates[key.name] }?.debit(tokens, of: key.subject, at: now)
        case .failures(let key, let count):
            state.withLock { $0.failures[key.name] }?.note(count, of: key.subject, at: now)
        case .cleared(let key):
            state.withLock { $0.failures[key.name] }?.clear(key.subject)
        case .reserved(let key, let sum):
            state.withLock { state in
                guard state.elsewhere[key] != nil || state.elsewhere.count < Self.maximum else {
                    return
                }
                var nodes = state.elsewhere[key] ?? [:]
                nodes[node] = sum > 0 ? Reserved(sum: sum, heard: now) : nil
                state.elsewhere[key] = nodes.isEmpty ? nil : nodes
            }
        }
    }
}

import DeskStore
import Synchronization

/// Gathers what a node has to say on a channel for a while, and says it in as few notices as it fits in.
///
/// What is said while the database cannot be reached is said when it can be again, as far as the drain still has it.
package final class NoticeGatherer: NoticePart {
    /// Most bytes of a notice; PostgreSQL allows 7,999.
    static let maximumBytes = 7_900

    private struct State {
        var due: ContinuousClock.Instant?
        var again: ContinuousClock.Instant?
    }

    private let channel: NoticeChannel
    private let interval: Duration
    private let repeats: Duration?
    private let drain: @Sendable (_ all: Bool) -> [String]
    private let receive: @Sendable (_ item: Substring, _ node: Substring) -> Void
    private let notices: PostgresNotices
    private let state = Mutex(State())

    /// Attaches itself to a node's notices.
    ///
    /// - Parameters:
    ///   - interval: how long it gathers.
    ///   - repeats: how often all is said once more; nil for never.
    ///   - drain: gives what is to be said, without line breaks, all of it where it is repeated.
    ///   - receive: gets each item that another node said.
    package init(
        _ notices: PostgresNotices, on channel: NoticeChannel, every interval: Duration,
        repeats: Duration? = nil, drain: @escaping @Sendable (_ all: Bool) -> [String],
        receive: @escaping @Sendable (_ item: Substring, _ node: Substring) -> Void
    ) {
        self.notices = notices
        self.channel = channel
        self.interval = interval
        self.repeats = repeats
        self.drain = drain
        self.receive = receive
        notices.attach(self)
    }

    /// Notes that there is something to say.
    package func gather(atOnce: Bool = false) {
        let due = ContinuousClock.now + (atOnce ? .zero : interval)
        let isEarlier = state.withLock { state in
            guard state.due.map({ due < $0 }) ?? true else { return false }
            state.due = due
            return true
        }
        if isEarlier { notices.wake() }
    }

    var channels: [NoticeChannel] { [channel] }

    func begin(on connection: ListeningConnection) {
        // Those who listen already hear at once what this node has.
        if repeats != nil { state.withLock { $0.again = .now } }
    }

    func receive(_ payload: String, on channel: NoticeChannel) {
        let lines = payload.split(separator: "\n")
        // What this node said it knows already.
        guard let node = lines.first, node != "\(notices.node)" else { return }
        for line in lines.dropFirst() { receive(line, node) }
    }

    func nextStep() -> ContinuousClock.Instant? {
        state.withLock { state in [state.due, state.again].compactMap(\.self).min() }
    }

    func step(on connection: ListeningConnection) throws(StoreError) {
        let now = ContinuousClock.now
        let isRepeat = state.withLock { state in
            state.due = nil
            guard let again = state.again, let repeats, again <= now else { return false }
            state.again = now + repeats
            return true
        }
        for payload in payloads(of: drain(isRepeat)) {
            try connection.notify(payload, on: channel)
        }
    }

    /// Puts items together into payloads, each of which says first who says it.
    private func payloads(of items: [String]) -> [String] {
        let head = "\(notices.node)"
        var payloads: [String] = []
        var payload = head
        for item in items {
            guard head.utf8.count + 1 + item.utf8.count <= Self.maximumBytes else {
                notices.options.report(.dropped(topic: channel.topic))
                continue
            }
            if payload.utf8.count + 1 + item.utf8.count > Self.maximumBytes {
                payloads.append(payload)
                payload = head
            }
            payload += "\n" + item
        }
        return payload == head ? payloads : payloads + [payload]
    }
}

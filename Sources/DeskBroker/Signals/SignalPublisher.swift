import DeskModel
import DeskStore
import Synchronization

/// Publishes the signals of this process, and repeats its presence where the bus may lose some.
final class SignalPublisher: Sendable {
    private struct Spot: Hashable {
        let stream: UniqueID
        let business: BusinessID
        let conversation: ConversationID?
        let who: Author
    }

    private struct State {
        /// The last number of a report.
        var number: Int64 = 0
        /// What streams of this process reported and did not end.
        var standing: [Spot: SignalNotice] = [:]
    }

    let bus: any SignalBus
    private let state = Mutex(State())

    init(_ bus: any SignalBus) { self.bus = bus }

    /// Publishes typing, or presence that is not a stream's.
    func publish(_ signal: Signal) { bus.publish([SignalNotice(signal)]) }

    /// Publishes what a stream reports of presence.
    func publish(_ signal: Signal, by stream: UniqueID) {
        let spot = Spot(
            stream: stream, business: signal.business, conversation: signal.conversation,
            who: signal.who)
        let notice = state.withLock { state in
            state.number += 1
            // A choice is reported by every process with a page of its agent, so that its own version
            // says which is newer.
            let number = signal.kind == .choice ? signal.version ?? 0 : state.number
            let notice = SignalNotice(
                signal, report: SignalNotice.Report(stream: stream, number: number))
            state.standing[spot] = signal.isPresent ? notice : nil
            return notice
        }
        bus.publish([notice])
    }

    /// Publishes once more what stands, for processes that missed it.
    func publishAgain() {
        let notices = state.withLock { Array($0.standing.values) }
        if !notices.isEmpty { bus.publish(notices) }
    }
}

extension Signal {
    /// Whether it holds until another of its kind: a reader that missed it would be wrong for long.
    var isKept: Bool {
        switch kind {
        case .presence, .availability, .choice: true
        case .typing, .read, .draft, .preferences, .view, .rule, .approval: false
        }
    }

    /// Whether it reports that a person is there, or what the person chose, and not that the person left.
    var isPresent: Bool {
        switch state {
        case .looking, .writing, .away, .online, .busy, .invisible: true
        case .idle, .offline, .start, .end, .saved, .removed: false
        }
    }
}

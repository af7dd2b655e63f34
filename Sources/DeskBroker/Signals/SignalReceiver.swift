import DeskModel
import DeskStore
import Synchronization

/// Passes signals of all processes on to the readers of this one, in whichever way they come.
///
/// Presence is passed on by the number of its report, so that a late notice changes nothing. What its
/// process does not repeat for three rounds has ended: that process was killed, or the end was lost.
final class SignalReceiver: Sendable {
    /// Rounds after which presence that is not repeated has ended.
    static let patience = 3

    private struct Spot: Hashable {
        let stream: UniqueID
        let business: BusinessID
        let conversation: ConversationID?
        let who: Author
    }

    private struct Entry {
        var number: Int64
        var round: Int
        var signal: Signal
    }

    private struct State {
        var round = 0
        /// The last report of each stream, kept a while after its end to recognise late ones.
        var entries: [Spot: Entry] = [:]
    }

    private let tail: Tail
    private let isRepeated: Bool
    private let state = Mutex(State())

    /// For the readers of a tail; `isRepeated` says whether the bus may lose notices.
    init(_ tail: Tail, isRepeated: Bool) {
        self.tail = tail
        self.isRepeated = isRepeated
    }

    /// Passes notices on.
    func receive(_ notices: [SignalNotice]) {
        for notice in notices {
            guard let report = notice.report else {
                tail.publish(notice.signal)
                continue
            }
            guard !isRepeated || isNewest(notice.signal, report) else { continue }
            tail.publish(notice.signal, by: report.stream)
        }
    }

    /// Ends the presence that is not repeated any more; called once an interval of the bus.
    func endRound() {
        let over = state.withLock { state in
            state.round += 1
            let oldest = state.round - Self.patience
            let over = state.entries.filter { $0.value.round < oldest }
            for spot in over.keys { state.entries[spot] = nil }
            return over
        }
        // A choice ends with the last page of its agent.
        for (spot, entry) in over where entry.signal.isPresent && entry.signal.kind != .choice {
            let signal = Signal(
                kind: entry.signal.kind, business: spot.business, conversation: spot.conversation,
                who: spot.who, state: entry.signal.kind == .availability ? .offline : .idle)
            tail.publish(signal, by: spot.stream)
        }
    }

    private func isNewest(_ signal: Signal, _ report: SignalNotice.Report) -> Bool {
        let spot = Spot(
            stream: report.stream, business: signal.business, conversation: signal.conversation,
            who: signal.who)
        return state.withLock { state in
            if let known = state.entries[spot], known.number > report.number { return false }
            state.entries[spot] = Entry(
                number: report.number, round: state.round, signal: signal)
            return true
        }
    }
}

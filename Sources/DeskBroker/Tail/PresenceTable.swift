import DeskModel
import DeskStore

/// Who looks at or writes in which conversation now, by the streams that said so.
///
/// A person with several pages is there as long as one of them says so, writing before looking, and
/// that before being idle there.
struct PresenceTable {
    private struct Spot: Hashable {
        let conversation: ConversationID?
        let who: Author
    }

    private struct Entry {
        let business: BusinessID
        var streams: [UniqueID: Signal.State] = [:]

        /// What others see of it.
        var state: Signal.State {
            if streams.values.contains(.writing) { return .writing }
            if streams.values.contains(.looking) { return .looking }
            return streams.isEmpty ? .idle : .away
        }
    }

    private var entries: [Spot: Entry] = [:]
    private var byBusiness: [BusinessID: Set<Spot>] = [:]

    /// Notes a stream's own state; returns the signal for the others, nil when they see no change.
    mutating func note(_ signal: Signal, by stream: UniqueID) -> Signal? {
        let spot = Spot(conversation: signal.conversation, who: signal.who)
        var entry = entries[spot] ?? Entry(business: signal.business)
        let before = entry.state
        switch signal.state {
        case .looking, .writing, .away: entry.streams[stream] = signal.state
        case .idle, .start, .end, .saved, .removed, .online, .busy, .invisible, .offline:
            entry.streams[stream] = nil
        }
        if entry.streams.isEmpty {
            entries[spot] = nil
            byBusiness[entry.business]?.remove(spot)
            if byBusiness[entry.business]?.isEmpty == true { byBusiness[entry.business] = nil }
        } else {
            entries[spot] = entry
            byBusiness[entry.business, default: []].insert(spot)
        }
        return entry.state == before ? nil : Self.signal(entry, at: spot)
    }

    /// The signals that a reader of a scope receives when it begins, `most` at most.
    func signals(in scope: EventScope, most: Int) -> [Signal] {
        let spots: [Spot]
        switch scope {
        case .everything: spots = Array(entries.keys.prefix(most))
        case .businesses(let businesses):
            var found: [Spot] = []
            for business in businesses {
                found += (byBusiness[business] ?? []).prefix(most - found.count)
            }
            spots = found
        case .conversation(let id):
            spots = Array(entries.keys.lazy.filter { $0.conversation == id }.prefix(most))
        case .customer: spots = []
        }
        return spots.compactMap { spot in entries[spot].map { Self.signal($0, at: spot) } }
    }

    private static func signal(_ entry: Entry, at spot: Spot) -> Signal {
        Signal(
            kind: .presence, business: entry.business, conversation: spot.conversation,
            who: spot.who, state: entry.state)
    }
}

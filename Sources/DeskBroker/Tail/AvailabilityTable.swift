import DeskModel
import DeskStore

/// Which agents are there now, by their open pages and by what they chose.
///
/// An agent whose choice is not known yet looks offline, for the agent may want to be invisible.
struct AvailabilityTable {
    private struct Spot: Hashable {
        let business: BusinessID
        let who: Author
    }

    private struct Entry {
        var pages: [UniqueID: Signal.State] = [:]
        var choice: (state: Signal.State, version: Int64)?

        /// What others see of it.
        var state: Signal.State {
            guard let choice, !pages.isEmpty else { return .offline }
            switch choice.state {
            case .busy: return .busy
            case .away: return .away
            case .online: return pages.values.contains(.online) ? .online : .away
            case .invisible, .offline, .looking, .writing, .idle, .start, .end, .saved, .removed:
                return .offline
            }
        }
    }

    private var entries: [Spot: Entry] = [:]
    private var byBusiness: [BusinessID: Set<Author>] = [:]

    /// Notes what a page reports, or what an agent chose; returns the signal for the others where they
    /// see a change, and the choice itself where it is news.
    mutating func note(_ signal: Signal, by stream: UniqueID) -> [Signal] {
        var news: [Signal] = []
        let spot = Spot(business: signal.business, who: signal.who)
        var entry = entries[spot] ?? Entry()
        let before = entry.state
        if let version = signal.version {
            let known = entry.choice?.version ?? -1
            guard version >= known else { return [] }
            if version > known { news.append(signal) }
            entry.choice = (signal.state, version)
        } else {
            entry.pages[stream] = signal.state == .offline ? nil : signal.state
            // The next page to open says again what was chosen.
            if entry.pages.isEmpty { entry.choice = nil }
        }
        if entry.pages.isEmpty, entry.choice == nil {
            entries[spot] = nil
            byBusiness[spot.business]?.remove(spot.who)
            if byBusiness[spot.business]?.isEmpty == true { byBusiness[spot.business] = nil }
        } else {
            entries[spot] = entry
            byBusiness[spot.business, default: []].insert(spot.who)
        }
        if entry.state != before { news.append(Self.signal(entry.state, of: spot)) }
        return news
    }

    /// The signals of those who are there, for a reader of a scope that begins; `most` at most.
    func signals(in scope: EventScope, most: Int) -> [Signal] {
        let businesses: [BusinessID]
        switch scope {
        case .everything: businesses = Array(byBusiness.keys)
        case .businesses(let some): businesses = Array(some)
        case .conversation, .customer: businesses = []
        }
        var found: [Signal] = []
        for business in businesses {
            // Read once: a dictionary that is made again has its entries in another order.
            for (who, state) in states(in: business).prefix(most - found.count) {
                found.append(Self.signal(state, of: Spot(business: business, who: who)))
            }
        }
        return found
    }

    /// Those who are there in a business, invisible ones left out.
    func states(in business: BusinessID) -> [Author: Signal.State] {
        var states: [Author: Signal.State] = [:]
        for who in byBusiness[business] ?? [] {
            let state = entries[Spot(business: business, who: who)]?.state ?? .offline
            if state != .offline { states[who] = state }
        }
        return states
    }

    /// Those who have a page in use in a business, whatever they chose.
    func inUse(in business: BusinessID) -> Set<Author> {
        (byBusiness[business] ?? []).filter {
            entries[Spot(business: business, who: $0)]?.pages.values.contains(.online) == true
        }
    }

    private static func signal(_ state: Signal.State, of spot: Spot) -> Signal {
        Signal(
            kind: .availability, business: spot.business, conversation: nil, who: spot.who,
            state: state)
    }
}

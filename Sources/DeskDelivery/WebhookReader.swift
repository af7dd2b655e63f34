import DeskBroker
import DeskLog
package import DeskModel
import DeskStore
import Synchronization

/// Reads the log once for all endpoints, and notes their deliveries in the commit that moves its cursor.
package struct WebhookReader: Sendable {
    /// What its cursor lies under.
    package static let name = ReaderName("webhooks")
    /// Most events looked at in one step.
    static let page = 300
    /// Deliveries noted in one commit, beside those of one event more.
    static let mostNoted = 3_000
    /// How far the stored cursor may trail where nothing was noted.
    static let mostTrailing: Int64 = 1_000
    /// From how many deliveries to other endpoints on those to well ones are noted in a commit before.
    static let notedApart = 16
    /// How long a cursor is waited for that another process stored.
    private static let reach = Duration.seconds(2)

    let broker: Broker
    let webhooks: LoadedWebhooks
    let texts: EventTexts
    let now: @Sendable () -> Timestamp
    /// Is notified of the deliveries that were noted.
    let added: @Sendable ([Delivery]) -> Void
    /// Says which of some endpoints are known to be well.
    let well: @Sendable (Set<WebhookID>) -> Set<WebhookID>
    /// How far events were looked at for the endpoints as they were then.
    let looked = LookedPosition()
    /// What the metrics say of it.
    var shown = WebhookPlace()

    /// Follows the log for the endpoints that there are now, until the task is cancelled.
    ///
    /// - Throws: what the store throws, `superseded` when the lease is another's.
    func follow(under lease: Lease) async throws(StoreError) {
        let store = broker.store
        shown.doubt()
        let endpoints = try await webhooks.enabled()
        var place = try await begin(for: endpoints, under: lease)
        shown.set(place.position)
        let businesses = Set(endpoints.map(\.business))
        let scope = EventScope.businesses(businesses)
        while !Task.isCancelled {
            // It is notified of events that come while the pages are read.
            let live = broker.events(after: nil, in: scope)
            defer { live.leave() }
            var isLive = true
            while isLive, !Task.isCancelled {
                place = try await catchUp(from: place, of: businesses, store, under: lease)
                shown.noteLevel()
                waiting: while true {
                    switch try await live.next() {
                    case .event(let shared):
                        guard shared.event.id.position > place.position else { continue }
                        shown.noteNews(at: shared.event.id.position)
                        break waiting
                    case .signal, .live: continue
                    case .reset:
                        shown.doubt()
                        break waiting
                    case .cutOff, nil:
                        shown.doubt()
                        isLive = false
                        break waiting
                    }
                }
            }
        }
    }

    /// How far the log is read, and how far that is stored.
    private struct Place {
        var position: Position
        var stored: EventID?
    }

    private func begin(
        for endpoints: [Webhook], under lease: Lease
    ) async throws(StoreError) -> Place {
        let store = broker.store
        let known = try await store.findCursor(of: Self.name)
        if let known, known.epoch == store.epoch {
            shown.set(max(known.position, looked.position ?? .start))
        }
        if let known, known.epoch == store.epoch, known.position >= store.oldest,
            try await store.reach(known.position, within: Self.reach)
        {
            guard endpoints.isEmpty else {
                guard let looked = looked.position, looked > known.position else {
                    return Place(position: known.position, stored: known)
                }
                // Endpoints that have changed since may want what they did not want then.
                return try await self.store(looked, after: known, under: lease)
            }
            // No endpoint needs what lies between.
            return try await self.store(store.newest, after: known, under: lease)
        }
        let position = start(for: endpoints, after: known)
        guard !endpoints.isEmpty else { return Place(position: position, stored: known) }
        return try await self.store(position, after: known, under: lease)
    }

    /// Where it begins without a cursor of this life of the store.
    private func start(for endpoints: [Webhook], after known: EventID?) -> Position {
        let store = broker.store
        let (oldest, newest) = (store.oldest, store.newest)
        // No endpoint receives anything from before it was made.
        guard let first = endpoints.map(\.beginning).min() else { return newest }
        guard let known else { return max(first, oldest) }
        // A restored store has the cursor and the log of one moment: what lies between was accepted and never noted.
        let isHere =
            known.epoch != store.epoch && known.position >= oldest && known.position <= newest
        return isHere ? known.position : newest
    }

    private func store(
        _ position: Position, after known: EventID?, under lease: Lease
    ) async throws(StoreError) -> Place {
        let next = EventID(epoch: broker.store.epoch, position: position)
        guard next != known else { return Place(position: position, stored: known) }
        try await broker.store.advance(
            Self.name, from: known, to: next, storing: .nothing, under: lease)
        return Place(position: position, stored: next)
    }

    private func catchUp(
        from begin: Place, of businesses: Set<BusinessID>, _ store: any Store, under lease: Lease
    ) async throws(StoreError) -> Place {
        let scope = EventScope.businesses(businesses)
        var place = begin
        // Each event may be for all endpoints of its business.
        let known = Dictionary(grouping: try await webhooks.enabled(), by: \.business)
        var limit = Self.page(where: 1, brought: known.values.map(\.count).max() ?? 0)
        while !Task.isCancelled {
            let page = try await broker.page(after: place.position, in: scope, limit: limit)
            guard page.end > place.position else { return place }
            // Read behind the events: what was changed and answered before one of them counts for it.
            let endpoints = try await webhooks.enabled()
            // The first of another business came meanwhile, whose events are not in the page: it is read again with them.
            guard endpoints.allSatisfy({ businesses.contains($0.business) }) else { return place }
            var (deliveries, end) = note(page, for: endpoints)
            place.position = end
            let covered = page.events.prefix { $0.id.position <= end }.count
            limit = Self.page(where: covered, brought: deliveries.count)
            // What was erased is not posted from memory, whether or not an endpoint wants to know of it.
            if page.events.contains(where: \.emptiesEarlierOnes) { texts.forget() }
            let trails = end.value - (place.stored?.position.value ?? 0)
            guard !deliveries.isEmpty || trails > Self.mostTrailing else {
                looked.set(end)
                shown.set(end)
                continue
            }
            let noted = Set(deliveries.map(\.position))
            try await texts.remember(page.events.filter { noted.contains($0.id.position) })
            if let stored = place.stored {
                deliveries = try await noteWell(deliveries, at: stored, store, under: lease)
            }
            let next = EventID(epoch: store.epoch, position: end)
            try await store.advance(
                Self.name, from: place.stored, to: next, storing: .webhooks(deliveries),
                under: lease)
            place.stored = next
            looked.set(end)
            shown.set(end)
            added(deliveries)
        }
        return place
    }

    /// How many events fill a commit, by what some of them brought: what is beyond it would be read again.
    private static func page(where events: Int, brought deliveries: Int) -> Int {
        min(page, max(1, events * mostNoted / max(1, deliveries)))
    }

    /// Notes deliveries to well endpoints in a commit of their own where there are many to others.
    ///
    /// The cursor stays; what is noted twice is noted once.
    ///
    /// - Returns: those that are left.
    private func noteWell(
        _ deliveries: [Delivery], at stored: EventID, _ store: any Store, under lease: Lease
    ) async throws(StoreError) -> [Delivery] {
        let well = well(Self.endpoints(of: deliveries))
        let first = deliveries.filter { well.contains(WebhookID($0.outbox.value)) }
        guard deliveries.count - first.count >= Self.notedApart, !first.isEmpty else {
            return deliveries
        }
        try await store.advance(
            Self.name, from: stored, to: stored, storing: .webhooks(first), under: lease)
        added(first)
        return deliveries.filter { !well.contains(WebhookID($0.outbox.value)) }
    }

    private static func endpoints(of deliveries: [Delivery]) -> Set<WebhookID> {
        Set(deliveries.map { WebhookID($0.outbox.value) })
    }

    /// The deliveries of a page, as far as they are few enough for one commit, and where they end.
    private func note(
        _ page: EventPage, for endpoints: [Webhook]
    ) -> (deliveries: [Delivery], end: Position) {
        let endpoints = Dictionary(grouping: endpoints, by: \.business)
        let due = now()
        var deliveries: [Delivery] = []
        for event in page.events {
            for webhook in endpoints[event.business] ?? [] where webhook.wants(event) {
                deliveries.append(webhook.delivery(of: event, due: due))
            }
            if deliveries.count >= Self.mostNoted { return (deliveries, event.id.position) }
        }
        return (deliveries, page.end)
    }
}

/// Up to where a reader has looked at the log, beyond its stored cursor too.
final class LookedPosition: Sendable {
    private let state = Mutex<Position?>(nil)

    /// The newest event that was looked at and whose deliveries are noted; nil before the first.
    var position: Position? { state.withLock { $0 } }

    func set(_ position: Position) { state.withLock { $0 = position } }
}

extension Webhook {
    /// The delivery of an event; an unordered endpoint's keeps no conversation's order.
    package func delivery(of event: Event, due: Timestamp) -> Delivery {
        Delivery(
            outbox: outbox, position: event.id.position,
            conversation: order == .conversation ? event.conversation?.id : nil, due: due)
    }
}

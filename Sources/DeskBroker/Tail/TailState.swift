import DeskModel
import DeskStore

/// The tail's state behind its lock: a ring of events and a queue for each live reader.
struct TailState {
    fileprivate struct Reader {
        let scope: EventScope
        var queue: ArraySlice<StreamItem> = []
        var bytes = 0
        var signals = 0
        /// Whether presence was left out for want of room: all of it is sent again.
        var missesPresence = false
        var isCutOff = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Called once when something lies in the queue that was found empty.
        var wake: (@Sendable () -> Void)?
    }

    /// The waiter of a queue that is no longer empty.
    enum Woken {
        case task(CheckedContinuation<Void, Never>)
        case caller(@Sendable () -> Void)

        func notify() {
            switch self {
            case .task(let waiter): waiter.resume()
            case .caller(let wake): wake()
            }
        }
    }

    /// What a reader finds in its queue.
    enum Next {
        case item(StreamItem)
        case empty
        case left
    }

    /// About how many bytes a signal's text has.
    fileprivate static let signalBytes = 256

    private(set) var newest: Position
    /// The newest position that the tail knows of; positions it lacks are read from the log.
    private var known: Position
    /// Tasks that wait until a position is published.
    var waiters = PositionWaiters()
    private let limits: StreamLimits
    private var presence = PresenceTable()
    private(set) var availability = AvailabilityTable()
    private var recent: ArraySlice<SharedEvent> = []
    private var recentBytes = 0
    /// The position before the first recent event.
    private var recentStart: Position

    private var readers: [Int: Reader] = [:]
    private var nextReader = 0
    private var everyone: Set<Int> = []
    private var byBusiness: [BusinessID: Set<Int>] = [:]
    private var byConversation: [ConversationID: Set<Int>] = [:]

    init(newest: Position, limits: StreamLimits) {
        self.newest = newest
        known = newest
        self.limits = limits
        recentStart = newest
    }

    mutating func publish(_ events: [SharedEvent]) -> [Woken] {
        var woken: [Woken] = []
        for shared in events {
            let position = shared.event.id.position
            if position.value == newest.value + 1 {
                publish(shared, waking: &woken)
            } else {
                // A repeat was published before; what comes after a gap is read with the gap.
                known = max(known, position)
            }
        }
        known = max(known, newest)
        waiters.wake(upTo: newest, into: &woken)
        return woken
    }

    /// The position after which the log has to be read; nil when nothing is missing.
    var missing: Position? { known > newest ? newest : nil }

    /// Notes that the log continues up to a position.
    mutating func note(_ position: Position) { known = max(known, position) }

    /// Publishes a page that was read from the log, which may leave out damaged events.
    mutating func fill(_ events: [SharedEvent], upTo end: Position) -> [Woken] {
        var woken: [Woken] = []
        for shared in events where shared.event.id.position > newest {
            publish(shared, waking: &woken)
        }
        newest = max(newest, end)
        known = max(known, newest)
        waiters.wake(upTo: newest, into: &woken)
        return woken
    }

    /// Continues behind a gap that retention deleted: its readers get a reset.
    mutating func skip(to position: Position) -> [Woken] {
        guard position > newest else { return [] }
        newest = position
        known = max(known, newest)
        recent = []
        recentBytes = 0
        recentStart = newest
        var woken: [Woken] = []
        for id in readers.keys { cutOff(id, waking: &woken) }
        waiters.wake(upTo: newest, into: &woken)
        return woken
    }

    private mutating func publish(_ shared: SharedEvent, waking woken: inout [Woken]) {
        newest = shared.event.id.position
        if shared.event.emptiesEarlierOnes {
            forget(shared.event.conversation?.id, before: newest, waking: &woken)
        }
        remember(shared)
        guard !readers.isEmpty else { return }
        let event = shared.event
        let bytes = shared.byteCount
        for reader in present(event.business, event.conversation?.id) {
            guard readers[reader]?.scope.includes(event) == true else { continue }
            push(.event(shared), bytes: bytes, to: reader, waking: &woken)
        }
    }

    mutating func publish(_ signal: Signal) -> [Woken] {
        var woken: [Woken] = []
        for reader in present(signal.business, signal.conversation) {
            guard let scope = readers[reader]?.scope, scope.includes(signal) else { continue }
            push(signal, to: reader, waking: &woken)
        }
        return woken
    }

    /// Publishes presence, which holds until the stream says otherwise, as the others see it.
    mutating func publish(_ signal: Signal, by stream: UniqueID) -> [Woken] {
        let news =
            switch signal.kind {
            case .availability, .choice: availability.note(signal, by: stream)
            case .presence, .typing, .read, .draft, .preferences, .view, .rule, .approval:
                presence.note(signal, by: stream).map { [$0] } ?? []
            }
        return news.flatMap { publish($0) }
    }

    mutating func join(after cursor: Position, in scope: EventScope, epoch: Epoch) -> Tail.Joining {
        guard cursor <= newest else { return .future }
        guard cursor >= recentStart else { return .tooOld }
        let missed = recent[firstRecent(after: cursor)...]
        var matching: [SharedEvent] = []
        var bytes = 0
        for shared in missed where scope.includes(shared.event) {
            matching.append(shared)
            bytes += shared.byteCount
            // Half a queue at most, so that joining never cuts a reader off by itself.
            if matching.count >= limits.queuedItems / 2 || bytes >= limits.queuedBytes / 2 {
                return .recent(matching, end: shared.event.id.position)
            }
        }
        var reader = Reader(scope: scope)
        reader.queue = matching.map { .event($0) }[...]
        reader.queue.append(.live(EventID(epoch: epoch, position: newest)))
        reader.bytes = bytes
        addPresence(to: &reader)
        return .live(add(reader))
    }

    /// A page of recent events; nil where they begin later, or end before it.
    func page(after cursor: Position, in scope: EventScope, limit: Int) -> EventPage? {
        guard cursor >= recentStart, cursor < newest else { return nil }
        var events: [Event] = []
        for shared in recent[firstRecent(after: cursor)...] where scope.includes(shared.event) {
            events.append(shared.event)
            if events.count >= limit {
                return EventPage(events: events, end: shared.event.id.position)
            }
        }
        return EventPage(events: events, end: newest)
    }

    mutating func joinNow(in scope: EventScope, isReset: Bool, epoch: Epoch) -> Int {
        let head = EventID(epoch: epoch, position: newest)
        var reader = Reader(scope: scope)
        reader.queue = isReset ? [.reset(head), .live(head)] : [.live(head)]
        addPresence(to: &reader)
        return add(reader)
    }

    /// Puts all presence in a reader's scope into its queue, behind a mark that the reader is live.
    private func addPresence(to reader: inout Reader) {
        let most = limits.presenceEntries
        let there = availability.signals(in: reader.scope, most: most)
        for signal in there + presence.signals(in: reader.scope, most: most - there.count) {
            reader.queue.append(.signal(signal))
            reader.signals += 1
            reader.bytes += Self.signalBytes
        }
        reader.missesPresence = false
    }

    mutating func take(
        _ id: Int, epoch: Epoch, armedWith wake: (@Sendable () -> Void)? = nil
    ) -> Next {
        guard var reader = readers[id] else { return .left }
        if reader.queue.isEmpty, reader.missesPresence, !reader.isCutOff {
            // Once more live: what was known of presence is void, and all of it follows.
            reader.queue = [.live(EventID(epoch: epoch, position: newest))]
            addPresence(to: &reader)
        }
        if let item = reader.queue.popFirst() {
            // A slice keeps the elements removed from its front.
            if reader.queue.isEmpty { reader.queue = [] }
            if case .event(let shared) = item { reader.bytes -= shared.byteCount }
            if case .signal = item {
                reader.bytes -= Self.signalBytes
                reader.signals -= 1
            }
            readers[id] = reader
            return .item(item)
        }
        guard reader.isCutOff else {
            if let wake { readers[id]?.wake = wake }
            return .empty
        }
        _ = leave(id)
        return .item(.cutOff)
    }

    /// Returns whether the waiter is due at once.
    mutating func wait(_ id: Int, _ waiter: CheckedContinuation<Void, Never>) -> Bool {
        guard let reader = readers[id], reader.queue.isEmpty, !reader.isCutOff else { return true }
        precondition(reader.waiter == nil, "reader \(id) waits twice")
        readers[id]?.waiter = waiter
        return false
    }

    mutating func leave(_ id: Int) -> CheckedContinuation<Void, Never>? {
        guard let reader = readers.removeValue(forKey: id) else { return nil }
        switch reader.scope {
        case .everything: everyone.remove(id)
        case .businesses(let businesses):
            for business in businesses { Self.remove(id, from: &byBusiness, at: business) }
        case .conversation(let conversation), .customer(let conversation):
            Self.remove(id, from: &byConversation, at: conversation)
        }
        return reader.waiter
    }

    private mutating func add(_ reader: Reader) -> Int {
        let id = nextReader
        nextReader += 1
        readers[id] = reader
        switch reader.scope {
        case .everything: everyone.insert(id)
        case .businesses(let businesses):
            for business in businesses { byBusiness[business, default: []].insert(id) }
        case .conversation(let conversation), .customer(let conversation):
            byConversation[conversation, default: []].insert(id)
        }
        return id
    }

    private func present(_ business: BusinessID, _ conversation: ConversationID?) -> [Int] {
        var ids = Array(everyone)
        if let more = byBusiness[business] { ids.append(contentsOf: more) }
        if let conversation, let more = byConversation[conversation] {
            ids.append(contentsOf: more)
        }
        return ids
    }

    private mutating func push(
        _ item: StreamItem, bytes: Int, to id: Int,
        waking woken: inout [Woken]
    ) {
        guard let reader = readers[id], !reader.isCutOff else { return }
        if reader.queue.count - reader.signals >= limits.queuedItems
            || reader.bytes + bytes > limits.queuedBytes
        {
            return cutOff(id, waking: &woken)
        }
        readers[id]?.queue.append(item)
        readers[id]?.bytes += bytes
        readers[id]?.wake(into: &woken)
    }

    /// Has a reader find that it was cut off, and nothing else.
    private mutating func cutOff(_ id: Int, waking woken: inout [Woken]) {
        guard var reader = readers[id], !reader.isCutOff else { return }
        reader.isCutOff = true
        reader.queue = []
        reader.bytes = 0
        reader.signals = 0
        reader.wake(into: &woken)
        readers[id] = reader
    }

    /// Where the recent events after a position begin; positions between two of them may be missing.
    private func firstRecent(after cursor: Position) -> Int {
        var low = recent.startIndex
        var high = recent.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if recent[middle].event.id.position > cursor { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// A signal never cuts a reader off: otherwise a person typing without end would end others'
    /// streams.
    private mutating func push(
        _ signal: Signal, to id: Int, waking woken: inout [Woken]
    ) {
        guard var reader = readers[id], !reader.isCutOff else { return }
        if reader.signals > 0 { reader.makeRoom(for: signal, most: limits.queuedSignals) }
        guard reader.signals < limits.queuedSignals,
            reader.queue.count - reader.signals < limits.queuedItems,
            reader.bytes + Self.signalBytes <= limits.queuedBytes
        else {
            // Typing ends by itself; presence that a reader missed would be wrong for long.
            if signal.isKept { readers[id]?.missesPresence = true }
            return
        }
        reader.queue.append(.signal(signal))
        reader.signals += 1
        reader.bytes += Self.signalBytes
        reader.wake(into: &woken)
        readers[id] = reader
    }

    /// Forgets recent events, which may carry erased content, and cuts off readers whose queue has a
    /// message of the conversation: they resume from the log, which has the tombstone.
    private mutating func forget(
        _ conversation: ConversationID?, before position: Position, waking woken: inout [Woken]
    ) {
        recent = []
        recentBytes = 0
        recentStart = Position(position.value - 1)
        for (id, reader) in readers
        where reader.queue.contains(where: { $0.isMessage(of: conversation) }) {
            cutOff(id, waking: &woken)
        }
    }

    private mutating func remember(_ shared: SharedEvent) {
        recent.append(shared)
        recentBytes += shared.byteCount
        while recent.count > limits.recentEvents || recentBytes > limits.recentBytes,
            let oldest = recent.popFirst()
        {
            recentBytes -= oldest.byteCount
            recentStart = oldest.event.id.position
        }
        // A slice keeps the elements removed from its front; copy now and then, so that they are
        // freed.
        if recent.startIndex > limits.recentEvents { recent = ArraySlice(Array(recent)) }
    }

    private static func remove<Key: Hashable>(
        _ id: Int, from table: inout [Key: Set<Int>], at key: Key
    ) {
        table[key]?.remove(id)
        if table[key]?.isEmpty == true { table[key] = nil }
    }
}

extension TailState.Reader {
    /// Removes the presence that a signal makes void, or else the oldest typing when there are too
    /// many signals.
    fileprivate mutating func makeRoom(for signal: Signal, most: Int) {
        let void = queue.firstIndex { item in
            guard case .signal(let earlier) = item, signal.isKept else { return false }
            return earlier.kind == signal.kind && earlier.business == signal.business
                && earlier.conversation == signal.conversation && earlier.who == signal.who
        }
        let oldest = signals < most ? nil : queue.firstIndex(where: \.isTyping)
        guard let place = void ?? oldest else { return }
        queue.remove(at: place)
        signals -= 1
        bytes -= TailState.signalBytes
    }

    fileprivate mutating func wake(into woken: inout [TailState.Woken]) {
        if let waiter { woken.append(.task(waiter)) }
        waiter = nil
        if let wake { woken.append(.caller(wake)) }
        wake = nil
    }
}

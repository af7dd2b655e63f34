package import DeskModel

/// Decides which endpoint may be sent an attempt now, so that sick endpoints do not delay healthy ones.
///
/// An endpoint is sick when its last attempt failed or lasted 2 s, and while one that runs has lasted
/// that long; it is untried until an attempt ended. Sick ones share a part of all attempts. Untried ones,
/// which may turn out to be sick all at once, share another, one attempt each. An attempt that runs for 250 ms
/// leaves its place to others: hundreds of endpoints may hang for 15 s, and were well a moment ago.
package struct AttemptAdmission: Sendable {
    /// What an endpoint is answered.
    package enum Answer: Hashable, Sendable {
        /// The attempt runs from now on, until `end`.
        case admitted
        /// As many attempts of the endpoint run as it may have.
        case endpointIsFull
        /// The endpoint is sick or untried, and such ones have all that they share.
        case shareIsFull
        /// As many attempts run as there may be.
        case allIsFull
    }

    private enum Health {
        case healthy
        case sick
    }

    /// From which duration on an attempt makes its endpoint sick.
    package static let slow = Duration.seconds(2)
    /// From which duration on an attempt leaves its place to others.
    package static let patience = Duration.milliseconds(250)

    /// Most attempts at once that did not leave their places.
    private let most: Int
    /// Most of them for sick endpoints.
    private let mostSick: Int
    /// Most of them for untried endpoints.
    private let mostUntried: Int
    /// Most attempts in all, of which only healthy endpoints may have the last `most`.
    private let ceiling: Int
    /// How endpoints fared; those that are not here are untried.
    private var health: [WebhookID: Health] = [:]
    /// The attempts of an endpoint that run.
    private var active: [WebhookID: [Attempt]] = [:]
    private var running = 0
    /// Attempts that did not leave their places, and those of them that untried endpoints have.
    private var fresh = 0
    private var untried = 0
    /// Attempts that sick endpoints have, and how many of them each.
    private var sick = 0
    private var sickOf: [WebhookID: Int] = [:]
    /// Attempts by when they began, of which some ended: those that will leave their places, and of the others
    /// those that will make their endpoints sick.
    private var leaving = Deadlines(after: patience)
    private var hanging = Deadlines(after: slow)

    private struct Attempt {
        let begin: ContinuousClock.Instant
        let isUntried: Bool
        var isFresh = true
    }

    /// Admits 64 attempts at once, 16 of them for sick endpoints and 32 for untried ones, and at most 384 with
    /// those that left their places.
    ///
    /// That is below the most of the HTTP client, which other senders share.
    package init(most: Int = 64, mostSick: Int = 16, mostUntried: Int = 32, ceiling: Int = 384) {
        precondition((1...most).contains(mostSick), "\(mostSick) of \(most) attempts")
        precondition((1...most).contains(mostUntried), "\(mostUntried) of \(most) attempts")
        precondition(ceiling >= 2 * most, "\(ceiling) attempts in all")
        self.most = most
        self.mostSick = mostSick
        self.mostUntried = mostUntried
        self.ceiling = ceiling
    }

    /// How many attempts run.
    package var count: Int { running }

    /// How many of them have their places, and how many are of sick endpoints, as of the last one that began or
    /// ended.
    var freshCount: Int { fresh }
    var sickCount: Int { sick }
    /// Of how many endpoints it is known how they fared.
    var healthCount: Int { health.count }

    /// Whether an endpoint is sick at a moment.
    package func isSick(_ id: WebhookID, at now: ContinuousClock.Instant) -> Bool {
        health[id] == .sick
            || (active[id] ?? []).contains { $0.begin.duration(to: now) >= Self.slow }
    }

    /// Whether an endpoint's last attempt succeeded soon, and none that runs lasts longer.
    package func isWell(_ id: WebhookID, at now: ContinuousClock.Instant) -> Bool {
        health[id] == .healthy && !isSick(id, at: now)
    }

    /// Begins an attempt, unless there are too many.
    package mutating func admit(
        _ id: WebhookID, concurrency: Int, at now: ContinuousClock.Instant
    ) -> Answer {
        advance(to: now)
        let isSick = isSick(id, at: now)
        let isUntried = !isSick && health[id] == nil
        guard fresh < most, running < ceiling else { return .allIsFull }
        let own = active[id]?.count ?? 0
        guard own < (isUntried ? 1 : concurrency) else { return .endpointIsFull }
        if isSick || isUntried, running >= ceiling - most { return .shareIsFull }
        if isSick, sick >= mostSick { return .shareIsFull }
        if isUntried, untried >= mostUntried { return .shareIsFull }
        active[id, default: []].append(Attempt(begin: now, isUntried: isUntried))
        leaving.add(id, at: now)
        running += 1
        fresh += 1
        untried += isUntried ? 1 : 0
        countSick(id, at: now)
        return .admitted
    }

    /// Ends an attempt that was admitted at a moment.
    package mutating func end(
        _ id: WebhookID, admittedAt begin: ContinuousClock.Instant, failed: Bool,
        at now: ContinuousClock.Instant
    ) {
        advance(to: now)
        guard var own = active[id], let place = own.firstIndex(where: { $0.begin == begin })
        else { preconditionFailure("an attempt ended that was not admitted") }
        leave(own.remove(at: place))
        active[id] = own.isEmpty ? nil : own
        health[id] = failed || begin.duration(to: now) >= Self.slow ? .sick : .healthy
        running -= 1
        countSick(id, at: now)
    }

    /// Notes that an endpoint failed before this process knew it.
    package mutating func noteFailing(_ id: WebhookID) { health[id] = .sick }

    /// Forgets how an endpoint fared; attempts that run go on.
    package mutating func forget(_ id: WebhookID) { health[id] = nil }

    /// When the next attempt may leave its place, later than now; nil when none runs that has one.
    package mutating func nextRelease(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        advance(to: now)
        // What ended is passed over: it would have who waits for a place woken for nothing.
        while let first = leaving.first, !isFresh(first.id, begunAt: first.begin) {
            leaving.removeFirst()
        }
        return leaving.next
    }

    private func isFresh(_ id: WebhookID, begunAt begin: ContinuousClock.Instant) -> Bool {
        (active[id] ?? []).contains { $0.begin == begin && $0.isFresh }
    }

    private mutating func advance(to now: ContinuousClock.Instant) {
        while let (id, begin) = leaving.take(at: now) {
            guard let place = active[id]?.firstIndex(where: { $0.begin == begin && $0.isFresh }),
                let attempt = active[id]?[place]
            else { continue }
            leave(attempt)
            active[id]?[place].isFresh = false
            hanging.add(id, at: begin)
        }
        while let (id, _) = hanging.take(at: now) { countSick(id, at: now) }
    }

    private mutating func leave(_ attempt: Attempt) {
        guard attempt.isFresh else { return }
        fresh -= 1
        untried -= attempt.isUntried ? 1 : 0
    }

    private mutating func countSick(_ id: WebhookID, at now: ContinuousClock.Instant) {
        let count = isSick(id, at: now) ? active[id]?.count ?? 0 : 0
        sick += count - (sickOf[id] ?? 0)
        sickOf[id] = count > 0 ? count : nil
    }
}

/// Attempts in the order in which they began, each until some time later.
private struct Deadlines {
    private let delay: Duration
    private var entries: [(id: WebhookID, begin: ContinuousClock.Instant)] = []
    private var taken = 0

    init(after delay: Duration) { self.delay = delay }

    /// The next one, whether or not its time has ended.
    var first: (id: WebhookID, begin: ContinuousClock.Instant)? {
        taken < entries.count ? entries[taken] : nil
    }

    /// When the next one's time ends.
    var next: ContinuousClock.Instant? { first?.begin.advanced(by: delay) }

    mutating func add(_ id: WebhookID, at begin: ContinuousClock.Instant) {
        entries.append((id, begin))
    }

    /// The next one whose time has ended at a moment.
    mutating func take(
        at now: ContinuousClock.Instant
    ) -> (id: WebhookID, begin: ContinuousClock.Instant)? {
        guard let first, first.begin.duration(to: now) >= delay else { return nil }
        removeFirst()
        return first
    }

    mutating func removeFirst() {
        taken += 1
        guard taken > 1_024, taken * 2 > entries.count else { return }
        entries.removeFirst(taken)
        taken = 0
    }
}

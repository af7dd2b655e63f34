public import DeskHTTP
import Synchronization

/// Counts the open streams: 16 a principal, 256 of customers and 2,048 of members an address,
/// 15,000 in all.
public final class StreamLimiter: Sendable {
    /// Whose streams of an address are counted together.
    private struct Place: Hashable {
        let network: ClientNetwork
        /// Signed in, or with a key: an office of hundreds is one address.
        let isMember: Bool

        init(_ principal: Principal, _ peer: Peer) {
            network = peer.network
            isMember = principal.isMember
        }

        func most(_ limits: WebLimits) -> Int {
            isMember ? limits.memberStreamsPerAddress : limits.streamsPerAddress
        }
    }

    private struct State {
        var bySubject: [RateSubject: Int] = [:]
        var byPlace: [Place: Int] = [:]
        /// The open streams of each principal, whose permission can be checked again at once.
        var leases: [RateSubject: [ObjectIdentifier: StreamLease.Look]] = [:]
        var all = 0
        var isClosed = false
        var isPaused = false
    }

    private let limits: WebLimits
    private let state = Mutex(State())

    package init(limits: WebLimits) { self.limits = limits }

    /// How many streams are open.
    public var count: Int { state.withLock { $0.all } }

    private static let ending = "The server is about to end; ask again when another runs."
    private static let away = "The database does not answer now; ask again soon."
    private static let full = "Too many streams are open; close one first."

    /// Refuses streams from now on: the server drains, and would only end them again.
    public func close() { state.withLock { $0.isClosed = true } }

    /// Whether streams are refused, and those that are open end: nothing can be read or written now.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Ends the open streams, so that their readers see that nothing arrives, and refuses others; or accepts
    /// them again.
    public func pause(_ isPaused: Bool) {
        let begins = state.withLock { state in
            defer { state.isPaused = isPaused }
            return isPaused && !state.isPaused
        }
        if begins { recheckAll() }
    }

    /// Gives a lease to a stream; the lease ends itself.
    ///
    /// - Throws: `rate_limited` for one too many of a principal or an address, `unavailable` for one too
    ///   many in all, after `close` and while it is paused.
    public func acquire(_ principal: Principal, _ peer: Peer) throws(Problem) -> StreamLease {
        let subject = RateSubject(principal, peer: peer)
        let place = Place(principal, peer)
        let refusal: (ProblemCode, String)? = state.withLock { state in
            guard !state.isClosed else { return (.unavailable, Self.ending) }
            guard !state.isPaused else { return (.unavailable, Self.away) }
            guard state.all < limits.streams else { return (.unavailable, Self.full) }
            guard state.bySubject[subject, default: 0] < limits.streamsPerPrincipal,
                state.byPlace[place, default: 0] < place.most(limits)
            else { return (.rateLimited, Self.full) }
            state.all += 1
            state.bySubject[subject, default: 0] += 1
            state.byPlace[place, default: 0] += 1
            return nil
        }
        if let (code, sentence) = refusal {
            var problem = Problem(code, sentence)
            problem.retryAfterSeconds = 5
            throw problem
        }
        let look = StreamLease.Look()
        let name = ObjectIdentifier(look)
        state.withLock { $0.leases[subject, default: [:]][name] = look }
        return StreamLease(look) { [self] in leave(subject, place, name) }
    }

    /// Has the streams of a principal check at once whether their reader may still read.
    ///
    /// Called once a commit that removes permissions is durable, before it is answered.
    package func recheck(_ subject: RateSubject) {
        let looks = state.withLock { $0.leases[subject].map { Array($0.values) } ?? [] }
        for look in looks { look.demand() }
    }

    /// Has every stream check at once whether its reader may still read.
    package func recheckAll() {
        let looks = state.withLock { $0.leases.values.flatMap(\.values) }
        for look in looks { look.demand() }
    }

    private func leave(_ subject: RateSubject, _ place: Place, _ name: ObjectIdentifier) {
        state.withLock { state in
            state.leases[subject]?[name] = nil
            if state.leases[subject]?.isEmpty == true { state.leases[subject] = nil }
            state.all -= 1
            let ofSubject = state.bySubject[subject, default: 1] - 1
            state.bySubject[subject] = ofSubject > 0 ? ofSubject : nil
            let there = state.byPlace[place, default: 1] - 1
            state.byPlace[place] = there > 0 ? there : nil
        }
    }
}

/// A stream's place; given back when it is left, or else with the last reference.
public final class StreamLease: Sendable {
    /// Whether the stream has to ask again if its reader may read, and how it is woken for that.
    package final class Look: Sendable {
        // Due from the beginning: something may have ended between the request and the lease.
        private let state = Mutex<(isDue: Bool, wake: (@Sendable () -> Void)?)>((true, nil))

        /// Asks for a look at the next step, and wakes the stream for it.
        package func demand() {
            let wake = state.withLock { state in
                state.isDue = true
                return state.wake
            }
            wake?()
        }

        /// Whether a look is due; from then on it is not.
        package func take() -> Bool {
            state.withLock { state in
                defer { state.isDue = false }
                return state.isDue
            }
        }

        /// Names what wakes the stream; nil once there is nothing to wake.
        package func wakes(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }
    }

    package let look: Look
    private let leaving: Mutex<(@Sendable () -> Void)?>

    package init(_ look: Look, _ leave: @escaping @Sendable () -> Void) {
        self.look = look
        leaving = Mutex(leave)
    }

    deinit { leave() }

    /// Gives the place back; once more does nothing.
    public func leave() {
        look.wakes(nil)
        let leave = leaving.withLock { leaving in
            defer { leaving = nil }
            return leaving
        }
        leave?()
    }
}

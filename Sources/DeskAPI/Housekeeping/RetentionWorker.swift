import DeskBroker
import DeskLinks
import DeskLog
import DeskModel
public import DeskStore
import DeskWeb
import Synchronization

/// Erases what is older than businesses keep it, in one process of those that share a store.
///
/// A sweep looks at everything behind what was erased before, in the order of the log: what is imported is old and
/// lies behind what is new. Erasing is a commit for each conversation, and what is erased stays so; so a sweep that
/// was killed, or that two processes do for a moment, erases nothing twice. How far it has come is stored after
/// that, under the lease.
public final class RetentionWorker: Sendable {
    /// The lease of the process that does it.
    static let lease = "retention"
    /// Time between two looks for what is to be done.
    static let pause = Duration.seconds(60)
    /// Time from a sweep to the next one, in which content comes of age.
    static let interval = Duration.seconds(6 * 3_600)
    /// Messages, or notes, that one commit erases.
    static let stride = 100
    /// Least time between two pieces of a sweep, in which others have the store.
    public static let rest = Duration.milliseconds(25)
    /// For how long a piece waits at most, while messages come fast, and after one that lasted long.
    static let patience = Duration.seconds(10)

    private struct State {
        /// Whether the log says already that the clock is not believed.
        var isWaiting = false
        /// What this process knows of the businesses' progress.
        var retentions: [Retention] = []
    }

    /// What a piece is erased by.
    private typealias Rule = (choice: Retention, limit: Timestamp)

    /// What came of a piece.
    private enum Outcome {
        /// So many were erased; nil where that could not be done.
        case done(Int?)
        /// Nothing was: the business has chosen otherwise since the sweep began, or placed a legal hold.
        case chosenOtherwise
    }

    /// How busy the store is beside a sweep.
    private struct Load {
        var schedule: IndexSchedule
        /// How long the last commit lasted.
        var spent = Duration.zero
    }

    let services: Services
    private let watch: ClockWatch
    private let rest: Duration
    private let state = Mutex(State())
    private let messages, notes: Counter

    /// Begins to watch the clock; nothing is erased before `run()`.
    ///
    /// - Parameter rest: the time between two pieces of a sweep.
    /// - Throws: when the store cannot be read.
    public init(
        services: Services, rest: Duration = RetentionWorker.rest
    ) async throws(StoreError) {
        self.services = services
        self.rest = rest
        watch = ClockWatch(
            time: services.time, kept: try await Housekeeping.keptTime(in: services.store))
        func counter(_ kind: String) -> Counter {
            services.metrics.counter(
                "frontdesk_retention_erased_total",
                help: "Messages and notes whose content this process erased for their age.",
                labels: ["kind": kind])
        }
        messages = counter("message")
        notes = counter("note")
        services.metrics.reading(
            "frontdesk_retention_behind_seconds",
            help: """
                How far erasing by age is behind what businesses chose; 0 where another process does it.
                """
        ) { [weak self] in self?.secondsBehind ?? 0 }
    }

    /// Erases whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { lease in
            await self.doRounds(under: lease)
            self.state.withLock { $0.retentions = [] }
        }
    }

    private func doRounds(under lease: Lease) async {
        while !Task.isCancelled {
            do throws(StoreError) {
                try await doRound(under: lease)
            } catch {
                guard error.code != .closed, error.code != .superseded else { return }
                services.log.warning("retention_failed", ["reason": .text(error.description)])
            }
            // Safe: the loop asks for cancellation.
            try? await services.time.sleep(Self.pause)
        }
    }

    /// Erases what has come of age, where a sweep is due; nothing while the clock cannot be believed.
    func doRound(under lease: Lease) async throws(StoreError) {
        let (all, held) = try await choices()
        state.withLock { $0.retentions = all }
        guard let now = watch.look() else {
            let isNew = state.withLock { state in
                defer { state.isWaiting = true }
                return !state.isWaiting
            }
            if isNew, !all.isEmpty { services.log.warning("retention_waits_for_clock") }
            return
        }
        state.withLock { $0.isWaiting = false }
        // The last room on the disk is for messages that were not acknowledged yet.
        guard !services.disk.isFull else { return }
        let due = all.filter { $0.isDue(at: now) }
        guard !due.isEmpty else { return }
        var sweep = RetentionSweep(of: due, keeping: held, at: now)
        try await eraseMessages(&sweep, under: lease)
        try await eraseNotes(&sweep)
        guard !Task.isCancelled else { return }
        for one in sweep.ended() {
            try await services.store.advanceRetention(one, under: lease)
            sweep.report(one.business, to: services.log)
        }
        let after = try await choices().retentions
        state.withLock { $0.retentions = after }
    }

    /// What businesses chose, without those that are on legal hold as a whole, and what the others keep.
    private func choices() async throws(StoreError) -> (
        retentions: [Retention], held: [BusinessID: HeldContent]
    ) {
        var held: [BusinessID: HeldContent] = [:]
        let all = try await services.store.retentions()
        for one in all {
            held[one.business] = try await services.store.heldContent(of: one.business)
        }
        return (all.filter { held[$0.business]?.isEverything != true }, held)
    }

    private func eraseMessages(
        _ sweep: inout RetentionSweep, under lease: Lease
    ) async throws(StoreError) {
        let (store, links) = (services.store, services.links)
        let end = store.newest
        var place = sweep.firstPosition
        var load = makeLoad()
        while place < end, !Task.isCancelled {
            let page = try await store.agedMessages(after: place)
            place = Position(min(end.value, place.value + AgedMessage.stride))
            let old = sweep.old(page.filter { $0.place <= place.value }, of: .messages)
            try await erase(old, of: .messages, in: &sweep, beside: &load) {
                broker, ids, conversation, rule throws(BrokerError) in
                try await broker.erase(
                    ids, in: conversation, olderThan: rule.limit, by: rule.choice,
                    objects: links.replies(of: ids, in: rule.choice.business))
            }
            guard !Task.isCancelled else { return }
            sweep.reached(place.value, of: .messages)
            for one in old.isEmpty ? [] : sweep.moved() {
                try await store.advanceRetention(one, under: lease)
            }
            await pauseBetween()
        }
    }

    private func eraseNotes(_ sweep: inout RetentionSweep) async throws(StoreError) {
        let store = services.store
        let end = try await store.newestNote()
        var place = sweep.firstNote
        var load = makeLoad()
        while place < end, !Task.isCancelled {
            let page = try await store.agedNotes(after: place)
            place = min(end, place + AgedNote.stride)
            let old = sweep.old(page.filter { $0.place <= place }, of: .notes)
            try await erase(old, of: .notes, in: &sweep, beside: &load) {
                broker, ids, conversation, rule throws(BrokerError) in
                try await broker.erase(ids, in: conversation, by: rule.choice)
            }
            guard !Task.isCancelled else { return }
            sweep.reached(place, of: .notes)
            await pauseBetween()
        }
    }

    /// Erases what is old of a page, each commit some of one conversation.
    private func erase<ID>(
        _ old: [RetentionSweep.Old<ID>], of kind: RetentionSweep.Kind,
        in sweep: inout RetentionSweep, beside load: inout Load,
        by erase:
            @Sendable (Broker, [ID], ConversationID, Rule) async throws(BrokerError) -> Int
    ) async throws(StoreError) {
        for (conversation, aged) in old {
            for piece in aged.pieces(of: Self.stride) where !Task.isCancelled {
                guard !sweep.isDamaged(conversation) else {
                    sweep.note(piece, of: kind, erased: nil)
                    continue
                }
                let business = piece[0].business
                guard let rule = sweep.rule(of: business) else { break }
                await standBack(&load)
                let begin = services.time.instant()
                let outcome = try await attempt(in: conversation) { broker throws(BrokerError) in
                    try await erase(broker, piece.map(\.id), conversation, rule)
                }
                load.spent = begin.duration(to: services.time.instant())
                guard case .done(let erased) = outcome else {
                    sweep.end(of: business)
                    break
                }
                switch kind {
                case .messages: messages.add(erased ?? 0)
                case .notes: notes.add(erased ?? 0)
                }
                sweep.note(piece, of: kind, erased: erased)
            }
        }
    }

    /// Erases in one conversation; one that cannot be read keeps no other from being erased in.
    private func attempt(
        in conversation: ConversationID,
        _ erase: @Sendable (Broker) async throws(BrokerError) -> Int
    ) async throws(StoreError) -> Outcome {
        do throws(BrokerError) {
            return .done(try await erase(services.broker))
        } catch {
            switch error {
            // A hold that came meanwhile may be one of many: the next round reads them all.
            case .refused(.preconditionFailed), .refused(.onHold): return .chosenOtherwise
            // What is not there any more was deleted meanwhile.
            case .refused: return .done(nil)
            case .store(let failure):
                guard failure.code == .damaged else { throw failure }
                services.log.warning(
                    "retention_damaged",
                    [
                        "conversation": .text(conversation.text), "detail": .text(failure.detail),
                    ])
                return .done(nil)
            }
        }
    }

    /// Waits for as long as the piece before lasted, and while messages come fast; not for ever: a promise was made, and
    /// a piece lasts for hours where the machine slept.
    private func standBack(_ load: inout Load) async {
        let begin = services.time.instant()
        while !Task.isCancelled {
            let now = services.time.instant()
            let newest = services.store.newest
            guard begin.duration(to: now) < Self.patience,
                load.schedule.next(newest: newest, indexed: newest, at: now) == .standBack
            else { return await pauseBetween(after: load.spent) }
            // Safe: the loop asks for cancellation.
            try? await services.time.sleep(IndexSchedule.window)
        }
    }

    private func makeLoad() -> Load {
        Load(schedule: IndexSchedule(newest: services.store.newest, at: services.time.instant()))
    }

    private func pauseBetween(after spent: Duration = .zero) async {
        guard rest > .zero else { return }
        // Safe: the callers ask for cancellation.
        try? await services.time.sleep(max(rest, min(spent, Self.patience)))
    }

    private var secondsBehind: Double {
        let now = services.time.now()
        return state.withLock { $0.retentions }.map { $0.secondsBehind(at: now) }.max() ?? 0
    }
}

extension Retention {
    /// Whether there may be something to erase that no sweep has looked at.
    func isDue(at now: Timestamp) -> Bool {
        guard beginsAt <= now else { return false }
        guard let through = progress.through else { return true }
        let waited = limit(at: now).since(through)
        // It is ahead where the clock was: what was imported since lies behind it.
        return waited >= RetentionWorker.interval || waited <= .zero - RetentionWorker.interval
    }

    /// For how long what is to be erased was not looked at.
    func secondsBehind(at now: Timestamp) -> Double {
        guard beginsAt <= now else { return 0 }
        let waited = progress.through.map { limit(at: now).since($0) } ?? now.since(beginsAt)
        return Double(max(0, min(waited, now.since(beginsAt)) / .milliseconds(1))) / 1_000
    }
}

extension Array {
    /// The elements in order, so many at once.
    fileprivate func pieces(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}

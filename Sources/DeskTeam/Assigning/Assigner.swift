public import DeskBroker
public import DeskLog
public import DeskModel
package import DeskStore
import Synchronization

/// Gives conversations without an assignee to agents who are there, the longest wait first, in one process
/// of those that share a store.
///
/// It has no state: whatever happens to a conversation or to an agent makes it look at the business again,
/// and what it finds is in the store and in what pages report. Who is next is decided in the commit
/// (`AssignAutomatically`), so that a process that only believes to hold the lease, and a person who
/// assigns a conversation at the same moment, change nothing of it.
public final class Assigner: Sendable {
    /// The lease of the process that does it.
    static let lease = "assigner"
    /// Time in which what happens is gathered before it looks.
    static let rest = Duration.milliseconds(100)
    /// Longest time between two looks at all businesses: what went back may be due for an agent again.
    static let pause = Duration.seconds(15)
    /// Conversations of one queue that are read at once.
    static let page = 20
    /// What may let a conversation be assigned.
    private static let news: Set<EventType> = [
        .messageAccepted, .conversationReopened, .conversationAssigned, .conversationClosed,
        .conversationSnoozed, .conversationPending, .conversationTeamChanged, .assignmentSaved,
        .teamSaved, .customerLeft, .customerUnblocked, .conversationControlChanged,
    ]

    private let broker: Broker
    private let permitted: Set<Role>
    private let time: TimeSource
    private let log: Log
    private let mayWrite: @Sendable () -> Bool
    private let waiting = Mutex<Set<BusinessID>>([])
    private let wake = WakeSignal()

    /// Puts it together; nothing happens before `run()`.
    ///
    /// - Parameters:
    ///   - permitted: the roles that may handle conversations.
    ///   - mayWrite: whether there is room on the disk for what can wait.
    public init(
        of broker: Broker, permitted: Set<Role>, time: TimeSource = .system, log: Log = .silent,
        mayWrite: @escaping @Sendable () -> Bool = { true }
    ) {
        self.broker = broker
        self.permitted = permitted
        self.time = time
        self.log = log
        self.mayWrite = mayWrite
    }

    /// Assigns whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: broker.store, named: Self.lease).run { _ in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.listen() }
                group.addTask { await self.lookAtTimes() }
                group.addTask { await self.assign() }
            }
        }
    }

    /// Assigns what waits in a business; returns how many conversations were given to agents.
    ///
    /// - Throws: what the store throws; what is assigned by then stays so.
    package func round(of business: BusinessID) async throws(StoreError) -> Int {
        let settings = AssignmentSettings(try await broker.store.assignment(of: business))
        guard settings.isOn else { return 0 }
        let online = broker.availability(in: business).filter { $0.value == .online }.keys
            .sorted { $0.text < $1.text }
        guard !online.isEmpty else { return 0 }
        var count = 0
        if settings.rule.strategy != .off {
            count += try await serve(nil, of: business, online)
        }
        for team in try await broker.store.teams(of: business)
        where settings.rule(of: team.id).strategy != .off {
            let there = online.filter { team.members.contains($0) }
            if !there.isEmpty { count += try await serve(team.id, of: business, there) }
        }
        return count
    }

    /// Assigns the waiting conversations of a team, or of none, until none of them has room.
    private func serve(
        _ team: TeamID?, of business: BusinessID, _ online: [AgentID]
    ) async throws(StoreError) -> Int {
        var filter = ConversationFilter(businesses: [business], states: [.open])
        filter.care = .unassigned
        filter.team = .some(team)
        var count = 0
        var place: WaitingPlace?
        while !Task.isCancelled {
            let page = try await broker.store.waitingConversations(
                filter, at: PageEdge(after: place), limit: Self.page)
            for conversation in page.elements {
                switch try await assign(conversation.id, to: online) {
                case .assigned: count += 1
                case .notDue, .reserved: continue
                case .full: return count
                }
            }
            place = page.elements.last.flatMap { WaitingPlace($0) }
            guard page.hasMore, place != nil else { break }
        }
        return count
    }

    private func assign(
        _ conversation: ConversationID, to online: [AgentID]
    ) async throws(StoreError) -> AssignmentOutcome {
        do throws(BrokerError) {
            return try await broker.assign(conversation, to: online, permitted: permitted)
        } catch {
            switch error {
            case .refused: return .notDue
            case .store(let failure):
                guard failure.code == .damaged else { throw failure }
                return .notDue
            }
        }
    }

    // MARK: What makes it look

    private func listen() async {
        while !Task.isCancelled {
            let live = broker.events(after: nil, in: .everything)
            await lookAtAll()
            do throws(StoreError) {
                while let item = try await live.next() {
                    guard note(item) else { break }
                }
            } catch {
                // What was missed is found by the look at all businesses that follows.
            }
            live.leave()
        }
    }

    /// Notes what an item is about; false where some were left out.
    private func note(_ item: StreamItem) -> Bool {
        switch item {
        case .live: return true
        case .reset, .cutOff: return false
        case .signal(let signal):
            if signal.kind == .availability, signal.state == .online { look(at: [signal.business]) }
        case .event(let shared):
            let event = shared.event
            guard Self.news.contains(event.type) else { return true }
            if event.type == .messageAccepted, event.conversation?.assignee != nil { return true }
            look(at: [event.business])
        }
        return true
    }

    private func lookAtTimes() async {
        while !Task.isCancelled {
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(Self.pause)
            await lookAtAll()
        }
    }

    private func lookAtAll() async {
        do throws(StoreError) {
            look(at: try await broker.store.businesses().map(\.id))
        } catch {
            log.warning("assigner_paused", ["error": .text(error.description)])
        }
    }

    private func look(at businesses: [BusinessID]) {
        waiting.withLock { $0.formUnion(businesses) }
        wake.notify()
    }

    private func assign() async {
        while !Task.isCancelled {
            await wake.wait()
            // Safe: sleeping fails only when cancelled, which the loop looks at.
            try? await time.sleep(Self.rest)
            let businesses = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            guard mayWrite() else { continue }
            for business in businesses where !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await round(of: business)
                } catch {
                    guard error.code != .closed else { return }
                    log.warning("assigner_paused", ["error": .text(error.description)])
                }
            }
        }
    }
}

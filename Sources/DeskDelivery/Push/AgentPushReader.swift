package import DeskBroker
public import DeskModel
public import DeskStore
public import DeskTeam

/// Notifies agents' browsers of what concerns them, while no console of theirs is in use.
///
/// What is pushed says in which conversation of which business and why, and no word of it: the browser asks for that with
/// the agent's session when it shows the notification.
public struct AgentPushReader: LogReader {
    /// Finds what an agent chose.
    package typealias ChoicesOf = @Sendable (AgentID) async throws(StoreError) -> NoticeChoices

    /// What its cursor lies under.
    public let name = ReaderName("agent-push")
    /// It acts, so it begins with what comes.
    public let beginning = ReaderBeginning.newest
    /// It stores nothing.
    public let beginningWrites = ReaderWrites.nothing

    private let broker: Broker
    private let sender: PushSender
    private let handling: Set<Role>
    private let choices: ChoicesOf
    private let time: TimeSource
    private let pace = NoticePace()

    /// Reads a broker's log and has a sender send.
    ///
    /// - Parameter handling: the roles whose members handle conversations.
    package init(
        of broker: Broker, by sender: PushSender, handling: Set<Role>, time: TimeSource = .system,
        choices: @escaping ChoicesOf
    ) {
        self.broker = broker
        self.sender = sender
        self.handling = handling
        self.time = time
        self.choices = choices
    }

    /// Whether it wants the events of a type: those that may be news to an agent.
    public func wants(_ type: EventType) -> Bool { AgentNotice.types.contains(type) }

    /// Notifies each agent, in each browser, of the newest in each conversation.
    public func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        let news = events.flatMap { event in
            AgentNotice.all(of: event).map { News(notice: $0, event: event) }
        }
        guard !news.isEmpty else { return .nothing }
        let businesses = Set(news.map(\.event.business))
        let found = try await broker.store.agentPushSubscriptions(
            ofMembersOf: Array(businesses), at: time.latest())
        guard !found.isEmpty else { return .nothing }
        let current = try await withoutBots(news)
        let inUse = Dictionary(
            uniqueKeysWithValues: businesses.map { ($0, broker.agentsAtConsoles(of: $0)) })
        var messages: [PushMessage] = []
        for (agent, subscriptions) in Dictionary(grouping: found, by: \.agent) {
            guard let agent else { continue }
            let reaching = current.filter {
                $0.notice.reaches(agent, handling: true)
                    && inUse[$0.event.business]?.contains(agent) == false
            }
            guard !reaching.isEmpty else { continue }
            let choices = try await choices(agent)
            let mine = try await filter(
                reaching.filter { choices.wants($0.notice.reason) }, for: agent)
            messages += try await self.messages(mine, to: agent, subscriptions, choices)
        }
        await sender.send(messages)
        // What a server that ends has not sent is read again by the next one.
        guard !Task.isCancelled else { throw StoreError(.closed, "the server ends") }
        return .nothing
    }

    /// What may be news to an agent.
    private struct News {
        let notice: AgentNotice
        let event: Event
        /// Whether only browsers are notified in which the agent signed in with a passkey.
        var needsPasskey = false
    }

    /// What is news to people: nothing of what a bot answers.
    private func withoutBots(_ news: [News]) async throws(StoreError) -> [News] {
        var left: [News] = []
        for one in news {
            if one.notice.waitsForPeople,
                let control = try await broker.store.findControl(of: one.notice.conversation),
                case .bot = control.controller
            {
                continue
            }
            left.append(one)
        }
        return left
    }

    /// What of it reaches an agent who may read it, of each conversation the newest.
    private func filter(
        _ news: [News], for agent: AgentID
    ) async throws(StoreError) -> [News] {
        guard !news.isEmpty else { return [] }
        let memberships = try await broker.store.memberships(of: agent)
        var newest: [ConversationID: News] = [:]
        for one in news {
            let membership = memberships.first { $0.business == one.event.business }
            guard let membership,
                one.notice.reaches(agent, handling: handling.contains(membership.role))
            else { continue }
            var one = one
            // Where a second factor is required, a member without one has no role but by a passkey.
            one.needsPasskey = membership.lacksSecondFactor
            newest[one.notice.conversation] = one
        }
        if newest.values.contains(where: \.needsPasskey),
            try await broker.store.passkeys(of: agent).isEmpty
        {
            newest = newest.filter { !$0.value.needsPasskey }
        }
        return newest.values.sorted { $0.event.id.position < $1.event.id.position }
    }

    private func messages(
        _ news: [News], to agent: AgentID, _ subscriptions: [PushSubscription],
        _ choices: NoticeChoices
    ) async throws(StoreError) -> [PushMessage] {
        let now = time.latest()
        let awake = subscriptions.filter { one in
            guard case .agent(_, device: _, let zone) = one.owner else { return false }
            return !choices.isQuiet(at: now, in: zone)
        }
        guard !awake.isEmpty else { return [] }
        var messages: [PushMessage] = []
        for one in news {
            let reached = one.needsPasskey ? awake.filter(\.isByPasskey) : awake
            guard !reached.isEmpty else { continue }
            let text: (subject: String, payload: [UInt8], keptSeconds: Int)
            switch pace.next(for: agent, at: time.instant()) {
            case .each:
                let name = try await broker.store.findBusiness(one.event.business)?.name ?? ""
                text = (
                    one.notice.conversation.text,
                    AgentPushText.notice(one.notice, one.event.id, of: name, choices.isSilent),
                    AgentPushText.keptSeconds(of: one.notice.reason)
                )
            case .several:
                text = (
                    "several", AgentPushText.word("several", choices.isSilent),
                    AgentPushText.shortSeconds
                )
            case .nothing: continue
            }
            messages += reached.map {
                PushMessage(
                    subscription: $0, subject: text.subject, payload: text.payload,
                    keptSeconds: text.keptSeconds)
            }
        }
        return messages
    }
}

extension PushSubscription {
    /// The agent whose it is; nil for a customer's.
    fileprivate var agent: AgentID? {
        if case .agent(let agent, device: _, zone: _) = owner { agent } else { nil }
    }
}

import DeskModel
import DeskStore

/// Counts events of one batch, from what was known before it.
struct ReportTally {
    private var states: [ConversationID: ReportState]
    private var cards: [ReportCard.Name: ReportCard]
    private var counts: [ReportKey: ReportCounts] = [:]
    private var changedStates: Set<ConversationID> = []
    private var changedCards: Set<ReportCard.Name> = []
    private var finished: Set<ReportCard.Name> = []

    /// Begins a batch with what is known of its conversations and cards.
    init(states: [ReportState], cards: [ReportCard]) {
        self.states = Dictionary(states.map { ($0.conversation, $0) }) { first, _ in first }
        self.cards = Dictionary(cards.map { ($0.name, $0) }) { first, _ in first }
    }

    /// What the batch changes.
    var change: ReportChange {
        var change = ReportChange()
        change.counts = counts
        change.states = changedStates.compactMap { states[$0] }
        change.cards = changedCards.compactMap { cards[$0] }
        change.finished = Array(finished)
        return change
    }

    /// Counts an event; one that says nothing of the work changes nothing.
    mutating func count(_ event: Event) {
        guard let conversation = event.conversation?.id else { return }
        var state = states[conversation] ?? ReportState(conversation, of: event.business)
        let before = state
        switch event.body {
        // What was said in another system is no work of here.
        case .message(let message) where message.facts.importedFrom != nil: return
        case .message(let message):
            switch message.facts.direction {
            case .inbound: receive(message, at: event.time, &state)
            case .outbound: send(message, at: event.time, &state)
            }
        case .conversation(let step):
            if step.isImported, !step.isOfLabelsOrTeam { return }
            follow(step, of: event.type, at: event.time, &state)
        case .note, .json: break
        }
        guard state != before else { return }
        states[conversation] = state
        changedStates.insert(conversation)
    }

    // MARK: Messages

    private mutating func receive(
        _ message: StoredMessage, at time: Timestamp, _ state: inout ReportState
    ) {
        if state.rating == message.id {
            // It answers a question about what is done: nothing begins, and no customer waits.
            state.rating = nil
            add(to: places(of: state, kind: message.facts.kind), at: time) { $0.received += 1 }
            if let asked = message.answeredCard {
                answer(ReportCard.Name(asked, in: message.conversation), with: message, state)
            }
            return
        }
        if state.begunAt == nil {
            state.entry = InboundReading.entry(of: message).text
            begin(at: time, &state)
        }
        if !state.isAnswered, state.asksSince == nil { state.asksSince = time }
        if state.waitsSince == nil { state.waitsSince = time }
        add(to: places(of: state, kind: message.facts.kind), at: time) { $0.received += 1 }
        if let asked = message.answeredCard {
            answer(ReportCard.Name(asked, in: message.conversation), with: message, state)
        }
    }

    private mutating func send(
        _ message: StoredMessage, at time: Timestamp, _ state: inout ReportState
    ) {
        let facts = message.facts
        let agent = Self.agent(facts.author)
        add(to: places(of: state, kind: facts.kind, agent: agent), at: time) { $0.sent += 1 }
        if Self.isOfPeople(facts.author) { endWaiting(by: agent, at: time, &state) }
        guard facts.kind.isCard else { return }
        let slot = ReportKey.slot(of: time)
        let name = ReportCard.Name(message.id, in: message.conversation)
        let card = ReportCard(name, facts.kind, by: agent, slot: slot)
        cards[name] = card
        changedCards.insert(name)
        finished.remove(name)
        add(to: Self.places(of: card), in: state.business, slot) { $0.cards += 1 }
    }

    private mutating func endWaiting(
        by agent: AgentID?, at time: Timestamp, _ state: inout ReportState
    ) {
        let places = places(of: state, agent: agent)
        if let since = state.waitsSince {
            add(to: places, at: time) {
                $0.addWait(of: Self.milliseconds(from: since, to: time))
            }
            state.waitsSince = nil
        }
        if let since = state.asksSince {
            add(to: places, at: time) {
                $0.addAnswer(after: Self.milliseconds(from: since, to: time))
            }
            state.asksSince = nil
            state.isAnswered = true
        }
    }

    private mutating func answer(
        _ name: ReportCard.Name, with message: StoredMessage, _ state: ReportState
    ) {
        guard var card = cards[name], !finished.contains(name) else { return }
        let isPaid = card.kind == .payment && InboundReading.isPaid(message)
        let isFirst = !card.isAnswered
        guard isFirst || isPaid else { return }
        card.isAnswered = true
        cards[name] = card
        add(to: Self.places(of: card), in: state.business, card.slot) {
            if isFirst { $0.cardsAnswered += 1 }
            if isPaid { $0.cardsPaid += 1 }
        }
        // Only a payment may still come to more.
        if isPaid || card.kind != .payment {
            changedCards.remove(name)
            finished.insert(name)
        } else {
            changedCards.insert(name)
        }
    }

    // MARK: Changes

    private mutating func follow(
        _ step: ConversationStep, of type: EventType, at time: Timestamp,
        _ state: inout ReportState
    ) {
        if type == .conversationReopened {
            // A customer's message follows, and begins the work.
            if case .customer = step.author { return }
            let wasAnswered = state.isAnswered
            if state.begunAt == nil { begin(at: time, &state) }
            guard case .waiting(let waiting) = step.change else { return }
            // A closing was undone: the customer waits as before it.
            state.isAnswered = wasAnswered
            state.waitsSince = waiting.since
            if !wasAnswered { state.asksSince = waiting.since }
        } else if type == .conversationClosed {
            close(by: Self.agent(step.author), at: time, &state)
        } else if case .satisfaction(let step) = step.change {
            rate(step, &state)
        } else if type == .conversationAnswerOverdue {
            miss(step, at: time, state)
        } else if case .team(_, let team) = step.change {
            if state.begunAt != nil, let team {
                add(to: [(.team, team.text)], in: state.business, at: time) { $0.begun += 1 }
            }
            state.team = team
        } else if case .labels(let added, let removed) = step.change {
            if state.begunAt != nil {
                let fresh = added.filter { !state.labels.contains($0) }
                add(to: fresh.map { (.label, $0.text) }, in: state.business, at: time) {
                    $0.begun += 1
                }
            }
            state.labels.removeAll { removed.contains($0) || added.contains($0) }
            state.labels += added
        }
    }

    /// Counts a question, or its answer in the slot of the question: what was asked and answered of a time are
    /// about the same work.
    private mutating func rate(_ step: Satisfaction.Step, _ state: inout ReportState) {
        let work = step.question.work
        var places: [Place] = [(.total, "")]
        if let agent = work.assignee { places.append((.agent, agent.text)) }
        if let team = work.team { places.append((.team, team.text)) }
        for label in work.labels { places.append((.label, label.text)) }
        add(to: places, in: state.business, at: step.question.askedAt) {
            guard let answer = step.answer else { return $0.asked += 1 }
            if let before = answer.before { $0.score(before, by: -1) }
            $0.score(answer.score, by: 1)
        }
        state.rating = step.answer?.message
    }

    private mutating func begin(at time: Timestamp, _ state: inout ReportState) {
        state.begunAt = time
        state.isAnswered = false
        state.asksSince = nil
        add(to: places(of: state), at: time) { $0.begun += 1 }
    }

    private mutating func close(
        by agent: AgentID?, at time: Timestamp, _ state: inout ReportState
    ) {
        guard let begun = state.begunAt else { return }
        add(to: places(of: state, agent: agent), at: time) {
            $0.addClose(after: Self.milliseconds(from: begun, to: time))
        }
        state.begunAt = nil
        state.asksSince = nil
        state.waitsSince = nil
    }

    /// Counts an answer that is overdue under the agent who had the conversation then.
    private mutating func miss(
        _ step: ConversationStep, at time: Timestamp, _ state: ReportState
    ) {
        // An event of an earlier program does not say which answer it was.
        var isFirst = state.asksSince != nil
        if case .overdue(let kind, _) = step.change { isFirst = kind == .first }
        add(to: places(of: state, agent: step.assignee), at: time) {
            if isFirst { $0.firstOverdue += 1 } else { $0.nextOverdue += 1 }
        }
    }

    // MARK: Where it is counted

    private typealias Place = (dimension: ReportDimension, member: String)

    private struct Places {
        let business: BusinessID
        let all: [Place]
    }

    private func places(
        of state: ReportState, kind: MessageKind? = nil, agent: AgentID? = nil
    ) -> Places {
        var all: [Place] = [(.total, "")]
        if let kind { all.append((.kind, kind.rawValue)) }
        if let agent { all.append((.agent, agent.text)) }
        if let team = state.team { all.append((.team, team.text)) }
        if let entry = state.entry { all.append((.entry, entry)) }
        for label in state.labels { all.append((.label, label.text)) }
        return Places(business: state.business, all: all)
    }

    private static func places(of card: ReportCard) -> [Place] {
        var all: [Place] = [(.total, ""), (.kind, card.kind.rawValue)]
        if let agent = card.agent { all.append((.agent, agent.text)) }
        return all
    }

    private mutating func add(
        to places: Places, at time: Timestamp, _ change: (inout ReportCounts) -> Void
    ) {
        add(to: places.all, in: places.business, at: time, change)
    }

    private mutating func add(
        to places: [Place], in business: BusinessID, at time: Timestamp,
        _ change: (inout ReportCounts) -> Void
    ) {
        add(to: places, in: business, ReportKey.slot(of: time), change)
    }

    private mutating func add(
        to places: [Place], in business: BusinessID, _ slot: Timestamp,
        _ change: (inout ReportCounts) -> Void
    ) {
        for (dimension, member) in places {
            let key = ReportKey(of: business, dimension, member, slot: slot)
            change(&counts[key, default: ReportCounts()])
        }
    }

    private static func agent(_ author: Author) -> AgentID? {
        if case .agent(let id) = author { id } else { nil }
    }

    /// Whether an answer of this author ends the customer's waiting: what the server sends by itself
    /// does not.
    private static func isOfPeople(_ author: Author) -> Bool {
        switch author {
        case .agent, .key, .customer, .provider, .command: true
        case .script, .server, .rule: false
        }
    }

    /// The time between two moments; none when the clock was set back in between.
    private static func milliseconds(from begin: Timestamp, to end: Timestamp) -> Int64 {
        max(0, end.milliseconds - begin.milliseconds)
    }
}

extension ConversationStep {
    /// Whether it changed labels or the team, under which later work is counted.
    fileprivate var isOfLabelsOrTeam: Bool {
        switch change {
        case .labels, .team: true
        case .assignee, .priority, .attributes, .participants, .watchers, .overdue, .satisfaction,
            .waiting, nil:
            false
        }
    }
}

extension StoredMessage {
    /// The card that it answers; nil for a text, which only quotes what it answers.
    fileprivate var answeredCard: MessageID? { facts.kind == .text ? nil : facts.inReplyTo }
}

extension MessageKind {
    /// Whether it is a card that a customer answers.
    var isCard: Bool {
        switch self {
        case .quickReply, .list, .time, .payment, .app, .form, .authentication, .invitation,
            .interactive:
            true
        case .text, .richLink, .reference: false
        }
    }
}

import DeskModel
import DeskStore

/// Whether a rule leads to itself. The rule is carried out twice on a conversation of which nothing is
/// known: what the first time left is certain, so what the second time does is what it does for ever.
extension RuleProgram {
    /// Whether what the rule does causes what it waits for, with its conditions certainly true, each
    /// time again.
    var causesItself: Bool {
        var seen = Traced()
        seen.take(actions)
        let left = seen
        let events = seen.take(actions)
        guard causes(rule.trigger, events, left) else { return false }
        return conditions.allSatisfy { left.holds($0, when: rule.trigger) }
    }

    private func causes(
        _ trigger: TeamRule.Trigger, _ events: [EventType], _ left: Traced
    ) -> Bool {
        switch trigger {
        case .conversationBegun, .customerMessage, .satisfactionAnswered: false
        case .messageSent: actions.contains { if case .send = $0 { true } else { false } }
        case .assigned: events.contains(.conversationAssigned) && left.assignee != .some(nil)
        case .teamChanged: events.contains(.conversationTeamChanged)
        case .labelAdded: events.contains(.conversationLabelsChanged)
        case .closed: events.contains(.conversationClosed)
        case .reopened: events.contains(.conversationReopened)
        // The end of the sleep comes by itself.
        case .snoozeEnded: left.wakes
        case .priorityChanged: events.contains(.conversationPriorityChanged)
        // The customer still waits, and each of these has the time counted again.
        case .firstAnswerOverdue, .nextAnswerOverdue:
            left.wakes
                || events.contains {
                    [
                        EventType.conversationPriorityChanged, .conversationTeamChanged,
                        .conversationReopened,
                    ].contains($0)
                }
        }
    }

    /// What actions leave of a conversation; nil is what they do not touch.
    private struct Traced {
        var state: ConversationState?
        var wakes = false
        var assignee: AgentID??
        var team: TeamID??
        var priority: Priority?
        var labels: [LabelID: Bool] = [:]

        /// Carries actions out, and returns the events that they certainly have.
        @discardableResult
        mutating func take(_ actions: [TeamAction]) -> [EventType] {
            var events: [EventType] = []
            for action in actions {
                switch action {
                case .assign(let next):
                    let agent: AgentID? = if case .agent(let id) = next { id } else { nil }
                    if let assignee, assignee != agent { events.append(.conversationAssigned) }
                    assignee = .some(agent)
                case .move(let next):
                    if let team, team != next { events.append(.conversationTeamChanged) }
                    team = .some(next)
                case .prioritize(let next):
                    if let priority, priority != next {
                        events.append(.conversationPriorityChanged)
                    }
                    priority = next
                case .label(let add, let remove):
                    if add.contains(where: { labels[$0] == false }) {
                        events.append(.conversationLabelsChanged)
                    }
                    for label in remove { labels[label] = false }
                    for label in add { labels[label] = true }
                case .enter(let next): enter(next, &events)
                case .snooze(let minutes):
                    enter(.snoozed, &events)
                    wakes = minutes != nil
                case .note, .send: break
                }
            }
            return events
        }

        private mutating func enter(_ next: ConversationState, _ events: inout [EventType]) {
            if let state, state != next {
                switch next {
                case .open: events.append(.conversationReopened)
                case .closed: events.append(.conversationClosed)
                case .pending, .snoozed: break
                }
            }
            state = next
            wakes = false
        }

        /// Whether a condition is certainly true after the actions; what they do not touch is as it was
        /// when they began, when it was true.
        func holds(_ condition: RuleCondition, when trigger: TeamRule.Trigger) -> Bool {
            let isSo: Bool?
            switch condition.test {
            case .state(let wanted):
                // Whatever slept is open when it wakes, and so is what is overdue.
                switch trigger {
                case .snoozeEnded, .firstAnswerOverdue, .nextAnswerOverdue: isSo = wanted == .open
                case .conversationBegun, .customerMessage, .messageSent, .assigned, .teamChanged,
                    .labelAdded, .closed, .reopened, .priorityChanged, .satisfactionAnswered:
                    isSo = state.map { $0 == wanted }
                }
            case .assignee(let holder):
                isSo = assignee.map { assignee in
                    switch holder {
                    case .nobody: assignee == nil
                    case .somebody: assignee != nil
                    case .agent(let agent): assignee == agent
                    }
                }
            case .team(let wanted): isSo = team.map { $0 == wanted }
            case .priority(let wanted): isSo = priority.map { $0 == wanted }
            case .label(let label): isSo = labels[label]
            case .language, .intent, .group, .scoreAtMost: isSo = nil
            // The own message and another time of the day are not known.
            case .text, .kind, .channel, .isWithinHours: return false
            }
            return isSo.map { $0 != condition.isNot } ?? true
        }
    }
}

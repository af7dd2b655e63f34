public import DeskJSON
public import DeskModel
import DeskStore

/// A rule as it is carried out: its texts, read.
public struct RuleProgram: Sendable {
    /// The rule.
    package let rule: TeamRule
    /// What must be so.
    package let conditions: [RuleCondition]
    /// What it does.
    package let actions: [TeamAction]

    /// Reads a rule as it was stored; nil for one that this program cannot carry out.
    package init?(_ rule: TeamRule) {
        guard let conditions = Self.value(rule.conditions), let actions = Self.value(rule.actions)
        else { return nil }
        do {
            try self.init(rule, if: conditions, then: actions)
        } catch {
            return nil
        }
    }

    /// Reads a rule as a request states it.
    ///
    /// - Throws: the first thing that cannot be so, with its place.
    public init(
        _ rule: TeamRule, if conditions: JSONValue, then actions: JSONValue
    ) throws(TeamActionFault) {
        self.rule = rule
        self.conditions = try RuleCondition.list(conditions, for: rule.trigger)
        self.actions = try TeamAction.list(actions)
        for (place, action) in self.actions.enumerated() where action == .assign(.caller) {
            throw TeamActionFault(
                actions[place]?["assign"] ?? actions, "null, or the id of a member",
                "A rule is nobody to assign to: name a member.")
        }
        guard !causesItself else {
            throw TeamActionFault(
                actions, "actions that do not cause \(rule.trigger.rawValue) once more",
                "The rule would cause its own event, with its conditions still true, and so for ever: "
                    + "add a condition that its actions end, or take out the action.")
        }
    }

    /// Whether an event is what the rule waits for; a message that a program of the customer's side sent
    /// by itself is not, so that two programs do not answer each other for ever.
    package func waits(for event: Event) -> Bool {
        switch (rule.trigger, event.body) {
        case (.conversationBegun, .message(let message)):
            message.facts.isFromPerson && message.sequence == SequenceNumber.start.next
        case (.customerMessage, .message(let message)):
            // What only answers a question about satisfaction asks for nothing.
            message.facts.isFromPerson
                && event.conversation?.satisfaction?.answer?.message != message.id
        case (.messageSent, .message(let message)): message.facts.direction == .outbound
        case (.assigned, .conversation(let step)):
            event.type == .conversationAssigned && step.assignee != nil
        case (.teamChanged, _): event.type == .conversationTeamChanged
        case (.labelAdded, .conversation(let step)):
            if case .labels(let added, _) = step.change { !added.isEmpty } else { false }
        case (.closed, _): event.type == .conversationClosed
        case (.reopened, .conversation(let step)):
            event.type == .conversationReopened && step.author != .server
        case (.snoozeEnded, .conversation(let step)):
            event.type == .conversationReopened && step.author == .server
        case (.priorityChanged, _): event.type == .conversationPriorityChanged
        case (.satisfactionAnswered, _): event.type == .satisfactionAnswered
        case (.firstAnswerOverdue, .conversation(let step)):
            if case .overdue(.first, _) = step.change { true } else { false }
        case (.nextAnswerOverdue, .conversation(let step)):
            if case .overdue(.next, _) = step.change { true } else { false }
        case (.conversationBegun, _), (.customerMessage, _), (.messageSent, _), (.assigned, _),
            (.labelAdded, _), (.reopened, _), (.snoozeEnded, _), (.firstAnswerOverdue, _),
            (.nextAnswerOverdue, _):
            false
        }
    }

    /// The types of events that rules wait for.
    package static func waits(for type: EventType) -> Bool {
        switch type {
        case .messageAccepted, .conversationAssigned, .conversationTeamChanged,
            .conversationLabelsChanged, .conversationClosed, .conversationReopened,
            .conversationPriorityChanged, .conversationAnswerOverdue, .satisfactionAnswered:
            true
        case .messageScheduled, .messageUnscheduled, .messageUnsent, .messageErased,
            .messageDeliveredUpstream, .messageRefusedUpstream, .messageReceiptChanged,
            .conversationOpened,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationSnoozed, .conversationPending, .conversationAttributesChanged,
            .customerLeft, .customerReturned, .customerBlocked, .customerUnblocked, .noteAdded,
            .noteEdited, .noteDeleted, .templatePublished, .templateRemoved, .labelSaved,
            .teamSaved, .hoursSaved,
            .automaticAnswersSaved, .assignmentSaved, .ruleSaved, .viewSaved, .viewRemoved,
            .satisfactionSaved, .satisfactionAsked,
            .serviceLevelsSaved, .conversationAnswerDueChanged,
            .libraryFileSaved, .libraryFileRemoved, .contactLinksChanged,
            .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationControlChanged, .conversationMetadataChanged,
            .attributeSaved, .contactSaved,
            .contactMerged,
            .contactUnmerged, .deliveryFailed, .deliveryDead, .webhookDisabled, .webhookEnabled,
            .keyRevoked, .keyReplaced, .eventDamaged, .other:
            false
        }
    }

    private static func value(_ bytes: [UInt8]) -> JSONValue? {
        // Safe: what cannot be read is no rule, which its caller says.
        (try? JSONDocument(parsing: bytes))?.root
    }
}

extension MessageFacts {
    /// Whether a customer wrote it, and no program on the customer's side.
    fileprivate var isFromPerson: Bool { direction == .inbound && !isAutomatic }
}

extension EventBody {
    /// The rule that made the event; nil where none did.
    var rule: RuleMark? {
        let author: Author? =
            switch self {
            case .message(let message): message.facts.author
            case .conversation(let step): step.author
            case .note(let note): note.author
            case .json: nil
            }
        if case .rule(let mark)? = author { return mark }
        return nil
    }
}

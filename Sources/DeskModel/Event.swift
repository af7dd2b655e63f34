/// What happened; dotted and past tense, the same in stream, WebSocket, webhook and export.
public enum EventType: Hashable, Sendable {
    /// A message was stored.
    case messageAccepted
    /// An agent's message is to be sent a little later, unless its author withdraws it.
    case messageScheduled
    /// Its author withdrew the message.
    case messageUnscheduled
    /// A message was refused when it was due, and is left to its author.
    case messageUnsent
    /// A message's content was erased; its number, time, direction and kind stay.
    case messageErased
    /// An upstream accepted a message.
    case messageDeliveredUpstream
    /// An upstream refused a message.
    case messageRefusedUpstream
    /// A channel said how far a message came that it accepted.
    case messageReceiptChanged
    /// A customer wrote for the first time.
    case conversationOpened
    /// A conversation was assigned, or its assignment was removed.
    case conversationAssigned
    /// A conversation was given to a team, or removed from it.
    case conversationTeamChanged
    /// A conversation's priority was changed.
    case conversationPriorityChanged
    /// Labels were added to a conversation or removed.
    case conversationLabelsChanged
    /// Participants of a conversation were added or removed by hand.
    case conversationParticipantsChanged
    /// An agent follows a conversation, or no longer.
    case conversationWatchersChanged
    /// The work is done.
    case conversationClosed
    /// The conversation sleeps.
    case conversationSnoozed
    /// The conversation waits for something outside.
    case conversationPending
    /// The conversation is open again.
    case conversationReopened
    /// It was computed anew when the customer is to be answered.
    case conversationAnswerDueChanged
    /// The customer was not answered in time.
    case conversationAnswerOverdue
    /// The customer is asked how satisfied they are.
    case satisfactionAsked
    /// The customer said how satisfied they are.
    case satisfactionAnswered
    /// The customer deleted the conversation.
    case customerLeft
    /// The customer wrote again after leaving.
    case customerReturned
    /// An agent left a note for colleagues.
    case noteAdded
    /// A note's author changed its text.
    case noteEdited
    /// A note's author deleted its text; the note stays in its place.
    case noteDeleted
    /// A template got a new version.
    case templatePublished
    /// A template was removed.
    case templateRemoved
    /// A business's label was made or changed.
    case labelSaved
    /// A business's team was made or changed.
    case teamSaved
    /// The hours of a business or of one of its teams were set or removed.
    case hoursSaved
    /// What the server answers by itself for a business was chosen.
    case automaticAnswersSaved
    /// A business's rule was made, changed or removed.
    case ruleSaved
    /// How a business or one of its teams assigns by itself was chosen.
    case assignmentSaved
    /// How soon a business wants to answer was chosen.
    case serviceLevelsSaved
    /// Whether and how customers of a business are asked after a closing was chosen.
    case satisfactionSaved
    /// A view that the members of a business share was made or changed.
    case viewSaved
    /// A view is shared no longer.
    case viewRemoved
    /// A file was added to a business's library, or renamed.
    case libraryFileSaved
    /// A file was removed from a business's library.
    case libraryFileRemoved
    /// An answer was suggested in a conversation.
    case suggestionAdded
    /// An agent sent, edited or rejected a suggested answer.
    case suggestionSettled
    /// A bot of a business was registered or changed.
    case botSaved
    /// Another has control of a conversation, or was offered it.
    case conversationControlChanged
    /// Someone asked the operator's model about a conversation.
    case assistantAsked
    /// Values of a conversation's attributes were changed.
    case conversationAttributesChanged
    /// Metadata of a conversation was changed.
    case conversationMetadataChanged
    /// An attribute was defined, or its definition changed.
    case attributeSaved
    /// A customer was blocked.
    case customerBlocked
    /// A customer is blocked no longer.
    case customerUnblocked
    /// A contact was merged into another.
    case contactMerged
    /// The merge of a contact was undone.
    case contactUnmerged
    /// Agents linked a contact with one of another business, or parted the two.
    case contactLinksChanged
    /// What a business knows of a person was changed.
    case contactSaved
    /// An attempt to send to a delivery target failed.
    case deliveryFailed
    /// The last attempt failed.
    case deliveryDead
    /// A webhook endpoint was disabled: it answered 410 or failed for five days, or an author did it.
    case webhookDisabled
    /// A webhook endpoint was enabled again.
    case webhookEnabled
    /// A key acts for a business no longer.
    case keyRevoked
    /// A key was made in the place of another.
    case keyReplaced
    /// The stored row of this position is damaged; replay says so, and it is never stored.
    case eventDamaged
    /// A type that this program does not know: a later one wrote it. It is passed on as it is.
    case other(OtherEventType)

    /// The types that this program knows.
    public static let known: [EventType] = [
        .messageAccepted, .messageScheduled, .messageUnscheduled, .messageUnsent, .messageErased,
        .messageDeliveredUpstream, .messageRefusedUpstream, .messageReceiptChanged,
        .conversationOpened,
        .conversationAssigned, .conversationTeamChanged, .conversationPriorityChanged,
        .conversationLabelsChanged, .conversationParticipantsChanged,
        .conversationWatchersChanged, .conversationClosed, .conversationSnoozed,
        .conversationPending, .labelSaved, .teamSaved, .hoursSaved,
        .automaticAnswersSaved, .assignmentSaved, .ruleSaved, .viewSaved, .viewRemoved,
        .serviceLevelsSaved, .conversationAnswerDueChanged, .conversationAnswerOverdue,
        .satisfactionSaved, .satisfactionAsked, .satisfactionAnswered,
        .conversationReopened, .customerLeft,
        .customerReturned, .noteAdded, .noteEdited, .noteDeleted,
        .templatePublished, .templateRemoved, .conversationAttributesChanged, .contactSaved,
        .contactMerged, .contactUnmerged, .attributeSaved, .customerBlocked,
        .customerUnblocked,
        .libraryFileSaved, .libraryFileRemoved, .contactLinksChanged,
        .suggestionAdded, .suggestionSettled, .assistantAsked,
        .botSaved, .conversationControlChanged, .conversationMetadataChanged,
        .deliveryFailed, .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked,
        .keyReplaced, .eventDamaged,
    ]

    /// The type's text.
    public var rawValue: String {
        switch self {
        case .messageAccepted: "message.accepted"
        case .messageScheduled: "message.scheduled"
        case .messageUnscheduled: "message.unscheduled"
        case .messageUnsent: "message.unsent"
        case .messageErased: "message.erased"
        case .messageDeliveredUpstream: "message.delivered_upstream"
        case .messageRefusedUpstream: "message.refused_upstream"
        case .messageReceiptChanged: "message.receipt_changed"
        case .conversationOpened: "conversation.opened"
        case .conversationAssigned: "conversation.assigned"
        case .conversationTeamChanged: "conversation.team_changed"
        case .conversationPriorityChanged: "conversation.priority_changed"
        case .conversationLabelsChanged: "conversation.labels_changed"
        case .conversationParticipantsChanged: "conversation.participants_changed"
        case .conversationWatchersChanged: "conversation.watchers_changed"
        case .labelSaved: "label.saved"
        case .teamSaved: "team.saved"
        case .hoursSaved: "hours.saved"
        case .automaticAnswersSaved: "automatic_answers.saved"
        case .ruleSaved: "rule.saved"
        case .assignmentSaved: "assignment.saved"
        case .viewSaved: "view.saved"
        case .serviceLevelsSaved: "service_levels.saved"
        case .conversationAnswerDueChanged: "conversation.answer_due_changed"
        case .conversationAnswerOverdue: "conversation.answer_overdue"
        case .satisfactionSaved: "satisfaction.saved"
        case .satisfactionAsked: "conversation.satisfaction_asked"
        case .satisfactionAnswered: "conversation.satisfaction_answered"
        case .viewRemoved: "view.removed"
        case .libraryFileSaved: "library.file_saved"
        case .libraryFileRemoved: "library.file_removed"
        case .suggestionAdded: "suggestion.added"
        case .suggestionSettled: "suggestion.settled"
        case .assistantAsked: "assistant.asked"
        case .botSaved: "bot.saved"
        case .conversationControlChanged: "conversation.control_changed"
        case .conversationMetadataChanged: "conversation.metadata_changed"
        case .contactSaved: "contact.saved"
        case .contactLinksChanged: "contact.links_changed"
        case .contactMerged: "contact.merged"
        case .contactUnmerged: "contact.unmerged"
        case .customerBlocked: "customer.blocked"
        case .customerUnblocked: "customer.unblocked"
        case .attributeSaved: "attribute.saved"
        case .conversationAttributesChanged: "conversation.attributes_changed"
        case .conversationClosed: "conversation.closed"
        case .conversationSnoozed: "conversation.snoozed"
        case .conversationPending: "conversation.pending"
        case .conversationReopened: "conversation.reopened"
        case .customerLeft: "customer.left"
        case .customerReturned: "customer.returned"
        case .noteAdded: "note.added"
        case .noteEdited: "note.edited"
        case .noteDeleted: "note.deleted"
        case .templatePublished: "template.published"
        case .templateRemoved: "template.removed"
        case .deliveryFailed: "delivery.failed"
        case .deliveryDead: "delivery.dead"
        case .webhookDisabled: "webhook.disabled"
        case .webhookEnabled: "webhook.enabled"
        case .keyRevoked: "key.revoked"
        case .keyReplaced: "key.replaced"
        case .eventDamaged: "event.damaged"
        case .other(let type): type.text
        }
    }

    /// Reads a type's text; nil for one that no type can have.
    public init?(rawValue: String) {
        switch rawValue {
        case "message.accepted": self = .messageAccepted
        case "message.scheduled": self = .messageScheduled
        case "message.unscheduled": self = .messageUnscheduled
        case "message.unsent": self = .messageUnsent
        case "message.erased": self = .messageErased
        case "message.delivered_upstream": self = .messageDeliveredUpstream
        case "message.refused_upstream": self = .messageRefusedUpstream
        case "message.receipt_changed": self = .messageReceiptChanged
        case "conversation.opened": self = .conversationOpened
        case "conversation.assigned": self = .conversationAssigned
        case "conversation.team_changed": self = .conversationTeamChanged
        case "conversation.priority_changed": self = .conversationPriorityChanged
        case "conversation.labels_changed": self = .conversationLabelsChanged
        case "conversation.participants_changed": self = .conversationParticipantsChanged
        case "conversation.watchers_changed": self = .conversationWatchersChanged
        case "label.saved": self = .labelSaved
        case "team.saved": self = .teamSaved
        case "hours.saved": self = .hoursSaved
        case "automatic_answers.saved": self = .automaticAnswersSaved
        case "rule.saved": self = .ruleSaved
        case "assignment.saved": self = .assignmentSaved
        case "view.saved": self = .viewSaved
        case "service_levels.saved": self = .serviceLevelsSaved
        case "conversation.answer_due_changed": self = .conversationAnswerDueChanged
        case "conversation.answer_overdue": self = .conversationAnswerOverdue
        case "satisfaction.saved": self = .satisfactionSaved
        case "conversation.satisfaction_asked": self = .satisfactionAsked
        case "conversation.satisfaction_answered": self = .satisfactionAnswered
        case "view.removed": self = .viewRemoved
        case "library.file_saved": self = .libraryFileSaved
        case "library.file_removed": self = .libraryFileRemoved
        case "suggestion.added": self = .suggestionAdded
        case "suggestion.settled": self = .suggestionSettled
        case "assistant.asked": self = .assistantAsked
        case "bot.saved": self = .botSaved
        case "conversation.control_changed": self = .conversationControlChanged
        case "conversation.metadata_changed": self = .conversationMetadataChanged
        case "contact.saved": self = .contactSaved
        case "contact.links_changed": self = .contactLinksChanged
        case "contact.merged": self = .contactMerged
        case "contact.unmerged": self = .contactUnmerged
        case "customer.blocked": self = .customerBlocked
        case "customer.unblocked": self = .customerUnblocked
        case "attribute.saved": self = .attributeSaved
        case "conversation.attributes_changed": self = .conversationAttributesChanged
        case "conversation.closed": self = .conversationClosed
        case "conversation.snoozed": self = .conversationSnoozed
        case "conversation.pending": self = .conversationPending
        case "conversation.reopened": self = .conversationReopened
        case "customer.left": self = .customerLeft
        case "customer.returned": self = .customerReturned
        case "note.added": self = .noteAdded
        case "note.edited": self = .noteEdited
        case "note.deleted": self = .noteDeleted
        case "template.published": self = .templatePublished
        case "template.removed": self = .templateRemoved
        case "delivery.failed": self = .deliveryFailed
        case "delivery.dead": self = .deliveryDead
        case "webhook.disabled": self = .webhookDisabled
        case "webhook.enabled": self = .webhookEnabled
        case "key.revoked": self = .keyRevoked
        case "key.replaced": self = .keyReplaced
        case "event.damaged": self = .eventDamaged
        default:
            guard let other = OtherEventType(rawValue) else { return nil }
            self = .other(other)
        }
    }

    /// Whether the customer's side may see events of this type; never those of an unknown one.
    public var isForCustomer: Bool {
        switch self {
        case .messageAccepted, .messageErased, .eventDamaged, .customerLeft: true
        case .messageScheduled, .messageUnscheduled, .messageUnsent,
            .messageDeliveredUpstream, .messageRefusedUpstream, .messageReceiptChanged,
            .conversationOpened, .conversationAssigned, .conversationTeamChanged,
            .conversationPriorityChanged, .conversationLabelsChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged, .labelSaved,
            .teamSaved, .hoursSaved, .automaticAnswersSaved, .assignmentSaved, .ruleSaved,
            .viewSaved, .viewRemoved, .serviceLevelsSaved,
            .conversationAttributesChanged, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationAnswerDueChanged, .conversationAnswerOverdue,
            .satisfactionSaved, .satisfactionAsked, .satisfactionAnswered,
            .conversationReopened, .customerReturned,
            .customerBlocked, .customerUnblocked,
            .noteAdded, .noteEdited, .noteDeleted, .templatePublished, .templateRemoved,
            .contactSaved,
            .contactMerged, .contactUnmerged, .attributeSaved,
            .libraryFileSaved, .libraryFileRemoved, .contactLinksChanged,
            .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationControlChanged, .conversationMetadataChanged, .deliveryFailed,
            .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked, .keyReplaced, .other:
            false
        }
    }

    /// Whether an event of this type is about a note.
    public var isOfNote: Bool {
        self == .noteAdded || self == .noteEdited || self == .noteDeleted
    }
}

/// The log's unit.
public struct Event: Hashable, Sendable {
    /// The version of the event's shape.
    public static let schema = 1
    /// Payloads over this many bytes travel by reference.
    public static let maximumPayloadBytes = 32 * 1_024

    /// Its name for ever.
    public let id: EventID
    /// What happened.
    public let type: EventType
    /// When, by the wall clock.
    public let time: Timestamp
    /// To whose business.
    public let business: BusinessID
    /// The conversation it happened in, as the event left it when it is live.
    ///
    /// When it is replayed, revision, state, assignee, end of the snooze, and beside a message the last
    /// message, are still those of the event; all else is as of now.
    public let conversation: Conversation?
    /// What it is about.
    public let body: EventBody

    /// Puts an event together.
    public init(
        id: EventID, type: EventType, time: Timestamp, business: BusinessID,
        conversation: Conversation?, body: EventBody
    ) {
        self.id = id
        self.type = type
        self.time = time
        self.business = business
        self.conversation = conversation
        self.body = body
    }

    /// The revision that it made of its conversation; nil outside of conversations, and for changes
    /// stored before revisions were counted.
    public var revision: Revision? {
        conversation.flatMap { $0.revision > .start ? $0.revision : nil }
    }

    /// The message's number, for events about a message.
    public var sequence: SequenceNumber? {
        switch body {
        case .message(let message): message.sequence
        case .conversation, .note, .json: nil
        }
    }
}

extension EventType {
    /// Whether a thread shows events of this type between its messages: who changed what, and when.
    public var isOfThread: Bool {
        switch self {
        case .conversationOpened, .conversationAssigned, .conversationTeamChanged,
            .conversationPriorityChanged, .conversationLabelsChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationAttributesChanged, .conversationClosed,
            .conversationSnoozed,
            .conversationPending, .conversationAnswerOverdue, .conversationReopened, .customerLeft,
            .customerReturned, .customerBlocked, .customerUnblocked, .satisfactionAnswered,
            .conversationControlChanged, .other:
            true
        case .conversationAnswerDueChanged, .satisfactionSaved, .satisfactionAsked,
            .messageAccepted, .messageScheduled,
            .messageUnscheduled, .messageUnsent,
            .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
            .messageReceiptChanged, .noteAdded,
            .noteEdited, .noteDeleted, .templatePublished, .templateRemoved, .labelSaved,
            .teamSaved,
            .hoursSaved, .automaticAnswersSaved, .assignmentSaved, .ruleSaved, .viewSaved,
            .viewRemoved, .serviceLevelsSaved, .contactSaved, .contactMerged,
            .contactUnmerged, .attributeSaved, .libraryFileSaved, .libraryFileRemoved,
            .contactLinksChanged, .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationMetadataChanged,
            .deliveryFailed, .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked,
            .keyReplaced, .eventDamaged:
            false
        }
    }

    /// Whether an event of this type fixes a step of its conversation.
    public var hasStep: Bool {
        switch self {
        case .conversationOpened, .conversationAssigned, .conversationTeamChanged,
            .conversationPriorityChanged, .conversationLabelsChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationAttributesChanged, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationAnswerDueChanged, .conversationAnswerOverdue,
            .conversationReopened, .customerLeft,
            .customerReturned, .customerBlocked, .customerUnblocked, .satisfactionAsked,
            .satisfactionAnswered:
            true
        case .satisfactionSaved, .messageAccepted, .messageScheduled, .messageUnscheduled,
            .messageUnsent,
            .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
            .messageReceiptChanged, .noteAdded,
            .noteEdited, .noteDeleted, .templatePublished, .templateRemoved, .labelSaved,
            .teamSaved,
            .hoursSaved, .automaticAnswersSaved, .assignmentSaved, .ruleSaved, .viewSaved,
            .viewRemoved, .serviceLevelsSaved, .contactSaved, .contactMerged,
            .contactUnmerged, .attributeSaved, .libraryFileSaved, .libraryFileRemoved,
            .contactLinksChanged, .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationControlChanged, .conversationMetadataChanged,
            .deliveryFailed, .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked,
            .keyReplaced, .eventDamaged, .other:
            false
        }
    }
}

public import DeskModel
public import DeskStore

/// Counts the work of businesses, for reports.
public struct ReportReader: LogReader {
    private let store: any ReportRegistry

    /// Counts into a store.
    public init(_ store: any ReportRegistry) { self.store = store }

    /// The name of the counters' cursor.
    public static let name = ReaderName("reports")

    /// The name of the counters' cursor.
    public var name: ReaderName { Self.name }

    /// Everything that is kept is counted.
    public var beginning: ReaderBeginning { .oldest }

    /// The counters begin at zero.
    public var beginningWrites: ReaderWrites {
        var change = ReportChange()
        change.isAnew = true
        return .reports(change)
    }

    /// Messages, what changes a conversation's state, team or labels, and answers that are overdue.
    public func wants(_ type: EventType) -> Bool {
        switch type {
        case .messageAccepted, .conversationReopened, .conversationClosed,
            .conversationLabelsChanged, .conversationTeamChanged, .conversationAnswerOverdue,
            .satisfactionAsked, .satisfactionAnswered:
            true
        case .messageScheduled, .messageUnscheduled, .messageUnsent, .noteEdited, .noteDeleted,
            .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
            .messageReceiptChanged,
            .conversationOpened, .conversationAssigned, .conversationPriorityChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationSnoozed, .conversationPending, .customerLeft, .customerReturned,
            .customerBlocked, .customerUnblocked, .conversationAttributesChanged, .noteAdded,
            .templatePublished, .templateRemoved, .labelSaved, .teamSaved, .hoursSaved,
            .automaticAnswersSaved,
            .assignmentSaved, .ruleSaved, .viewSaved, .viewRemoved, .serviceLevelsSaved,
            .satisfactionSaved, .conversationAnswerDueChanged,
            .libraryFileSaved, .libraryFileRemoved, .contactLinksChanged,
            .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationControlChanged, .conversationMetadataChanged,
            .attributeSaved, .contactSaved, .contactMerged, .contactUnmerged, .deliveryFailed,
            .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked, .keyReplaced,
            .eventDamaged, .other:
            false
        }
    }

    /// Counts a batch.
    public func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites {
        var conversations: Set<ConversationID> = []
        var cards: Set<ReportCard.Name> = []
        for event in events {
            guard let conversation = event.conversation?.id else { continue }
            conversations.insert(conversation)
            if case .message(let message) = event.body, let asked = message.facts.inReplyTo {
                cards.insert(ReportCard.Name(asked, in: conversation))
            }
        }
        var tally = ReportTally(
            states: try await store.reportStates(of: Array(conversations)),
            cards: try await store.reportCards(Array(cards)))
        for event in events { tally.count(event) }
        return .reports(tally.change)
    }
}

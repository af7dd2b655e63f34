import DeskModel

/// What is known of an endpoint's queue: what was read of it, what was noted since, and what runs.
struct PlannedEndpoint: Sendable {
    /// Deliveries that are kept in memory behind others of their conversations; further ones stay in the store alone.
    static let mostBehind = 32

    /// A conversation of which a pending delivery is known, for which the later ones wait.
    private struct Line {
        /// What was noted behind it, the next first.
        var behind: ArraySlice<Delivery> = []
        /// Whether nothing else of the conversation is pending.
        var isWhole: Bool
    }

    var webhook: Webhook
    /// Due ones, the next first.
    var waiting: ArraySlice<Delivery> = []
    /// Those that are attempted, or whose results are not stored yet.
    var underWay: Set<Position> = []
    var running = 0
    /// Whether the queue is being read, and what was settled meanwhile, of which the rows that come say
    /// nothing yet.
    var isBeingRead = false
    var settledMeanwhile: Set<Position> = []
    /// Whether the queue may hold more than what is known of it.
    var mayHaveMore = true
    var isReady = false
    var failingSince: Timestamp?
    /// When the first of the failed attempts ended that this plan saw; nil where the last one succeeded.
    var seenFailingSince: ContinuousClock.Instant?
    private var lines: [ConversationID: Line] = [:]
    private var behindCount = 0
    /// The newest that was noted: one that is noted twice is not attempted twice.
    private var newest = Position(0)

    init(webhook: Webhook) {
        self.webhook = webhook
        failingSince = webhook.failingSince
    }

    /// What a delivery that was noted means.
    enum News {
        /// It waits for an earlier one of its conversation.
        case waits
        /// It is the next of its conversation, and `waiting` has it.
        case isNext
        /// The queue has to be read.
        case isUnread
    }

    /// Adds a delivery that was noted.
    ///
    /// Where the queue is known, nothing has to be read for it: an endpoint that keeps up has each delivery from
    /// who noted it.
    mutating func add(_ delivery: Delivery, most: Int) -> News {
        let isNew = delivery.position > newest
        newest = max(newest, delivery.position)
        if let conversation = delivery.conversation, lines[conversation] != nil {
            addBehind(delivery, of: conversation, isNew: isNew)
            return .waits
        }
        guard isNew, !mayHaveMore, !isBeingRead, waiting.count < most else {
            mayHaveMore = true
            return .isUnread
        }
        if let conversation = delivery.conversation {
            lines[conversation] = Line(isWhole: true)
        }
        waiting.append(delivery)
        return .isNext
    }

    private mutating func addBehind(
        _ delivery: Delivery, of conversation: ConversationID, isNew: Bool
    ) {
        guard lines[conversation]?.isWhole == true else { return }
        guard isNew, behindCount < Self.mostBehind else {
            lines[conversation]?.isWhole = false
            return
        }
        lines[conversation]?.behind.append(delivery)
        behindCount += 1
    }

    /// Has its queue read again, since it changed in another way than by what was noted behind its end.
    mutating func readAgain() {
        mayHaveMore = true
        for conversation in lines.keys { lines[conversation] = Line(isWhole: false) }
        behindCount = 0
    }

    /// Begins anew with the pending deliveries that were read: of each conversation the earliest.
    mutating func know(_ pending: some Sequence<Delivery>) {
        lines = [:]
        behindCount = 0
        for case let conversation? in pending.map(\.conversation) {
            lines[conversation] = Line(isWhole: false)
        }
    }

    /// Ends a delivery that is not pending any more; the next of its conversation is in `waiting` where it is known.
    ///
    /// - Returns: whether the queue has to be read, since it may have something behind it.
    mutating func end(_ delivery: Delivery) -> Bool {
        guard !isBeingRead else {
            if let conversation = delivery.conversation { forget(conversation) }
            mayHaveMore = true
            return true
        }
        guard let conversation = delivery.conversation else { return false }
        if let next = lines[conversation]?.behind.popFirst() {
            behindCount -= 1
            waiting.append(next)
            return false
        }
        guard forget(conversation) else {
            mayHaveMore = true
            return true
        }
        return false
    }

    /// Forgets a conversation; returns whether all of it was known.
    @discardableResult
    private mutating func forget(_ conversation: ConversationID) -> Bool {
        let line = lines.removeValue(forKey: conversation)
        behindCount -= line?.behind.count ?? 0
        return line?.isWhole ?? false
    }
}

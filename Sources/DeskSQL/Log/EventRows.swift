package import DeskModel
package import DeskStore

/// How events are read back: with their conversation and message beside them.
package enum EventRows {
    private static let columns = select(MessageColumns.forStreams + ", " + stepBefore)

    /// The newest step of a message's conversation before it: what its state was then.
    private static let stepBefore = """
        CASE WHEN e.type = 'message.accepted' THEN (SELECT s.data FROM events s \
        WHERE s.conversation = e.conversation AND s.position < e.position \
        AND s.type != 'message.accepted' AND s.type IN (\(stepTypes)) \
        ORDER BY s.position DESC LIMIT 1) END
        """

    private static let stepTypes = EventType.known.filter(\.hasStep)
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    private static func select(_ messages: String) -> String {
        """
        SELECT \(EventColumns.covered), e.seal, eb.id, \(ConversationColumns.list), \
        \(messages) FROM events e \
        LEFT JOIN businesses eb ON eb.number = e.business \
        LEFT JOIN conversations c ON c.number = e.conversation \
        LEFT JOIN businesses b ON b.number = c.business \
        LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' \
        WHERE e.position > ? AND e.position <= ?
        """
    }

    private static let all = "\(columns) ORDER BY e.position LIMIT ?"

    private static let ofBusinesses = """
        \(columns) AND e.business IN (SELECT number FROM businesses WHERE id IN (%)) \
        ORDER BY e.position LIMIT ?
        """

    private static let ofBusiness = """
        \(columns) AND e.business = (SELECT number FROM businesses WHERE id = ?) \
        ORDER BY e.position LIMIT ?
        """

    /// Businesses up to which the statement for their number is kept.
    private static let keptCounts = 8

    private static let ofConversation = """
        \(columns) AND e.conversation = (SELECT number FROM conversations WHERE id = ?) \
        ORDER BY e.position LIMIT ?
        """

    // A customer's side is shown no state.
    private static let ofCustomer = """
        \(select(MessageColumns.forStreams + ", NULL")) AND e.conversation = (SELECT number FROM conversations WHERE id = ?) \
        AND e.type IN ('message.accepted', 'message.erased') ORDER BY e.position LIMIT ?
        """

    /// Reads a page; a damaged event is replaced by one that says so.
    package static func page(
        after start: Position, upTo end: Position, in scope: EventScope, limit: Int, epoch: Epoch,
        ahead unflushed: UnflushedRows, damaged: (Damage) -> Void,
        on sql: any SQLSession
    ) throws(StoreError) -> EventPage {
        func page(
            after start: Int64, upTo end: Int64, limit: Int
        ) throws(StoreError) -> [Event] {
            let statement = try statement(for: scope, on: sql)
            try statement.bind(start)
            try statement.bind(end)
            switch scope {
            case .everything: break
            case .businesses(let businesses):
                for business in businesses { try statement.bind(business.value) }
            case .conversation(let id), .customer(let id): try statement.bind(id.value)
            }
            try statement.bind(Int64(limit))
            let rows = try statement.all { row throws(StoreError) in
                try read(row, epoch: epoch, ahead: unflushed, damaged: damaged)
            }
            return try rows.map { row throws(StoreError) in
                try row.type.isOfNote
                    ? withNote(row, damaged: damaged, on: sql) : row.event
            }
        }
        do {
            var events: [Event] = []
            let way = try EventWay(
                from: start.value, to: end.value, in: scope, limit: limit, ahead: unflushed,
                on: sql)
            try way.follow { after, last throws(StoreError) in
                events += try page(after: after, upTo: last, limit: limit - events.count)
                return events.count < limit
            }
            let isLast = events.count < limit
            return EventPage(
                events: events, end: isLast ? end : events[limit - 1].id.position)
        } catch {
            // A leaf of the file that cannot be read: the others are read place by place.
            guard error.code == .damaged else { throw error }
        }
        var events: [Event] = []
        let last = min(start.value + Int64(limit), end.value)
        for place in start.value..<last {
            do {
                events += try page(after: place, upTo: place + 1, limit: 1)
            } catch {
                guard error.code == .damaged else { throw error }
                let position = Position(place + 1)
                damaged(Damage("event", position: position, reason: "cannot be read"))
                events.append(missing(at: position, epoch: epoch, of: nil, in: nil))
            }
        }
        return EventPage(events: events, end: Position(last))
    }

    /// The event that replaces one that is not what was written.
    private static func missing(
        at position: Position, epoch: Epoch, of business: BusinessID?, in one: Conversation?
    ) -> Event {
        Event(
            id: EventID(epoch: epoch, position: position), type: .eventDamaged,
            time: Timestamp(milliseconds: 0),
            business: business ?? BusinessID(UniqueID(high: 0, low: 0)),
            conversation: one?.asOf(nil as Revision?), body: .json(Array("{}".utf8)))
    }

    private struct Row {
        let event: Event
        let subject: Int64
        var type: EventType { event.type }
    }

    private static func statement(
        for scope: EventScope, on sql: any SQLSession
    ) throws(StoreError) -> any SQLStatement {
        switch scope {
        case .everything: return try sql.statement(all)
        case .businesses(let businesses):
            if businesses.count == 1 { return try sql.statement(ofBusiness) }
            let parts = ofBusinesses.split(separator: "%", maxSplits: 1)
            let text = "\(parts[0])\(Dialect.parameters(businesses.count))\(parts[1])"
            // A reader far behind asks once for each range.
            return businesses.count <= keptCounts
                ? try sql.statement(text) : try sql.statement(once: text)
        case .conversation: return try sql.statement(ofConversation)
        case .customer: return try sql.statement(ofCustomer)
        }
    }

    private static func read(
        _ row: any SQLStatement, epoch: Epoch, ahead unflushed: UnflushedRows,
        damaged: (Damage) -> Void
    ) throws(StoreError) -> Row {
        let isWhole = row.isVerified(.events)
        let position = Position(max(0, row.integer()))
        guard isWhole else {
            damaged(Damage("event", position: position, reason: "check sum"))
            return Row(
                event: missing(at: position, epoch: epoch, of: nil, in: nil), subject: 0)
        }
        let known = row.textIfAny().flatMap { EventType(rawValue: $0) }
        let time = row.time()
        row.skip(1)
        let number = row.integerIfAny()
        let subject = row.integerIfAny()
        let data = row.bytesIfAny()
        let revision = EventColumns.revision(row)
        row.skip(1)
        let owner = row.idIfAny().map { BusinessID($0) }
        var conversation: Conversation?
        do {
            if number != nil {
                let found = try ConversationColumns.read(row).conversation
                conversation = (unflushed[found.id]?.conversation ?? found).asOf(revision)
            } else {
                row.skip(ConversationColumns.count)
            }
            let type = try row.require(known, "a type")
            let business = try row.require(owner, "a business")
            let body = try body(of: type, in: &conversation, data: data, row)
            return Row(
                event: Event(
                    id: EventID(epoch: epoch, position: position), type: type, time: time,
                    business: business, conversation: conversation, body: body),
                subject: subject ?? 0)
        } catch {
            // The event is whole, and the message or note that it reports is not.
            guard error.code == .damaged else { throw error }
            damaged(
                Damage(
                    "event", conversation: conversation?.id, position: position,
                    reason: "it reports what cannot be read: \(error.detail)"))
            return Row(
                event: missing(at: position, epoch: epoch, of: owner, in: conversation),
                subject: 0)
        }
    }

    private static func body(
        of type: EventType, in conversation: inout Conversation?, data: [UInt8]?,
        _ row: any SQLStatement
    ) throws(StoreError) -> EventBody {
        switch type {
        case .messageAccepted:
            let one = try row.require(conversation, "a conversation")
            let message = try MessageColumns.read(row, in: one.id, of: one.business)
            // A message from before revisions were counted made that of its number.
            let past = one.revision == .start ? one.asOf(Revision(message.sequence.value)) : one
            let step = row.bytesIfAny().flatMap {
                RowFields.readStep(String(decoding: $0, as: UTF8.self))
            }
            conversation = past.asOf(message, after: step)
            return .message(message)
        case .conversationOpened, .conversationAssigned, .conversationTeamChanged,
            .conversationPriorityChanged, .conversationLabelsChanged,
            .conversationParticipantsChanged, .conversationWatchersChanged,
            .conversationAttributesChanged, .conversationClosed,
            .conversationSnoozed,
            .conversationPending, .conversationAnswerDueChanged, .conversationAnswerOverdue,
            .conversationReopened, .customerLeft,
            .customerReturned, .customerBlocked, .customerUnblocked, .satisfactionAsked,
            .satisfactionAnswered:
            let text = String(decoding: data ?? [], as: UTF8.self)
            let step = try row.require(RowFields.readStep(text), "a step")
            conversation = conversation?.asOf(step)
            return .conversation(step)
        case .messageScheduled, .messageUnscheduled, .messageUnsent, .messageErased,
            .messageDeliveredUpstream, .messageRefusedUpstream, .messageReceiptChanged, .noteAdded,
            .noteEdited,
            .noteDeleted, .templatePublished, .templateRemoved, .labelSaved, .teamSaved,
            .hoursSaved,
            .automaticAnswersSaved, .assignmentSaved, .ruleSaved, .viewSaved, .viewRemoved,
            .serviceLevelsSaved, .satisfactionSaved,
            .contactSaved, .contactMerged,
            .contactUnmerged,
            .attributeSaved,
            .libraryFileSaved, .libraryFileRemoved, .contactLinksChanged,
            .suggestionAdded, .suggestionSettled, .assistantAsked, .botSaved,
            .conversationControlChanged, .conversationMetadataChanged,
            .deliveryFailed, .deliveryDead, .webhookDisabled, .webhookEnabled, .keyRevoked,
            .keyReplaced, .eventDamaged:
            return .json(data ?? [])
        case .other:
            return .json(object(data))
        }
    }

    /// The data of an event that a later program may have written, as a JSON object's text.
    static func object(_ data: [UInt8]?) -> [UInt8] {
        isObject(data) ? data ?? [] : Array("{}".utf8)
    }

    /// Whether the data of an event that a later program wrote is a JSON object's text; it may be a
    /// record of `RowFields`, whose first field begins without a quotation mark, or nothing.
    private static func isObject(_ data: [UInt8]?) -> Bool {
        guard let data, data.first == UInt8(ascii: "{"), data.last == UInt8(ascii: "}") else {
            return false
        }
        return data.count == 2 || data[1] == UInt8(ascii: "\"")
    }

    private static func withNote(
        _ row: Row, damaged: (Damage) -> Void, on sql: any SQLSession
    ) throws(StoreError) -> Event {
        let event = row.event
        let statement = try sql.statement(NoteRows.byNumber)
        try statement.bind(row.subject)
        let found: Note?
        do {
            found = try statement.first { row throws(StoreError) in try NoteRows.read(row) }
        } catch {
            guard error.code == .damaged else { throw error }
            found = nil
        }
        guard let note = found else {
            damaged(
                Damage(
                    "note", conversation: event.conversation?.id, position: event.id.position,
                    reason: "cannot be read"))
            return missing(
                at: event.id.position, epoch: event.id.epoch, of: event.business,
                in: event.conversation)
        }
        return Event(
            id: event.id, type: event.type, time: event.time, business: event.business,
            conversation: event.conversation, body: .note(note))
    }
}

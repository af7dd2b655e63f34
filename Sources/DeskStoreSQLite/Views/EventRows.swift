import DeskModel
import DeskStore

/// How events are read back: with their conversation and message beside them.
enum EventRows {
    private static let columns = """
        SELECT e.position, e.type, e.time, eb.id, e.subject, e.data, e.conversation, \
        \(ConversationColumns.list), \(MessageColumns.forStreams) FROM events e \
        JOIN businesses eb ON eb.number = e.business \
        LEFT JOIN conversations c ON c.number = e.conversation \
        LEFT JOIN businesses b ON b.number = c.business \
        LEFT JOIN messages m ON m.position = e.position AND e.type = 'message.accepted' \
        WHERE e.position > ? AND e.position <= ?
        """

    private static let all = "\(columns) ORDER BY e.position LIMIT ?"

    private static let ofBusinesses = """
        \(columns) AND e.business IN (SELECT number FROM businesses WHERE id IN (%)) \
        ORDER BY e.position LIMIT ?
        """

    private static let ofConversation = """
        \(columns) AND e.conversation = (SELECT number FROM conversations WHERE id = ?) \
        ORDER BY e.position LIMIT ?
        """

    private static let ofCustomer = """
        \(columns) AND e.conversation = (SELECT number FROM conversations WHERE id = ?) \
        AND e.type = 'message.accepted' ORDER BY e.position LIMIT ?
        """

    static func page(
        after start: Position, upTo end: Position, in scope: EventScope, limit: Int, epoch: Epoch,
        ahead lagging: [ConversationID: HotConversation], on connection: Connection
    ) throws(StoreError) -> EventPage {
        let statement = try statement(for: scope, on: connection)
        try statement.bind(start.value)
        try statement.bind(end.value)
        switch scope {
        case .everything: break
        case .businesses(let businesses):
            for business in businesses { try statement.bind(business.value) }
        case .conversation(let id), .customer(let id): try statement.bind(id.value)
        }
        try statement.bind(Int64(limit))
        var events = try statement.all { row throws(StoreError) in
            try read(row, epoch: epoch, ahead: lagging)
        }
        for (place, event) in events.enumerated() where event.type == .noteAdded {
            events[place] = try withNote(event, on: connection)
        }
        let isLast = events.count < limit
        return EventPage(
            events: events.map(\.event), end: isLast ? end : events[limit - 1].event.id.position)
    }

    private struct Row {
        let event: Event
        let subject: Int64
        var type: EventType { event.type }
    }

    private static func statement(
        for scope: EventScope, on connection: Connection
    ) throws(StoreError) -> Statement {
        switch scope {
        case .everything: return try connection.statement(all)
        case .businesses(let businesses):
            let marks = Array(repeating: "?", count: businesses.count).joined(separator: ",")
            let parts = ofBusinesses.split(separator: "%", maxSplits: 1)
            return try connection.prepare(parts[0] + marks + parts[1])
        case .conversation: return try connection.statement(ofConversation)
        case .customer: return try connection.statement(ofCustomer)
        }
    }

    private static func read(
        _ row: Statement, epoch: Epoch, ahead lagging: [ConversationID: HotConversation]
    ) throws(StoreError) -> Row {
        let position = Position(max(0, row.integer()))
        let type = try row.value { EventType(rawValue: $0) }
        let time = row.time()
        let business = BusinessID(try row.id())
        let subject = row.integerIfAny()
        let data = row.bytesIfAny()
        let number = row.integerIfAny()
        var conversation: Conversation?
        if number != nil {
            let found = try ConversationColumns.read(row).conversation
            conversation = lagging[found.id]?.conversation ?? found
        } else {
            row.skip(ConversationColumns.count)
        }
        let body: EventBody
        switch type {
        case .messageAccepted:
            let conversation = try row.require(conversation, "a conversation")
            body = .message(
                try MessageColumns.read(row, in: conversation.id, of: conversation.business))
        case .conversationOpened, .conversationAssigned, .conversationClosed,
            .conversationSnoozed, .conversationPending, .conversationReopened, .customerLeft,
            .customerReturned:
            let text = String(decoding: data ?? [], as: UTF8.self)
            let step = try row.require(Fields.readStep(text), "a step")
            conversation = conversation?.asOf(step)
            body = .conversation(step)
        case .messageDeliveredUpstream, .messageRefusedUpstream, .noteAdded, .templatePublished,
            .deliveryFailed, .deliveryDead:
            body = .json(data ?? [])
        }
        return Row(
            event: Event(
                id: EventID(epoch: epoch, position: position), type: type, time: time,
                business: business, conversation: conversation, body: body),
            subject: subject ?? 0)
    }

    private static func withNote(_ row: Row, on connection: Connection) throws(StoreError) -> Row {
        let statement = try connection.statement(
            literal: """
                SELECT id, time, author_kind, author_name, text, after_sequence FROM notes \
                WHERE number = ?
                """)
        try statement.bind(row.subject)
        let note = try statement.first { row throws(StoreError) in try NoteRows.read(row) }
        guard let note else { throw StoreError(.damaged, "note \(row.subject) is missing") }
        let event = row.event
        return Row(
            event: Event(
                id: event.id, type: event.type, time: event.time, business: event.business,
                conversation: event.conversation, body: .note(note)), subject: row.subject)
    }
}

/// How notes are read.
enum NoteRows {
    static func read(_ row: Statement) throws(StoreError) -> Note {
        let id = NoteID(try row.id())
        let time = row.time()
        let kind = row.text()
        return Note(
            id: id, time: time, author: try row.value { Author(kind: kind, name: $0) },
            text: row.text(), afterSequence: SequenceNumber(max(0, row.integer())))
    }
}

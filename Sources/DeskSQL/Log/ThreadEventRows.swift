import DeskModel
import DeskStore

/// How the events between a thread's messages are read.
enum ThreadEventRows {
    // A type that the index leaves out is named here again, so that the index serves.
    private static let between = """
        SELECT \(EventColumns.covered), e.seal FROM events e \
        WHERE e.conversation = ? AND e.position > ? AND e.position < ? \
        AND e.type != 'message.accepted' AND e.type NOT IN (\(others)) \
        ORDER BY e.position DESC LIMIT 300
        """

    private static let others = EventType.known.filter { !$0.isOfThread }
        .map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The events after a message and before the one that follows the last, oldest first.
    ///
    /// A damaged event is left out.
    static func page(
        of one: ConversationRow, from first: SequenceNumber, to last: SequenceNumber, epoch: Epoch,
        damaged: (Damage) -> Void, on sql: any SQLSession
    ) throws(StoreError) -> [ThreadEvent] {
        let start = try ThreadRows.position(of: first, in: one, on: sql) ?? 0
        let end = try ThreadRows.position(of: last.next, in: one, on: sql) ?? .max
        let statement = try sql.statement(between)
        try statement.bind(one.number)
        try statement.bind(start)
        try statement.bind(end)
        return try statement.all { row throws(StoreError) in
            try read(row, of: one.conversation.id, epoch: epoch, damaged: damaged)
        }.compactMap { $0 }.reversed()
    }

    private static func read(
        _ row: any SQLStatement, of conversation: ConversationID, epoch: Epoch,
        damaged: (Damage) -> Void
    ) throws(StoreError) -> ThreadEvent? {
        let isWhole = row.isVerified(.events)
        let position = Position(max(0, row.integer()))
        guard isWhole, let type = row.textIfAny().flatMap({ EventType(rawValue: $0) }) else {
            damaged(
                Damage(
                    "event", conversation: conversation, position: position, reason: "check sum"))
            return nil
        }
        let time = row.time()
        row.skip(3)
        let data = row.bytesIfAny()
        let body: EventBody
        if type.hasStep {
            let text = String(decoding: data ?? [], as: UTF8.self)
            guard let step = RowFields.readStep(text) else {
                damaged(
                    Damage(
                        "event", conversation: conversation, position: position,
                        reason: "cannot be read"))
                return nil
            }
            body = .conversation(step)
        } else {
            body = .json(EventRows.object(data))
        }
        return ThreadEvent(
            id: EventID(epoch: epoch, position: position), type: type, time: time,
            revision: EventColumns.revision(row), body: body)
    }
}

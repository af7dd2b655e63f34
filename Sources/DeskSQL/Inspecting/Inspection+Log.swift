import DeskModel
import DeskStore

extension Inspection {
    private static let events = """
        SELECT \(EventColumns.covered), e.seal, b.id, c.id, c.number, c.revision, \
        m.conversation, s.stretch FROM events e LEFT JOIN businesses b ON b.number = e.business \
        LEFT JOIN conversations c ON c.number = e.conversation \
        LEFT JOIN messages m ON m.position = e.position \
        LEFT JOIN event_stretches s ON s.business = e.business \
        AND s.stretch = e.position >> \(EventRanges.bits) \
        WHERE e.position > ? AND e.position <= ? ORDER BY e.position
        """

    /// Reads a range of the log: checksums, no gaps, and that each event's message or note exists.
    mutating func readEvents(
        _ bounds: LogBounds, on sql: any SQLSession
    ) throws(StoreError) {
        let end = min(cursor + engine.stride, bounds.newest)
        guard cursor < end else {
            go(on: .messages)
            cursor = isBrief ? bounds.start : 0
            return
        }
        let statement = try sql.statement(Self.events)
        let copy = self
        let whole = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            var part = copy
            try part.readEvents(through: end, bounds, by: statement)
            return part
        }
        if let whole {
            self = whole
            return
        }
        // Some leaf cannot be read: place by place, to name what is lost.
        while cursor < end {
            let before = self
            let one = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
                var part = before
                try part.readEvents(through: before.cursor + 1, bounds, by: statement)
                return part
            }
            if let one {
                self = one
            } else {
                cursor += 1
                note(Damage("event", position: Position(cursor), reason: "cannot be read"))
            }
        }
    }

    private mutating func readEvents(
        through end: Int64, _ bounds: LogBounds, by statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(cursor)
        try statement.bind(end)
        let rows = try statement.all { row in EventFinding(row, bounds) }
        for row in rows {
            missing(upTo: row.position)
            counts.events += 1
            if let reason = row.reason {
                note(
                    Damage(
                        "event", conversation: row.conversation,
                        position: Position(max(0, row.position)), reason: reason))
            }
            cursor = row.position
        }
        missing(upTo: end + 1)
        cursor = end
    }

    /// Notes the places between the cursor and a row as missing.
    private mutating func missing(upTo next: Int64) {
        guard next > cursor + 1 else { return }
        let count = next - cursor - 1
        note(
            Damage(
                "event", position: Position(cursor + 1),
                reason: count == 1 ? "is missing" : "is missing, and \(count - 1) after it"))
    }

    private static let messages = """
        SELECT \(MessageColumns.whole), c.id, c.number, c.last_position, p.conversation, \
        p.sequence, x.position, e.type, e.conversation, k.position FROM messages m \
        LEFT JOIN conversations c ON c.number = m.conversation \
        LEFT JOIN messages p ON p.position = m.previous \
        LEFT JOIN messages x ON x.id = m.id AND x.conversation = m.conversation \
        LEFT JOIN events e ON e.position = m.position \
        LEFT JOIN milestones k ON k.key = (m.conversation << 32 | m.sequence) \
        WHERE m.position > ? AND m.position <= ? ORDER BY m.position
        """

    /// Reads a range of messages: checksums, digests, links, index, skip index.
    mutating func readMessages(
        _ bounds: LogBounds, on sql: any SQLSession
    ) throws(StoreError) {
        let end = min(cursor + engine.stride, bounds.newest)
        guard cursor < end else {
            go(on: isBrief ? .done : .conversations)
            return
        }
        let statement = try sql.statement(Self.messages)
        let copy = self
        let whole = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
            var part = copy
            try part.readMessages(through: end, bounds, by: statement)
            return part
        }
        if let whole {
            self = whole
            return
        }
        while cursor < end {
            let before = self
            let one = try Self.unlessDamaged(on: sql) { () throws(StoreError) in
                var part = before
                try part.readMessages(through: before.cursor + 1, bounds, by: statement)
                return part
            }
            if let one {
                self = one
            } else {
                cursor += 1
                note(Damage("message", position: Position(cursor), reason: "cannot be read"))
            }
        }
    }

    private mutating func readMessages(
        through end: Int64, _ bounds: LogBounds, by statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(cursor)
        try statement.bind(end)
        let rows = try statement.all { row in MessageFinding(row, bounds) }
        for row in rows {
            counts.messages += 1
            counts.bytes += Int64(row.byteCount)
            if row.belongs { belonging += 1 }
            guard let reason = row.reason else { continue }
            note(
                Damage(
                    "message", conversation: row.conversation, sequence: row.sequence,
                    position: Position(max(0, row.position)), reason: reason))
        }
        cursor = end
    }
}

/// The finding about one event's row.
private struct EventFinding {
    let position: Int64
    let conversation: ConversationID?
    let reason: String?

    init(_ row: any SQLStatement, _ bounds: LogBounds) {
        let isWhole = row.isVerified(.events)
        position = row.integer()
        let type = EventType(rawValue: row.text())
        row.skip(2)
        let number = row.integerIfAny()
        row.skip(2)
        let revision = EventColumns.revision(row)
        row.skip(1)
        let business = row.idIfAny()
        conversation = row.idIfAny().map { ConversationID($0) }
        let found = row.integerIfAny()
        let counted = Revision(max(0, row.integer()))
        let message = row.integerIfAny()
        let isNoted = row.integerIfAny() != nil
        let isMessage = type == .messageAccepted
        reason =
            if !isWhole {
                "check sum"
            } else if type == nil {
                "unknown type"
            } else if business == nil {
                "its business is missing"
            } else if number != found {
                "its conversation is missing"
            } else if isMessage, message == nil {
                "its message is missing"
            } else if isMessage ? message != number : message != nil {
                "its message is another conversation's"
            } else if !isNoted {
                "its range of the log is not noted"
            } else if let revision, revision > counted, position <= bounds.settled {
                "its conversation's revision is an earlier one"
            } else {
                nil
            }
    }
}

/// The finding about one message's row.
private struct MessageFinding {
    let position: Int64
    let conversation: ConversationID?
    let sequence: SequenceNumber?
    let byteCount: Int
    /// Whether it is one of those that its conversation's row counts.
    let belongs: Bool
    let reason: String?

    init(_ row: any SQLStatement, _ bounds: LogBounds) {
        let covered = row.verifiedColumns(.messages)
        position = row.integer()
        let number = row.integer()
        let sequence = row.integer()
        self.sequence = sequence > 0 ? SequenceNumber(sequence) : nil
        let previous = row.integer()
        let id = MessageID(row.text())
        row.skip(6)
        let digest = row.digestIfAny()
        row.skip(1)
        let checksum = row.integer()
        row.skip(RowLayout.erasedAtPlace - 14)
        let isErased = row.integerIfAny() != nil && (covered ?? 0) > RowLayout.erasedAtPlace
        // The columns behind it, the row's checksum and the payload's length.
        row.skip(RowLayout.messages.count - RowLayout.erasedAtPlace + 1)
        let payload = row.bytes()
        byteCount = payload.count
        conversation = row.idIfAny().map { ConversationID($0) }
        let found = row.integerIfAny()
        let last = row.integer()
        let before = (row.integerIfAny(), row.integerIfAny())
        let indexed = row.integerIfAny()
        let event = (row.textIfAny(), row.integerIfAny())
        let skip = row.integerIfAny()
        belongs = position <= last
        guard covered != nil else {
            reason = "check sum of the row"
            return
        }
        guard let conversation, let id, found == number else {
            reason = "its conversation is missing"
            return
        }
        // The digest of an erased message is none of anything that is left.
        let isContent =
            isErased ? payload == StoredMessage.tombstonePayload : digest == .sha256(payload)
        let sum = MessageChecksum.checksum(
            of: payload, id: id, in: conversation, sequence: SequenceNumber(sequence))
        reason =
            if Int64(sum) != checksum || !isContent {
                "check sum of the payload"
            } else if sequence == 1 ? previous != 0 : before != (number, sequence - 1) {
                "the message before it is missing"
            } else if indexed != position {
                "its id leads elsewhere"
            } else if position > bounds.pruned, event != ("message.accepted", number) {
                "its event is missing"
            } else if sequence.isMultiple(of: 32), skip != position {
                "its skip index leads elsewhere"
            } else if !belongs, position <= bounds.settled {
                "its conversation does not count it"
            } else {
                nil
            }
    }
}

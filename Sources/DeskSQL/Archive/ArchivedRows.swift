import DeskModel
import DeskStore

/// How the log's rows are read for an archive.
package enum ArchivedRows {
    /// Every attachment that is named, once; uploads that nothing names may go any time.
    package static let attachments = """
        SELECT attachment FROM attachment_holds WHERE kept_until IS NULL UNION \
        SELECT picture FROM businesses WHERE picture IS NOT NULL
        """

    static let messages = """
        SELECT m.conversation, c.id, b.id, m.posted, \(MessageColumns.whole) FROM messages m \
        LEFT JOIN conversations c ON c.number = m.conversation \
        LEFT JOIN businesses b ON b.number = c.business ORDER BY m.position
        """

    static let events = """
        SELECT \(EventColumns.covered), e.seal, b.id, c.id FROM events e \
        LEFT JOIN businesses b ON b.number = e.business \
        LEFT JOIN conversations c ON c.number = e.conversation ORDER BY e.position
        """

    /// A message with the number of its conversation's row.
    struct Message: Hashable {
        let row: Int64
        let value: ArchivedMessage
    }

    /// An event, and what it brings along.
    struct Event {
        let position: Position
        let content: Content

        enum Content {
            /// The message at its position, by its conversation's row and its time, and the revision
            /// that it made.
            case message(Int64?, Timestamp, Revision?)
            case other(ArchivedEvent)
        }
    }

    /// - Throws: `damaged`.
    static func message(_ row: any SQLStatement) throws(StoreError) -> Message {
        let number = row.integer()
        let conversation = ConversationID(try row.id())
        let business = BusinessID(try row.id())
        let posted = row.digestIfAny()
        let stored = try MessageColumns.read(row, in: conversation, of: business)
        guard let payload = stored.payload.carriedBytes,
            stored.erasedAt != nil || stored.digest == .sha256(payload)
        else {
            throw StoreError(.damaged, "message \(stored.position) of \(conversation)")
        }
        return Message(
            row: number,
            value: ArchivedMessage(
                position: stored.position, sequence: stored.sequence, time: stored.time,
                revision: nil, posted: posted, conversation: conversation, id: stored.id,
                facts: stored.facts,
                payload: payload,
                erasure: stored.erasedAt.map { ArchivedErasure(time: $0, digest: stored.digest) }))
    }

    /// - Throws: `damaged`.
    static func event(_ row: any SQLStatement) throws(StoreError) -> Event {
        let isWhole = row.isVerified(.events)
        let position = Position(max(0, row.integer()))
        guard isWhole else { throw StoreError(.damaged, "event \(position)") }
        let type = try row.value { EventType(rawValue: $0) }
        let time = row.time()
        row.skip(1)
        let number = row.integerIfAny()
        let subject = row.integerIfAny()
        let data = row.bytesIfAny()
        let revision = EventColumns.revision(row)
        row.skip(1)
        let business = BusinessID(try row.id())
        let conversation = row.idIfAny().map { ConversationID($0) }
        guard (conversation == nil) == (number == nil) else {
            throw StoreError(.damaged, "the conversation of event \(position)")
        }
        if type == .messageAccepted {
            return Event(position: position, content: .message(number, time, revision))
        }
        let body: ArchivedEvent.Body
        if case .other = type {
            body = .other(subject: subject, data: data)
        } else if let subject {
            body = .note(subject)
        } else if type.hasStep {
            let text = String(decoding: data ?? [], as: UTF8.self)
            body = .step(try row.require(RowFields.readStep(text), "a step"))
        } else {
            body = .json(data ?? [])
        }
        return Event(
            position: position,
            content: .other(
                ArchivedEvent(
                    position: position, type: type, time: time, business: business,
                    conversation: conversation, revision: revision, body: body)))
    }
}

extension APIKey {
    /// The same key with another secret.
    func guarded(by secret: Digest) -> APIKey {
        APIKey(
            id: id, name: name, secret: secret, mode: mode, grants: grants, limits: limits,
            predecessor: predecessor, createdAt: createdAt, revokedAt: revokedAt, usedAt: usedAt)
    }
}

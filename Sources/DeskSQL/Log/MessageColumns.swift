package import DeskModel
package import DeskStore

/// The columns of a message, for `messages m`, and how they are read.
package enum MessageColumns {
    package static let heads = "\(covered), m.seal, length(m.payload)"

    /// The columns that the checksum covers: every one but the payload.
    ///
    /// The payload has a checksum of its own, which is one of them; so a row is verified without
    /// reading it.
    package static let covered = RowLayout.messages.list(of: "m")

    /// Binds the covered columns, the checksum and the payload; a known id fails.
    package static let insert = """
        INSERT INTO messages (\(RowLayout.messages.columns.joined(separator: ", ")), seal, payload) \
        VALUES (\(Dialect.parameters(RowLayout.messages.count + 2)))
        """

    /// The same; a known id inserts nothing.
    package static let insertUnlessKnown = insert + " ON CONFLICT (id, conversation) DO NOTHING"

    /// Binds the same, then the position of the row that is overwritten.
    package static let overwrite = """
        UPDATE messages SET (\(RowLayout.messages.columns.joined(separator: ", ")), seal, payload) = \
        (\(Dialect.parameters(RowLayout.messages.count + 2))) WHERE position = ?
        """

    /// With the payload, whatever its size.
    package static let whole = "\(heads), m.payload"

    /// With the payload as far as streams carry it.
    package static let forStreams = """
        \(heads), CASE WHEN length(m.payload) <= \(Event.maximumPayloadBytes) THEN m.payload END
        """

    /// Reads a message and verifies it: the row by its checksum, a payload that is carried by its own.
    ///
    /// - Throws: `damaged`.
    package static func read(
        _ row: any SQLStatement, in conversation: ConversationID, of business: BusinessID
    ) throws(StoreError) -> StoredMessage {
        guard let covered = row.verifiedColumns(.messages) else {
            throw StoreError(.damaged, "message \(row.integer()) of \(conversation)")
        }
        let position = Position(max(0, row.integer()))
        row.skip(1)
        let sequence = SequenceNumber(max(0, row.integer()))
        row.skip(1)
        let id = try row.value { MessageID($0) }
        let time = row.time()
        let direction = try row.value { Direction(rawValue: $0) }
        let kind = try row.value { MessageKind(rawValue: $0) }
        let authorKind = row.text()
        let author = try row.value { Author(kind: authorKind, name: $0) }
        var facts = MessageFacts(
            direction: direction, kind: kind, author: author,
            origin: try row.value { Origin(rawValue: $0) })
        let digest = try row.digest()
        row.skip(1)
        let checksum = UInt32(truncatingIfNeeded: row.integer())
        facts.summary = row.text()
        if let headers = row.textIfAny() {
            facts.headers = try row.require(RowFields.readHeaders(headers), "headers")
        }
        facts.warnings = row.bytes()
        let template = row.textIfAny().flatMap { TemplateName($0) }
        let version = row.integer()
        let values = row.bytes()
        facts.template = template.map {
            TemplateUse(name: $0, version: Int(version), values: values)
        }
        if let attachments = row.textIfAny() {
            facts.attachments = try row.require(
                RowFields.readAttachments(attachments), "attachments")
        }
        facts.inReplyTo = row.textIfAny().flatMap { MessageID($0) }
        facts.entryCode = row.textIfAny()
        // Rows of before are not covered this far.
        let erasedAt = row.timeIfAny()
        row.skip(1)
        let byteCount = Int(row.integer())
        let payload = row.bytesIfAny()
        if let payload {
            let actual = MessageChecksum.checksum(
                of: payload, id: id, in: conversation, sequence: sequence)
            guard actual == checksum else {
                throw StoreError(.damaged, "message \(position) of \(conversation)")
            }
        }
        return StoredMessage(
            id: id, conversation: conversation, business: business, sequence: sequence,
            position: position, time: time, facts: facts,
            payload: payload.map { .bytes($0) } ?? .reference(byteCount: byteCount),
            digest: digest, checksum: checksum,
            erasedAt: covered > RowLayout.erasedAtPlace ? erasedAt : nil)
    }
}

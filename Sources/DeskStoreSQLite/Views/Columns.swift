import DeskModel
import DeskStore

/// The statements about rows of conversations, made from `ConversationColumn.all`, and how they are read.
enum ConversationColumns {
    /// The business's id, the row's number, the columns that the checksum covers, then the checksum.
    static let list = "b.id, c.number, \(RowLayout.conversations.list(of: "c")), c.seal"

    /// How many columns `list` has.
    static let count = ConversationColumn.all.count + 3

    // A row whose business is missing is damage, and not a row that does not exist.
    static let source = "conversations c LEFT JOIN businesses b ON b.number = c.business"

    static let byID = "SELECT \(list) FROM \(source) WHERE c.id = ?"
    static let byNumber = "SELECT \(list) FROM \(source) WHERE c.number = ?"

    /// The columns that a message changes.
    static let withMessages = ConversationColumn.all.filter { $0.writing == .withMessages }
    /// The columns that may change.
    static let changing = ConversationColumn.all.filter { $0.writing != .once }

    /// Binds `withMessages`, the checksum and the number.
    static let updateActivity = update(withMessages)
    /// Binds `changing`, the checksum and the number.
    static let updateWhole = update(changing)
    /// Binds `ConversationColumn.all` and the checksum.
    static let insert = """
        INSERT INTO conversations (\(RowLayout.conversations.columns.joined(separator: ", ")), seal) \
        VALUES (\(Statement.marks(ConversationColumn.all.count + 1)))
        """

    private static func update(_ columns: [ConversationColumn]) -> String {
        let settings = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        return "UPDATE conversations SET \(settings), seal = ? WHERE number = ?"
    }

    /// The checksum of a row that is written now.
    static func checksum(of row: ConversationRow) -> Int64 {
        var sum = RowChecksum()
        for column in ConversationColumn.all { sum.add(column.value(row)) }
        return RowLayout.conversations.stored(sum)
    }

    /// Reads a conversation and verifies its row.
    ///
    /// - Throws: `damaged`.
    static func read(_ row: Statement) throws(StoreError) -> ConversationRow {
        let owner = row.idIfAny()
        let number = row.integer()
        guard let covered = row.verifiedColumns(.conversations), let owner else {
            throw StoreError(.damaged, "the row of conversation \(number)")
        }
        let first = row.column
        row.skip(ConversationColumn.all.count + 1)
        return try ConversationRow(number: number, of: BusinessID(owner)) { place in
            place < covered
                ? row.value(at: first + Int32(place), ConversationColumn.all[place].kind) : .null
        }
    }
}

/// The columns of a message, for `messages m`, and how they are read.
enum MessageColumns {
    static let heads = "\(covered), m.seal, length(m.payload)"

    /// The columns that the checksum covers: every one but the payload.
    ///
    /// The payload has a checksum of its own, which is one of them; so a row is verified without
    /// reading it.
    static let covered = RowLayout.messages.list(of: "m")

    /// Binds the covered columns, the checksum and the payload; a known id inserts nothing.
    static let insert = """
        INSERT INTO messages (\(RowLayout.messages.columns.joined(separator: ", ")), seal, payload) \
        VALUES (\(Statement.marks(RowLayout.messages.count + 2))) ON CONFLICT (id, conversation) DO NOTHING
        """

    /// Binds the same, then the position of the row that is overwritten.
    static let overwrite = """
        UPDATE messages SET (\(RowLayout.messages.columns.joined(separator: ", ")), seal, payload) = \
        (\(Statement.marks(RowLayout.messages.count + 2))) WHERE position = ?
        """

    /// With the payload, whatever its size.
    static let whole = "\(heads), m.payload"

    /// With the payload as far as streams carry it.
    static let forStreams = """
        \(heads), CASE WHEN length(m.payload) <= \(Event.maximumPayloadBytes) THEN m.payload END
        """

    /// Reads a message and verifies it: the row by its checksum, a payload that is carried by its own.
    ///
    /// - Throws: `damaged`.
    static func read(
        _ row: Statement, in conversation: ConversationID, of business: BusinessID
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

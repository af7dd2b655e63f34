import DeskModel
import DeskStore

/// The columns of a conversation, for `conversations c JOIN businesses b`, and how they are read.
enum ConversationColumns {
    /// The business's id, the row's number, then what the seal covers, then the seal.
    static let list = """
        b.id, c.number, \(sealed), c.seal
        """

    /// What the seal covers: every column but the number, in the table's order.
    static let sealed = """
        c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, \
        c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, \
        c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, \
        c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, \
        c.last_position, c.revision, c.last_author_kind, c.last_author_name
        """

    /// How many columns `sealed` has.
    static let sealedCount = 30

    /// How many columns `list` has.
    static let count = sealedCount + 3

    // A row whose business is missing is damage, and not a row that does not exist.
    static let source = "conversations c LEFT JOIN businesses b ON b.number = c.business"

    static let byID = "SELECT \(list) FROM \(source) WHERE c.id = ?"
    static let byNumber = "SELECT \(list) FROM \(source) WHERE c.number = ?"

    /// Reads a conversation and proves its row whole.
    ///
    /// - Throws: `damaged`.
    static func read(_ row: Statement) throws(StoreError) -> ConversationRow {
        let owner = row.idIfAny()
        let number = row.integer()
        guard row.provesWhole(sealedCount), let owner else {
            throw StoreError(.damaged, "the row of conversation \(number)")
        }
        let id = ConversationID(try row.id())
        let business = row.integer()
        let businessID = BusinessID(owner)
        var customer = Customer(
            id: try row.value { CustomerID($0) }, name: row.textIfAny(), locale: row.textIfAny())
        customer.capabilities = row.textIfAny().map {
            $0.isEmpty ? [] : $0.split(separator: ",").map { String($0) }
        }
        customer.intent = row.textIfAny()
        customer.group = row.textIfAny()
        let state = try row.value { ConversationState(rawValue: $0) }
        let assignee = row.idIfAny().map { AgentID($0) }
        let snoozedUntil = row.timeIfAny()
        let hasLeft = row.bool()
        let isMuted = row.bool()
        let floor = try sequence(row)
        var conversation = Conversation(
            id: id, business: businessID, customer: customer, openedAt: row.time())
        conversation.state = state
        conversation.assignee = assignee
        conversation.snoozedUntil = snoozedUntil
        conversation.hasLeft = hasLeft
        conversation.isMuted = isMuted
        conversation.customerFloor = floor
        var last = try last(row)
        conversation.unread = Int(row.integer())
        conversation.readUpTo = try sequence(row)
        conversation.waitingSince = row.timeIfAny()
        conversation.activity = Position(max(0, row.integer()))
        let head = row.digestIfAny()
        let end = row.integer()
        conversation.revision = Revision(max(0, row.integer()))
        let author = try author(row)
        row.skip(1)
        if last != nil { last?.author = try row.require(author, "an author") }
        conversation.last = last
        return ConversationRow(
            number: number, business: business, conversation: conversation, head: head, end: end)
    }

    private static func author(_ row: Statement) throws(StoreError) -> Author? {
        let kind = row.textIfAny()
        let name = row.textIfAny()
        guard let kind, let name else { return nil }
        return Author(kind: kind, name: name)
    }

    /// The last message; who wrote it lies further on in the row.
    private static func last(_ row: Statement) throws(StoreError) -> LastMessage? {
        let newest = try sequence(row)
        let id = row.textIfAny().flatMap { MessageID($0) }
        let direction = row.textIfAny().flatMap { Direction(rawValue: $0) }
        let kind = row.textIfAny().flatMap { MessageKind(rawValue: $0) }
        let time = row.timeIfAny()
        let summary = row.text()
        guard newest > .start else { return nil }
        return LastMessage(
            id: try row.require(id, "an id"), sequence: newest,
            direction: try row.require(direction, "a direction"),
            kind: try row.require(kind, "a kind"), author: .server,
            time: try row.require(time, "a time"), summary: summary)
    }

    private static func sequence(_ row: Statement) throws(StoreError) -> SequenceNumber {
        let value = row.integer()
        guard value >= 0 else { throw StoreError(.damaged, "a sequence is negative") }
        return SequenceNumber(value)
    }
}

/// The columns of a message, for `messages m`, and how they are read.
enum MessageColumns {
    static let heads = """
        \(sealed), m.seal, length(m.payload)
        """

    /// What the seal covers: every column but the payload, in the table's order.
    ///
    /// The payload has the check sum, which is one of them; so a row is proven without reading it.
    static let sealed = """
        m.position, m.conversation, m.sequence, m.previous, m.id, m.time, m.direction, m.kind, \
        m.author_kind, m.author_name, m.origin, m.digest, m.posted, m.checksum, m.summary, \
        m.headers, m.warnings, m.template, m.template_version, m.template_values, m.attachments, \
        m.in_reply_to, m.entry_code
        """

    /// How many columns `sealed` has.
    static let sealedCount = 23

    /// With the payload, whatever its size.
    static let whole = "\(heads), m.payload"

    /// With the payload as far as streams carry it.
    static let forStreams = """
        \(heads), CASE WHEN length(m.payload) <= \(Event.maximumPayloadBytes) THEN m.payload END
        """

    /// Reads a message and proves it whole: the row by its seal, a payload that is carried by its
    /// check sum.
    ///
    /// - Throws: `damaged`.
    static func read(
        _ row: Statement, in conversation: ConversationID, of business: BusinessID
    ) throws(StoreError) -> StoredMessage {
        guard row.provesWhole(sealedCount) else {
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
            facts.headers = try row.require(Fields.readHeaders(headers), "headers")
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
                Fields.readAttachments(attachments), "attachments")
        }
        facts.inReplyTo = row.textIfAny().flatMap { MessageID($0) }
        facts.entryCode = row.textIfAny()
        row.skip(1)
        let byteCount = Int(row.integer())
        let payload = row.bytesIfAny()
        if let payload {
            let actual = MessageSeal.checksum(
                of: payload, id: id, in: conversation, sequence: sequence)
            guard actual == checksum else {
                throw StoreError(.damaged, "message \(position) of \(conversation)")
            }
        }
        return StoredMessage(
            id: id, conversation: conversation, business: business, sequence: sequence,
            position: position, time: time, facts: facts,
            payload: payload.map { .bytes($0) } ?? .reference(byteCount: byteCount),
            digest: digest, checksum: checksum)
    }
}

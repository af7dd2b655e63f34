import DeskModel
import DeskStore

/// The columns of a conversation, for `conversations c JOIN businesses b`, and how they are read.
enum ConversationColumns {
    static let list = """
        c.number, c.business, c.id, b.id, c.customer, c.customer_name, c.locale, c.capabilities, \
        c.intent, c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, \
        c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, \
        c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, \
        c.last_position
        """

    /// How many columns `list` has.
    static let count = 29

    static let source = "conversations c JOIN businesses b ON b.number = c.business"

    static let byID = "SELECT \(list) FROM \(source) WHERE c.id = ?"
    static let byNumber = "SELECT \(list) FROM \(source) WHERE c.number = ?"

    static func read(_ row: Statement) throws(StoreError) -> HotConversation {
        let number = row.integer()
        let business = row.integer()
        let id = ConversationID(try row.id())
        let businessID = BusinessID(try row.id())
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
        conversation.last = try last(row)
        conversation.unread = Int(row.integer())
        conversation.readUpTo = try sequence(row)
        conversation.waitingSince = row.timeIfAny()
        conversation.activity = Position(max(0, row.integer()))
        return HotConversation(
            number: number, business: business, conversation: conversation,
            head: row.digestIfAny(), end: row.integer())
    }

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
            kind: try row.require(kind, "a kind"), time: try row.require(time, "a time"),
            summary: summary)
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
        m.sequence, m.position, m.id, m.time, m.direction, m.kind, m.author_kind, m.author_name, \
        m.origin, m.digest, m.checksum, m.summary, m.headers, m.warnings, m.template, \
        m.template_version, m.template_values, m.attachments, m.in_reply_to, m.entry_code, \
        length(m.payload)
        """

    /// With the payload, whatever its size.
    static let whole = "\(heads), m.payload"

    /// With the payload as far as streams carry it.
    static let forStreams = """
        \(heads), CASE WHEN length(m.payload) <= \(Event.maximumPayloadBytes) THEN m.payload END
        """

    /// Reads a message and proves it whole by its check sum when its payload is carried.
    static func read(
        _ row: Statement, in conversation: ConversationID, of business: BusinessID
    ) throws(StoreError) -> StoredMessage {
        let sequence = SequenceNumber(max(0, row.integer()))
        let position = Position(max(0, row.integer()))
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
        let byteCount = Int(row.integer())
        let payload = row.bytesIfAny()
        if let payload {
            let actual = MessageSeal.checksum(
                of: payload, id: id, in: conversation, sequence: sequence)
            guard actual == checksum else {
                throw StoreError(.damaged, "message \(sequence) of \(conversation)")
            }
        }
        return StoredMessage(
            id: id, conversation: conversation, business: business, sequence: sequence,
            position: position, time: time, facts: facts,
            payload: payload.map { .bytes($0) } ?? .reference(byteCount: byteCount),
            digest: digest, checksum: checksum)
    }
}

import DeskModel

extension ConversationColumn {
    /// Which columns row checksums cover, by coverage number; see `RowLayout`.
    package static let coverages = [
        RowLayout.Coverage(30), RowLayout.Coverage(32), RowLayout.Coverage(33),
        RowLayout.Coverage(34), RowLayout.Coverage(38), RowLayout.Coverage(40),
        RowLayout.Coverage(42), RowLayout.Coverage(43),
    ]

    /// Every column but the number and the checksum, in the table's order, which never changes.
    package static let all: [ConversationColumn] = [
        .fixed("id", .id) { .id($0.conversation.id.value) },
        .fixed("business", .integer) { .integer($0.business) },
        .fixed("customer", .text) { .text($0.conversation.customer.id.text) },
        .text("customer_name", .withState, in: "customer", "name") {
            $0.conversation.customer.storedName
        } set: {
            $1.row.conversation.customer.name = $0
        },
        .text("locale", .withState, in: "customer", "locale") {
            $0.conversation.customer.locale
        } set: {
            $1.row.conversation.customer.locale = $0
        },
        // Archives spell them as a list.
        .text("capabilities", .withState, nil) {
            $0.conversation.customer.capabilities?.joined(separator: ",")
        } set: {
            $1.row.conversation.customer.capabilities = $0.split(separator: ",").map { String($0) }
        },
        .text("intent", .withState, in: "customer", "intent") {
            $0.conversation.customer.intent
        } set: {
            $1.row.conversation.customer.intent = $0
        },
        .text("group_name", .withState, in: "customer", "group") {
            $0.conversation.customer.group
        } set: {
            $1.row.conversation.customer.group = $0
        },
        .text("state", .withState, "state", isRequired: true) {
            $0.conversation.state.rawValue
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.state = try require(ConversationState(rawValue: text), "state")
        },
        ConversationColumn(
            "assignee", .id, .withState, "assignee",
            value: { $0.conversation.assignee.map { .id($0.value) } ?? .null },
            set: { value, draft throws(StoreError) in
                guard case .id(let id) = value else { throw damage("assignee") }
                draft.row.conversation.assignee = AgentID(id)
            }),
        .time("snoozed_until", .withState, "snoozedUntil") {
            $0.conversation.snoozedUntil
        } set: {
            $1.row.conversation.snoozedUntil = $0
        },
        .claim("has_left", "hasLeft") {
            $0.conversation.hasLeft
        } set: {
            $1.row.conversation.hasLeft = $0
        },
        .claim("is_muted", "isMuted") {
            $0.conversation.isMuted
        } set: {
            $1.row.conversation.isMuted = $0
        },
        .number("customer_floor", .withState, "customerFloor") {
            $0.conversation.deletedUpTo.value
        } set: {
            $1.row.conversation.deletedUpTo = SequenceNumber($0)
        },
        .fixed("opened_at", .time) { .integer($0.conversation.openedAt.milliseconds) },
        // Archives have the last message as one object.
        .number("newest", .withMessages, nil) {
            $0.conversation.newest.value
        } set: {
            $1.newest = SequenceNumber($0)
        },
        .text("last_id", .withMessages, nil) {
            $0.conversation.last?.id.text
        } set: {
            $1.lastID = MessageID($0)
        },
        .text("last_direction", .withMessages, nil) {
            $0.conversation.last?.direction.rawValue
        } set: {
            $1.lastDirection = Direction(rawValue: $0)
        },
        .text("last_kind", .withMessages, nil) {
            $0.conversation.last?.kind.rawValue
        } set: {
            $1.lastKind = MessageKind(rawValue: $0)
        },
        .time("last_time", .withMessages, nil) {
            $0.conversation.last?.time
        } set: {
            $1.lastTime = $0
        },
        .text("last_summary", .withMessages, nil) {
            $0.conversation.last?.summary
        } set: {
            $1.lastSummary = $0
        },
        .number("unread", .withMessages, "unread") {
            Int64($0.conversation.unread)
        } set: {
            $1.row.conversation.unread = Int($0)
        },
        .number("read_up_to", .withMessages, "readUpTo") {
            $0.conversation.readUpTo.value
        } set: {
            $1.row.conversation.readUpTo = SequenceNumber($0)
        },
        .time("waiting_since", .withMessages, "waitingSince") {
            $0.conversation.waitingSince
        } set: {
            $1.row.conversation.waitingSince = $0
        },
        .number("activity", .withMessages, "activity") {
            $0.conversation.activity.value
        } set: {
            $1.row.conversation.activity = Position($0)
        },
        ConversationColumn(
            "head", .digest, .withMessages, "head", value: { $0.head.map { .digest($0) } ?? .null },
            set: { value, draft throws(StoreError) in
                guard case .digest(let digest) = value else { throw damage("head") }
                draft.row.head = digest
            }),
        .number("last_position", .withMessages, "end") {
            $0.end
        } set: {
            $1.row.end = $0
        },
        // Archives of the first version have none.
        .number("revision", .withMessages, nil) {
            $0.conversation.revision.value
        } set: {
            $1.row.conversation.revision = Revision($0)
        },
        .text("last_author_kind", .withMessages, nil) {
            $0.conversation.last?.author.kind
        } set: {
            $1.lastAuthorKind = $0
        },
        .text("last_author_name", .withMessages, nil) {
            $0.conversation.last?.author.name
        } set: {
            $1.lastAuthorName = $0
        },
        .text("priority", .withState, "priority") {
            $0.conversation.priority == .none ? nil : $0.conversation.priority.rawValue
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.priority = try require(Priority(rawValue: text), "priority")
        },
        .text("labels", .withState, "labels") {
            RowFields.write($0.conversation.labels)
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.labels = try require(RowFields.readLabels(text), "labels")
        },
        ConversationColumn(
            "team", .id, .withState, "team",
            value: { $0.conversation.team.map { .id($0.value) } ?? .null },
            set: { value, draft throws(StoreError) in
                guard case .id(let id) = value else { throw damage("team") }
                draft.row.conversation.team = TeamID(id)
            }),
        .time("last_erased_at", .withMessages, nil) {
            $0.conversation.last?.erasedAt
        } set: {
            $1.lastErasedAt = $0
        },
        .text("contact_name", .withState, "contactName") {
            $0.conversation.contactName
        } set: {
            $1.row.conversation.contactName = $0
        },
        .text("attributes", .withState, "attributes") {
            RowFields.write($0.conversation.attributes)
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.attributes = try require(
                RowFields.readAttributes(text), "attributes")
        },
        ConversationColumn(
            "contact", .id, .withState, "contact",
            value: { $0.conversation.mergedContact.map { .id($0.value) } ?? .null },
            set: { value, draft throws(StoreError) in
                guard case .id(let id) = value else { throw damage("contact") }
                draft.row.conversation.mergedContact = ContactID(id)
            }),
        .time("blocked_at", .withState, "blockedAt") {
            $0.conversation.blockedAt
        } set: {
            $1.row.conversation.blockedAt = $0
        },
        .text("answer_kind", .withMessages, "answerKind") {
            $0.conversation.answerDue?.kind.rawValue
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.answerDue = AnswerDue(
                try require(AnswerDue.Kind(rawValue: text), "answer_kind"))
        },
        .time("answer_due", .withMessages, "answerDue") {
            $0.conversation.answerDue?.at
        } set: {
            $1.row.conversation.answerDue?.at = $0
        },
        .text("participants", .withState, "participants") {
            agents($0.conversation.participants)
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.participants = try require(
                RowFields.readAgents(text), "participants")
        },
        .text("watchers", .withState, "watchers") {
            agents($0.conversation.watchers)
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.watchers = try require(RowFields.readAgents(text), "watchers")
        },
        .text("satisfaction", .withState, "satisfaction") {
            RowFields.write($0.conversation.satisfaction)
        } set: {
            text, draft throws(StoreError) in
            draft.row.conversation.satisfaction = try require(
                RowFields.readSatisfaction(text), "satisfaction")
        },
    ]

    private static func agents(_ agents: [AgentID]) -> String? {
        agents.isEmpty ? nil : RowFields.write(agents)
    }

    // The four that a conversation cannot be without.
    static let idPlace = place(of: "id")
    static let businessPlace = place(of: "business")
    static let customerPlace = place(of: "customer")
    static let openedPlace = place(of: "opened_at")

    private static func place(of name: String) -> Int {
        guard let place = all.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("no column \(name)")
        }
        return place
    }
}

/// The kinds of columns.
extension ConversationColumn {
    fileprivate init(
        _ name: String, _ kind: RowValue.Kind, _ writing: Writing, _ member: StaticString?,
        in object: String? = nil, isRequired: Bool = false,
        value: @escaping @Sendable (ConversationRow) -> RowValue,
        set: @escaping @Sendable (RowValue, inout ConversationDraft) throws(StoreError) -> Void
    ) {
        self.init(
            name: name, kind: kind, writing: writing,
            member: member.map { Member(object: object, name: $0, isRequired: isRequired) },
            value: value, set: set)
    }

    /// One that is written with the row; `ConversationRow.init` reads it.
    fileprivate static func fixed(
        _ name: String, _ kind: RowValue.Kind,
        _ value: @escaping @Sendable (ConversationRow) -> RowValue
    ) -> Self {
        Self(name, kind, .once, nil, value: value) { _, _ throws(StoreError) in }
    }

    fileprivate static func text(
        _ name: String, _ writing: Writing, in object: String? = nil, _ member: StaticString?,
        isRequired: Bool = false, _ value: @escaping @Sendable (ConversationRow) -> String?,
        set: @escaping @Sendable (String, inout ConversationDraft) throws(StoreError) -> Void
    ) -> Self {
        Self(
            name, .text, writing, member, in: object, isRequired: isRequired,
            value: { value($0).map { .text($0) } ?? .null },
            set: { found, draft throws(StoreError) in
                guard case .text(let text) = found else { throw damage(name) }
                try set(text, &draft)
            })
    }

    /// A number that is never negative.
    fileprivate static func number(
        _ name: String, _ writing: Writing, _ member: StaticString?,
        _ value: @escaping @Sendable (ConversationRow) -> Int64,
        set: @escaping @Sendable (Int64, inout ConversationDraft) -> Void
    ) -> Self {
        Self(
            name, .integer, writing, member, isRequired: true,
            value: { .integer(value($0)) },
            set: { found, draft throws(StoreError) in
                guard case .integer(let number) = found, number >= 0 else { throw damage(name) }
                set(number, &draft)
            })
    }

    fileprivate static func time(
        _ name: String, _ writing: Writing, _ member: StaticString?,
        _ value: @escaping @Sendable (ConversationRow) -> Timestamp?,
        set: @escaping @Sendable (Timestamp, inout ConversationDraft) -> Void
    ) -> Self {
        Self(
            name, .time, writing, member,
            value: { value($0).map { .integer($0.milliseconds) } ?? .null },
            set: { found, draft throws(StoreError) in
                guard case .integer(let number) = found else { throw damage(name) }
                set(Timestamp(milliseconds: number), &draft)
            })
    }

    fileprivate static func claim(
        _ name: String, _ member: StaticString?,
        _ value: @escaping @Sendable (ConversationRow) -> Bool,
        set: @escaping @Sendable (Bool, inout ConversationDraft) -> Void
    ) -> Self {
        Self(
            name, .claim, .withState, member, isRequired: true,
            value: { .integer(value($0) ? 1 : 0) },
            set: { found, draft throws(StoreError) in
                guard case .integer(let number) = found else { throw damage(name) }
                set(number != 0, &draft)
            })
    }

    fileprivate static func damage(_ name: String) -> StoreError {
        StoreError(.damaged, "column \(name) of a conversation")
    }

    fileprivate static func require<Value>(
        _ value: Value?, _ name: String
    ) throws(StoreError) -> Value {
        guard let value else { throw damage(name) }
        return value
    }
}

import DeskJSON
import DeskModel
import DeskStore

/// How lines of conversations and of the log are read.
extension ArchiveLine {
    static func conversation(
        _ line: inout ArchiveMembers
    ) throws(ArchiveFault) -> ArchivedConversation {
        let found = try line.take("customer", "an object") { $0 }
        var members = try ArchiveMembers(found, "\"customer\"")
        let opened = Conversation(
            id: try line.id("id"), business: try line.id("business"),
            customer: Customer(id: try members.word("id") { CustomerID($0) }),
            openedAt: try line.time("openedAt"))
        var draft = ConversationDraft(
            ConversationRow(number: 0, business: 0, conversation: opened, head: nil))
        if found["capabilities"] != nil {
            draft.row.conversation.customer.capabilities = try members.list("capabilities") {
                value throws(ArchiveFault) in
                guard let text = value.string, !text.isEmpty, !text.utf8.contains(0x2C) else {
                    throw ArchiveFault("a capability is a word without a comma")
                }
                return text
            }
        }
        try readColumns(of: "customer", from: &members, into: &draft)
        try members.end()
        try readColumns(of: nil, from: &line, into: &draft)
        var one = draft.row.conversation
        one.metadata = try metadata(&line)
        if let found = line.find("last") { one.last = try last(found) }
        // Before revisions were counted a conversation was at its newest message's number.
        one.revision = try line.revisionIfAny("revision") ?? Revision(one.newest.value)
        return ArchivedConversation(
            conversation: one, head: draft.row.head, end: Position(draft.row.end))
    }

    /// Reads metadata; earlier archives have none.
    static func metadata(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Metadata {
        try line.takeIfAny("metadata", "a JSON object's text") {
            $0.stringBytes.flatMap { Metadata(json: $0) }
        } ?? Metadata()
    }

    /// Reads the columns that are members of one object.
    private static func readColumns(
        of object: String?, from members: inout ArchiveMembers,
        into draft: inout ConversationDraft
    ) throws(ArchiveFault) {
        for column in ConversationColumn.all {
            guard let member = column.member, member.object == object else { continue }
            let name = member.name.description
            let value = try members.value(name, column.kind)
            guard value != .null else {
                guard !member.isRequired else { throw ArchiveFault("\"\(name)\" is missing") }
                continue
            }
            do throws(StoreError) {
                try column.set(value, &draft)
            } catch {
                throw ArchiveFault("\"\(name)\" is not a word that this version knows")
            }
        }
    }

    private static func last(_ value: JSONValue) throws(ArchiveFault) -> LastMessage {
        var members = try ArchiveMembers(value, "\"last\"")
        let last = LastMessage(
            id: try members.word("id") { MessageID($0) },
            sequence: try members.sequence("sequence"),
            direction: try members.word("direction") { Direction(rawValue: $0) },
            kind: try members.word("kind") { MessageKind(rawValue: $0) },
            // The first version has none; the message itself names it further on.
            author: try members.authorIfAny("author") ?? .server,
            time: try members.time("time"), summary: try members.text("summary"),
            erasedAt: try members.timeIfAny("erasedAt"))
        try members.end()
        return last
    }

    static func note(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchivedNote {
        var note = Note(
            id: try line.id("id"), time: try line.time("time"), author: try line.author("author"),
            text: try line.text("text"), afterSequence: try line.sequence("afterSequence"),
            mentions: try line.list("mentions") { value throws(ArchiveFault) in
                guard let agent = value.string.flatMap({ AgentID($0) }) else {
                    throw ArchiveFault("one of \"mentions\" is not a UUID")
                }
                return agent
            },
            teams: try line.list("teams") { value throws(ArchiveFault) in
                guard let team = value.string.flatMap({ TeamID($0) }) else {
                    throw ArchiveFault("one of \"teams\" is not a UUID")
                }
                return team
            },
            editedAt: try line.timeIfAny("editedAt"), deletedAt: try line.timeIfAny("deletedAt"))
        let times = try line.list("mentionedAt") { value throws(ArchiveFault) in
            guard let time = value.string.flatMap({ Timestamp($0) }) else {
                throw ArchiveFault("one of \"mentionedAt\" is not a time")
            }
            return time
        }
        guard times.isEmpty || times.count == note.mentions.count else {
            throw ArchiveFault("\"mentionedAt\" has not one time for each of \"mentions\"")
        }
        note.timesOfMentions = times.isEmpty ? nil : times
        return ArchivedNote(
            number: try line.number("number"), conversation: try line.id("conversation"),
            note: note)
    }

    static func message(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchivedMessage {
        var facts = MessageFacts(
            direction: try line.word("direction") { Direction(rawValue: $0) },
            kind: try line.word("kind") { MessageKind(rawValue: $0) },
            author: try line.author("author"),
            origin: try line.word("origin") { Origin(rawValue: $0) },
            summary: try line.text("summary"))
        if let reply = try line.takeIfAny("inReplyTo", "a message's id", { messageID($0) }) {
            facts.inReplyTo = reply
        }
        if let code = try line.textIfAny("entryCode") { facts.entryCode = code }
        let headers = try line.list("headers") { value throws(ArchiveFault) in try header(value) }
        if !headers.isEmpty { facts.headers = headers }
        if let warnings = try line.takeIfAny("warnings", "a text", { $0.stringBytes }) {
            facts.warnings = warnings
        }
        if let found = line.find("template") { facts.template = try templateUse(found) }
        let attachments = try attachments(&line)
        if !attachments.isEmpty { facts.attachments = attachments }
        let erasedAt = try line.timeIfAny("erasedAt")
        let digest = try line.digestIfAny("digest")
        guard (erasedAt == nil) == (digest == nil) else {
            throw ArchiveFault("\"erasedAt\" and \"digest\" belong together")
        }
        return ArchivedMessage(
            position: try line.position("position"), sequence: try line.sequence("sequence"),
            time: try line.time("time"), revision: try line.revisionIfAny("revision"),
            posted: try line.digestIfAny("posted"),
            conversation: try line.id("conversation"),
            id: try line.take("id", "a message's id") { messageID($0) }, facts: facts,
            payload: try line.utf8("payload"),
            erasure: erasedAt.flatMap { time in
                digest.map { ArchivedErasure(time: time, digest: $0) }
            })
    }

    private static func messageID(_ value: JSONValue) -> MessageID? {
        value.string.flatMap { MessageID($0) }
    }

    private static func header(_ value: JSONValue) throws(ArchiveFault) -> HeaderField {
        var members = try ArchiveMembers(value, "the header")
        let field = HeaderField(
            name: try members.text("name"), value: try members.text("value"))
        try members.end()
        return field
    }

    private static func templateUse(_ value: JSONValue) throws(ArchiveFault) -> TemplateUse {
        var members = try ArchiveMembers(value, "\"template\"")
        let use = TemplateUse(
            name: try members.word("name") { TemplateName($0) },
            version: Int(try members.number("version")), values: try members.utf8("values"))
        try members.end()
        return use
    }

    static func event(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchivedEvent {
        let type = try line.word("event") { EventType(rawValue: $0) }
        let body: ArchivedEvent.Body
        if case .other = type {
            body = .other(
                subject: try line.takeIfAny("note", "a number", { $0.int }).map { Int64($0) },
                data: try line.takeIfAny("data", "a text", { $0.stringBytes }))
        } else if let step = line.find("step") {
            body = .step(try self.step(step))
        } else if let note = try line.takeIfAny("note", "a number", { $0.int }) {
            body = .note(Int64(note))
        } else {
            body = .json(try line.utf8("data"))
        }
        return ArchivedEvent(
            position: try line.position("position"),
            type: type, time: try line.time("time"), business: try line.id("business"),
            conversation: try line.idIfAny("conversation"),
            revision: try line.revisionIfAny("revision"), body: body)
    }

    private static func step(_ value: JSONValue) throws(ArchiveFault) -> ConversationStep {
        var members = try ArchiveMembers(value, "\"step\"")
        let step = ConversationStep(
            author: try members.author("author"),
            state: try members.word("state") { ConversationState(rawValue: $0) },
            assignee: try members.idIfAny("assignee"),
            snoozedUntil: try members.timeIfAny("snoozedUntil"),
            change: try members.find("change").map { value throws(ArchiveFault) in
                try change(value)
            }, isImported: try members.takeIfAny("imported", "true or false") { $0.bool } ?? false)
        try members.end()
        return step
    }

    private static func cause(
        _ members: inout ArchiveMembers
    ) throws(ArchiveFault) -> AssignmentCause {
        let isReply = try members.claim("byReply")
        let automatic = try members.takeIfAny("automatic", "what assigned it") {
            $0.string.flatMap { AssignmentCause(rawValue: $0) }
        }
        return isReply ? .reply : automatic ?? .hand
    }

    private static func change(_ value: JSONValue) throws(ArchiveFault) -> StepChange {
        var members = try ArchiveMembers(value, "\"change\"")
        let kind = try members.text("of")
        let change: StepChange
        switch kind {
        case "assignee":
            change = .assignee(
                from: try members.idIfAny("from"), to: try members.idIfAny("to"),
                by: try cause(&members))
        case "priority":
            change = .priority(
                from: try members.word("from") { Priority(rawValue: $0) },
                to: try members.word("to") { Priority(rawValue: $0) })
        case "team":
            change = .team(from: try members.idIfAny("from"), to: try members.idIfAny("to"))
        case "attributes":
            change = .attributes(
                try members.word("values") { RowFields.readSteps($0) })
        case "satisfaction":
            change = .satisfaction(try members.word("step") { RowFields.readStep(asked: $0) })
        case "participants":
            change = .participants(
                added: try members.ids("added"), removed: try members.ids("removed"))
        case "watchers":
            change = .watchers(
                added: try members.ids("added"), removed: try members.ids("removed"))
        case "labels":
            change = .labels(
                added: try members.ids("added"), removed: try members.ids("removed"))
        case "overdue":
            change = .overdue(
                try members.word("answer") { AnswerDue.Kind(rawValue: $0) },
                due: try members.time("dueAt"))
        case "waiting":
            let kind = try members.takeIfAny("answer", "first or next") {
                $0.string.flatMap { AnswerDue.Kind(rawValue: $0) }
            }
            let due = try members.timeIfAny("dueAt")
            change = .waiting(
                EndedWaiting(
                    since: try members.time("since"), answer: kind.map { AnswerDue($0, at: due) },
                    newest: SequenceNumber(try members.number("newest"))))
        default: throw ArchiveFault("\"change\" is of \(kind), which is not known")
        }
        try members.end()
        return change
    }
}

extension Note {
    /// Since when it has mentioned each of `mentions`, in their order; nil where it has mentioned all since it was written.
    var timesOfMentions: [Timestamp]? {
        get { laterMentions.isEmpty ? nil : mentions.map { mentioning($0) } }
        set {
            for (agent, since) in zip(mentions, newValue ?? []) where since != time {
                laterMentions[agent] = since
            }
        }
    }
}

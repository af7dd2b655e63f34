import DeskJSON
import DeskModel
import DeskStore

extension ArchiveLine {
    static func write(_ one: Business, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("colour", one.colour)
        line.put("picture", one.picture?.text)
        line.put("mode", one.mode.rawValue)
        line.put("sandbox", one.isSandbox)
        line.put("createdAt", one.createdAt)
        line.put("assignsOnReply", one.assignsOnReply)
        if one.requiresSecondFactor { line.put("requiresSecondFactor", true) }
    }

    static func write(_ one: EntryLink, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id)
        line.put("label", one.label)
        line.put("intent", one.intent)
        line.put("group", one.group)
        line.put("body", one.body)
    }

    static func write(_ one: GatewayLink, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("side", one.side.rawValue)
        line.put("mspId", one.mspID)
        line.put("url", one.url)
        line.put("settings", utf8: one.settings)
        line.put("createdAt", one.createdAt)
    }

    static func write(_ one: Template, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("name", one.name.text)
        line.put("version", Int64(one.version))
        line.put("title", one.title)
        line.put("detail", one.detail)
        line.put("author", one.author)
        line.put("publishedAt", one.publishedAt)
        line.put(one.attachments)
        line.put("parameters", utf8: one.parameters)
        line.put("payload", utf8: one.payload)
    }

    static func write(_ one: Draft, to line: inout JSONWriter) {
        line.put("agent", one.agent.text)
        line.put("business", one.business.text)
        line.put("conversation", one.conversation.text)
        line.put("version", one.version)
        line.put("savedAt", one.savedAt)
        line.put("kind", one.kind)
        line.put("text", one.text)
        if let content = one.content { line.put("content", utf8: content) }
    }

    static func write(_ one: Label, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("colour", one.colour)
        line.put("order", Int64(one.order))
        line.put("retired", one.isRetired)
    }

    static func write(_ one: Team, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("colour", one.colour)
        line.put("members", one.members.map(\.text))
        line.put("retired", one.isRetired)
    }

    static func write(_ one: ChosenAvailability, to line: inout JSONWriter) {
        line.put("agent", one.agent.text)
        line.put("state", one.state.rawValue)
        line.put("version", one.version)
    }

    static func write(_ one: DueWork, to line: inout JSONWriter) {
        line.put("kind", one.name.kind.rawValue)
        line.put("conversation", one.name.conversation.text)
        line.put("subject", one.name.subject)
        line.put("business", one.business.text)
        line.put("dueAt", one.dueAt)
        line.put("madeAt", one.madeAt)
        line.put("author", one.author)
        line.put("data", utf8: one.data)
        if let failure = one.failure {
            line.put("failure", failure.code)
            line.put("failureDetail", failure.detail)
        }
    }

    static func write(_ one: AttributeDefinition, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("of", one.subject.rawValue)
        line.put("key", one.key)
        line.put("kind", one.kind.rawValue)
        line.put("name", one.name)
        line.put("choices", one.choices)
        line.put("order", Int64(one.order))
        line.put("retired", one.isRetired)
    }

    static func write(_ one: Contact, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("externalId", one.externalID)
        if one.isExternalIDVerified { line.put("externalIdVerified", true) }
        line.put("notes", one.notes)
        line.put("attributes", RowFields.write(one.attributes))
        line.put("blockedAt", one.blockedAt)
        line.put("merge", one.merge.map { RowFields.write($0) })
        line.put("createdAt", one.createdAt)
        if !one.metadata.isEmpty { line.put("metadata", utf8: one.metadata.json) }
    }

    static func write(_ one: SavedView, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        if let business = one.business { line.put("business", business.text) }
        if let owner = one.owner { line.put("owner", owner.text) }
        line.put("name", one.name)
        line.put("filter", utf8: one.filter)
        line.put("order", Int64(one.order))
    }

    static func write(_ one: ArchivedHold, to line: inout JSONWriter) {
        switch one.holder {
        case .conversation(let id): line.put("conversation", id.text)
        case .business(let id): line.put("business", id.text)
        case .library(let id): line.put("library", id.text)
        }
        line.put("time", one.time)
        line.key("attachment")
        line.value(one.attachment)
    }

    static func write(_ archived: ArchivedConversation, to line: inout JSONWriter) {
        let one = archived.conversation
        line.put("id", one.id.text)
        line.put("business", one.business.text)
        line.key("customer")
        line.beginObject()
        line.put("id", one.customer.id.text)
        if let capabilities = one.customer.capabilities {
            line.put("capabilities", capabilities)
        }
        let row = ConversationRow(
            number: 0, business: 0, conversation: one, head: archived.head,
            end: archived.end.value)
        line.put(columnsOf: row, in: "customer")
        line.endObject()
        line.put("openedAt", one.openedAt)
        line.put("revision", one.revision.value)
        line.put(columnsOf: row, in: nil)
        if !one.metadata.isEmpty { line.put("metadata", utf8: one.metadata.json) }
        if let last = one.last {
            line.key("last")
            line.beginObject()
            line.put("id", last.id.text)
            line.put("sequence", last.sequence.value)
            line.put("direction", last.direction.rawValue)
            line.put("kind", last.kind.rawValue)
            line.put("author", last.author)
            line.put("time", last.time)
            line.put("summary", last.summary)
            line.put("erasedAt", last.erasedAt)
            line.endObject()
        }
    }

    static func write(_ one: ArchivedNote, to line: inout JSONWriter) {
        line.put("number", one.number)
        line.put("conversation", one.conversation.text)
        line.put("id", one.note.id.text)
        line.put("time", one.note.time)
        line.put("author", one.note.author)
        line.put("afterSequence", one.note.afterSequence.value)
        line.put("text", one.note.text)
        if !one.note.mentions.isEmpty { line.put("mentions", one.note.mentions.map(\.text)) }
        if let times = one.note.timesOfMentions { line.put("mentionedAt", times.map(\.text)) }
        if !one.note.teams.isEmpty { line.put("teams", one.note.teams.map(\.text)) }
        line.put("editedAt", one.note.editedAt)
        line.put("deletedAt", one.note.deletedAt)
    }

    static func write(_ one: ArchivedMessage, to line: inout JSONWriter) {
        line.put("position", one.position.value)
        line.put("conversation", one.conversation.text)
        line.put("sequence", one.sequence.value)
        line.put("id", one.id.text)
        line.put("time", one.time)
        line.put("revision", one.revision)
        line.put("direction", one.facts.direction.rawValue)
        line.put("kind", one.facts.kind.rawValue)
        line.put("author", one.facts.author)
        line.put("origin", one.facts.origin.rawValue)
        line.put("summary", one.facts.summary)
        line.put("inReplyTo", one.facts.inReplyTo?.text)
        line.put("entryCode", one.facts.entryCode)
        line.put("posted", one.posted?.text)
        if !one.facts.headers.isEmpty {
            line.key("headers")
            line.beginArray()
            for header in one.facts.headers {
                line.beginObject()
                line.put("name", header.name)
                line.put("value", header.value)
                line.endObject()
            }
            line.endArray()
        }
        if !one.facts.warnings.isEmpty { line.put("warnings", utf8: one.facts.warnings) }
        if let template = one.facts.template {
            line.key("template")
            line.beginObject()
            line.put("name", template.name.text)
            line.put("version", Int64(template.version))
            line.put("values", utf8: template.values)
            line.endObject()
        }
        line.put(one.facts.attachments)
        line.put("payload", utf8: one.payload)
        line.put("erasedAt", one.erasure?.time)
        line.put("digest", one.erasure?.digest.text)
    }

    static func write(_ one: ArchivedEvent, to line: inout JSONWriter) {
        line.put("position", one.position.value)
        line.put("event", one.type.rawValue)
        line.put("time", one.time)
        line.put("business", one.business.text)
        line.put("conversation", one.conversation?.text)
        line.put("revision", one.revision)
        switch one.body {
        case .note(let number): line.put("note", number)
        case .json(let bytes): line.put("data", utf8: bytes)
        case .other(let subject, let data):
            if let subject { line.put("note", subject) }
            if let data { line.put("data", utf8: data) }
        case .step(let step):
            line.key("step")
            line.beginObject()
            line.put("author", step.author)
            line.put("state", step.state.rawValue)
            line.put("assignee", step.assignee?.text)
            line.put("snoozedUntil", step.snoozedUntil)
            if let change = step.change { write(change, to: &line) }
            if step.isImported { line.put("imported", true) }
            line.endObject()
        }
    }
}

extension ArchiveLine {
    private static func write(_ change: StepChange, to line: inout JSONWriter) {
        line.key("change")
        line.beginObject()
        switch change {
        case .assignee(let from, let to, let cause):
            line.put("of", "assignee")
            line.put("from", from?.text)
            line.put("to", to?.text)
            line.put("byReply", cause == .reply)
            if let word = cause.automatic { line.put("automatic", word) }
        case .priority(let from, let to):
            line.put("of", "priority")
            line.put("from", from.rawValue)
            line.put("to", to.rawValue)
        case .team(let from, let to):
            line.put("of", "team")
            line.put("from", from?.text)
            line.put("to", to?.text)
        case .attributes(let steps):
            line.put("of", "attributes")
            line.put("values", RowFields.write(steps))
        case .participants(let added, let removed), .watchers(let added, let removed):
            var of = "participants"
            if case .watchers = change { of = "watchers" }
            line.put("of", of)
            line.put("added", added.map(\.text))
            line.put("removed", removed.map(\.text))
        case .labels(let added, let removed):
            line.put("of", "labels")
            line.put("added", added.map(\.text))
            line.put("removed", removed.map(\.text))
        case .satisfaction(let step):
            line.put("of", "satisfaction")
            line.put("step", RowFields.write(step))
        case .overdue(let kind, let due):
            line.put("of", "overdue")
            line.put("answer", kind.rawValue)
            line.put("dueAt", due)
        case .waiting(let ended):
            line.put("of", "waiting")
            line.put("since", ended.since)
            line.put("newest", ended.newest.value)
            if let answer = ended.answer {
                line.put("answer", answer.kind.rawValue)
                if let at = answer.at { line.put("dueAt", at) }
            }
        }
        line.endObject()
    }
}

extension JSONWriter {
    /// Writes the columns that are members of one object and have a value.
    fileprivate mutating func put(columnsOf row: ConversationRow, in object: String?) {
        for column in ConversationColumn.all {
            guard let member = column.member, member.object == object else { continue }
            switch column.value(row) {
            case .null: break
            case .integer(let number):
                switch column.kind {
                case .claim: put(member.name, number != 0)
                case .time: put(member.name, Timestamp(milliseconds: number))
                case .integer, .text, .id, .digest: put(member.name, number)
                }
            case .text(let text): put(member.name, text)
            case .id(let id): put(member.name, id.text)
            case .digest(let digest): put(member.name, digest.text)
            }
        }
    }

    mutating func put(_ name: StaticString, _ text: String) {
        key(name)
        string(text)
    }

    /// A member that is left out when there is nothing to say.
    mutating func put(_ name: StaticString, _ text: String?) {
        if let text { put(name, text) }
    }

    mutating func put(_ name: StaticString, utf8: [UInt8]) {
        key(name)
        string(utf8: utf8)
    }

    mutating func put(_ name: StaticString, _ number: Int64) {
        key(name)
        integer(Int(number))
    }

    mutating func put(_ name: StaticString, _ revision: Revision?) {
        if let revision { put(name, revision.value) }
    }

    mutating func put(_ name: StaticString, _ claim: Bool) {
        key(name)
        bool(claim)
    }

    mutating func put(_ name: StaticString, _ time: Timestamp?) {
        if let time { put(name, time.text) }
    }

    mutating func put(_ name: StaticString, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    mutating func put(_ name: StaticString, _ author: Author) {
        key(name)
        beginObject()
        put("kind", author.kind)
        put("name", author.name)
        endObject()
    }

    /// The attachments that something names; left out when it names none.
    mutating func put(_ attachments: [AttachmentUse]) {
        guard !attachments.isEmpty else { return }
        key("attachments")
        beginArray()
        for one in attachments { value(one) }
        endArray()
    }

    mutating func value(_ one: AttachmentUse) {
        beginObject()
        put("sha256", one.id.text)
        put("name", one.name)
        put("mediaType", one.mediaType)
        put("bytes", one.byteCount)
        endObject()
    }
}

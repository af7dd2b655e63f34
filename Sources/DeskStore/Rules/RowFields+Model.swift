package import DeskModel

/// The records that rows have as texts. The lists of unnamed fields are those of earlier programs, and
/// never change.
extension RowFields {
    /// Writes protocol headers; nil for none.
    package static func write(_ headers: [HeaderField]) -> String? {
        guard !headers.isEmpty else { return nil }
        return write(
            headers.map { header in
                var record = Record()
                record["name"] = header.name
                record["value"] = header.value
                return record
            })
    }

    /// Reads protocol headers.
    package static func readHeaders(_ text: String) -> [HeaderField]? {
        guard let records = read(text, unnamed: ["name", "value"]) else { return nil }
        var headers: [HeaderField] = []
        for record in records {
            guard let name = record["name"], let value = record["value"] else { return nil }
            headers.append(HeaderField(name: name, value: value))
        }
        return headers
    }

    /// Writes the attachments that a message names; nil for none.
    package static func write(_ attachments: [AttachmentUse]) -> String? {
        guard !attachments.isEmpty else { return nil }
        return write(
            attachments.map { use in
                var record = Record()
                record["id"] = use.id.text
                record["name"] = use.name
                record["type"] = use.mediaType
                record["bytes"] = String(use.byteCount)
                return record
            })
    }

    /// Reads the attachments that a message names.
    package static func readAttachments(_ text: String) -> [AttachmentUse]? {
        guard let records = read(text, unnamed: ["id", "name", "type", "bytes"]) else {
            return nil
        }
        var attachments: [AttachmentUse] = []
        for record in records {
            guard let id = record["id"].flatMap({ AttachmentID($0) }), let name = record["name"],
                let mediaType = record["type"],
                let byteCount = record["bytes"].flatMap({ Int64($0) })
            else { return nil }
            attachments.append(
                AttachmentUse(id: id, name: name, mediaType: mediaType, byteCount: byteCount))
        }
        return attachments
    }

    /// Writes whom a note mentions, since when where that was not from the beginning, and by which teams; nil for none.
    package static func write(mentionsOf note: Note) -> String? {
        guard !note.mentions.isEmpty || !note.teams.isEmpty else { return nil }
        return write(
            note.mentions.map { agent in
                var record = Record()
                record["agent"] = agent.text
                record["since"] = note.laterMentions[agent].map { String($0.milliseconds) }
                return record
            }
                + note.teams.map { team in
                    var record = Record()
                    record["team"] = team.text
                    return record
                })
    }

    /// Reads whom a note mentions, since when, and by which teams, into it; false where the text cannot be read.
    package static func readMentions(_ text: String, into note: inout Note) -> Bool {
        guard let records = read(text, unnamed: ["agent"]) else { return false }
        for record in records {
            if let team = record["team"].flatMap({ TeamID($0) }) {
                note.teams.append(team)
            } else if let agent = record["agent"].flatMap({ AgentID($0) }) {
                note.mentions.append(agent)
                guard let since = record["since"] else { continue }
                guard let milliseconds = Int64(since) else { return false }
                note.laterMentions[agent] = Timestamp(milliseconds: milliseconds)
            } else {
                return false
            }
        }
        return true
    }

    /// Writes what an event fixed of its conversation.
    package static func write(_ step: ConversationStep) -> String {
        var record = Record()
        record["author_kind"] = step.author.kind
        record["author_name"] = step.author.name
        record["state"] = step.state.rawValue
        record["assignee"] = step.assignee?.text
        record["snoozed_until"] = step.snoozedUntil.map { String($0.milliseconds) }
        if let change = step.change { write(change, into: &record) }
        if step.isImported { record["imported"] = "1" }
        return write([record])
    }

    /// Reads what an event fixed of its conversation.
    package static func readStep(_ text: String) -> ConversationStep? {
        let unnamed = ["author_kind", "author_name", "state", "assignee", "snoozed_until"]
        guard let records = read(text, unnamed: unnamed), records.count == 1,
            let record = records.first, let kind = record["author_kind"],
            let name = record["author_name"], let author = Author(kind: kind, name: name),
            let state = record["state"].flatMap({ ConversationState(rawValue: $0) })
        else { return nil }
        return ConversationStep(
            author: author, state: state,
            assignee: record["assignee"].flatMap { AgentID($0) },
            snoozedUntil: record["snoozed_until"].flatMap { Int64($0) }
                .map { Timestamp(milliseconds: $0) }, change: readChange(record),
            isImported: record["imported"] != nil)
    }

    private static func write(_ change: StepChange, into record: inout Record) {
        switch change {
        case .assignee(let from, let to, let cause):
            record["change"] = "assignee"
            record["from"] = from?.text
            record["to"] = to?.text
            if cause == .reply { record["by_reply"] = "1" }
            record["automatic"] = cause.automatic
        case .priority(let from, let to):
            record["change"] = "priority"
            record["from"] = from.rawValue
            record["to"] = to.rawValue
        case .team(let from, let to):
            record["change"] = "team"
            record["from"] = from?.text
            record["to"] = to?.text
        case .attributes(let steps):
            record["change"] = "attributes"
            record["values"] = write(steps)
        case .participants(let added, let removed), .watchers(let added, let removed):
            if case .watchers = change {
                record["change"] = "watchers"
            } else {
                record["change"] = "participants"
            }
            record["added"] = write(added)
            record["removed"] = write(removed)
        case .labels(let added, let removed):
            record["change"] = "labels"
            record["added"] = added.map(\.text).joined(separator: ",")
            record["removed"] = removed.map(\.text).joined(separator: ",")
        case .satisfaction(let step):
            record["change"] = "satisfaction"
            write(step, into: &record)
        case .overdue(let kind, let due):
            record["change"] = "overdue"
            record["answer"] = kind.rawValue
            record["due"] = String(due.milliseconds)
        case .waiting(let ended):
            record["change"] = "waiting"
            record["since"] = String(ended.since.milliseconds)
            record["newest"] = String(ended.newest.value)
            record["answer"] = ended.answer?.kind.rawValue
            record["due"] = ended.answer?.at.map { String($0.milliseconds) }
        }
    }

    /// Reads a change; nil where there is none, and for one of a later program.
    private static func readChange(_ record: Record) -> StepChange? {
        switch record["change"] {
        case "assignee":
            return .assignee(
                from: record["from"].flatMap { AgentID($0) },
                to: record["to"].flatMap { AgentID($0) },
                by: record["by_reply"] != nil
                    ? .reply
                    : record["automatic"].flatMap { AssignmentCause(rawValue: $0) } ?? .hand)
        case "priority":
            guard let from = record["from"].flatMap({ Priority(rawValue: $0) }),
                let to = record["to"].flatMap({ Priority(rawValue: $0) })
            else { return nil }
            return .priority(from: from, to: to)
        case "team":
            return .team(
                from: record["from"].flatMap { TeamID($0) }, to: record["to"].flatMap { TeamID($0) }
            )
        case "attributes":
            return record["values"].flatMap { readSteps($0) }.map { .attributes($0) }
        case "participants", "watchers":
            guard let added = readAgents(record["added"] ?? ""),
                let removed = readAgents(record["removed"] ?? "")
            else { return nil }
            return record["change"] == "watchers"
                ? .watchers(added: added, removed: removed)
                : .participants(added: added, removed: removed)
        case "labels":
            return .labels(added: labels(record["added"]), removed: labels(record["removed"]))
        case "satisfaction": return step(in: record).map { .satisfaction($0) }
        case "overdue":
            guard let kind = record["answer"].flatMap({ AnswerDue.Kind(rawValue: $0) }),
                let due = record["due"].flatMap({ Int64($0) })
            else { return nil }
            return .overdue(kind, due: Timestamp(milliseconds: due))
        case "waiting":
            guard let since = record["since"].flatMap({ Int64($0) }),
                let newest = record["newest"].flatMap({ Int64($0) }), newest >= 0
            else { return nil }
            let due = record["due"].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
            let kind = record["answer"].flatMap { AnswerDue.Kind(rawValue: $0) }
            return .waiting(
                EndedWaiting(
                    since: Timestamp(milliseconds: since),
                    answer: kind.map { AnswerDue($0, at: due) }, newest: SequenceNumber(newest)))
        default: return nil
        }
    }

    /// Writes agents with commas.
    package static func write(_ agents: [AgentID]) -> String {
        agents.map(\.text).joined(separator: ",")
    }

    /// Reads what `write` wrote; nil for anything else.
    package static func readAgents(_ text: String) -> [AgentID]? {
        let ids = text.split(separator: ",").map { AgentID($0) }
        return ids.allSatisfy { $0 != nil } ? ids.compactMap(\.self) : nil
    }

    private static func labels(_ text: String?) -> [LabelID] {
        (text ?? "").split(separator: ",").compactMap { LabelID($0) }
    }

    /// Writes a conversation's labels as a JSON array, whose elements the store's triggers list.
    package static func write(_ labels: [LabelID]) -> String? {
        guard !labels.isEmpty else { return nil }
        return "[" + labels.map { "\"\($0.text)\"" }.joined(separator: ",") + "]"
    }

    /// Reads a conversation's labels.
    package static func readLabels(_ text: String) -> [LabelID]? {
        guard text.first == "[", text.last == "]" else { return nil }
        var labels: [LabelID] = []
        for part in text.dropFirst().dropLast().split(separator: ",") {
            guard part.first == "\"", part.last == "\"",
                let label = LabelID(part.dropFirst().dropLast())
            else { return nil }
            labels.append(label)
        }
        return labels
    }
}

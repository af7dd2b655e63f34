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

    /// Writes what an event fixed of its conversation.
    package static func write(_ step: ConversationStep) -> String {
        var record = Record()
        record["author_kind"] = step.author.kind
        record["author_name"] = step.author.name
        record["state"] = step.state.rawValue
        record["assignee"] = step.assignee?.text
        record["snoozed_until"] = step.snoozedUntil.map { String($0.milliseconds) }
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
                .map { Timestamp(milliseconds: $0) })
    }
}

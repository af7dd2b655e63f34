package import DeskModel

extension Fields {
    /// Writes protocol headers; nil for none.
    package static func write(_ headers: [HeaderField]) -> String? {
        headers.isEmpty ? nil : write(headers.flatMap { [$0.name, $0.value] })
    }

    /// Reads protocol headers.
    package static func readHeaders(_ text: String) -> [HeaderField]? {
        guard let fields = read(text), fields.count.isMultiple(of: 2) else { return nil }
        var headers: [HeaderField] = []
        for place in stride(from: 0, to: fields.count, by: 2) {
            guard let name = fields[place], let value = fields[place + 1] else { return nil }
            headers.append(HeaderField(name: name, value: value))
        }
        return headers
    }

    /// Writes the attachments that a message names; nil for none.
    package static func write(_ attachments: [AttachmentUse]) -> String? {
        guard !attachments.isEmpty else { return nil }
        return write(
            attachments.flatMap { [$0.id.text, $0.name, $0.mediaType, String($0.byteCount)] })
    }

    /// Reads the attachments that a message names.
    package static func readAttachments(_ text: String) -> [AttachmentUse]? {
        guard let fields = read(text), fields.count.isMultiple(of: 4) else { return nil }
        var attachments: [AttachmentUse] = []
        for place in stride(from: 0, to: fields.count, by: 4) {
            guard let id = fields[place].flatMap({ AttachmentID($0) }),
                let name = fields[place + 1], let mediaType = fields[place + 2],
                let byteCount = fields[place + 3].flatMap({ Int64($0) })
            else { return nil }
            attachments.append(
                AttachmentUse(id: id, name: name, mediaType: mediaType, byteCount: byteCount))
        }
        return attachments
    }

    /// Writes what an event fixed of its conversation.
    package static func write(_ step: ConversationStep) -> String {
        write([
            step.author.kind, step.author.name, step.state.rawValue, step.assignee?.text,
            step.snoozedUntil.map { String($0.milliseconds) },
        ])
    }

    /// Reads what an event fixed of its conversation.
    package static func readStep(_ text: String) -> ConversationStep? {
        guard let fields = read(text), fields.count == 5, let kind = fields[0],
            let name = fields[1], let author = Author(kind: kind, name: name),
            let state = fields[2].flatMap({ ConversationState(rawValue: $0) })
        else { return nil }
        return ConversationStep(
            author: author, state: state, assignee: fields[3].flatMap { AgentID($0) },
            snoozedUntil: fields[4].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) })
    }
}

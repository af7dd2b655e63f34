package import DeskJSON
import DeskMessages
package import DeskModel
import DeskStore

extension JSONWriter {
    /// Writes which numbers of a page are damaged and not served; nothing when none is.
    package mutating func damaged(_ sequences: [SequenceNumber]) {
        guard !sequences.isEmpty else { return }
        member("damaged") { text in
            text.array { text in for one in sequences { text.number(Int(one.value)) } }
        }
    }

    /// Writes a message as the business sees it.
    package mutating func message(_ message: StoredMessage, _ authorNames: AuthorNames) {
        let facts = message.facts
        object { text in
            text.messageHead(message)
            text.member("author") { $0.author(facts.author, authorNames) }
            text.member("origin", facts.origin.rawValue)
            if let system = facts.importedFrom { text.member("importedFrom", system) }
            text.messageBody(message, message.payload) {
                "/api/conversations/\(message.conversation.text)"
            }
            if facts.warnings.isEmpty {
                text.member("warnings") { $0.array { _ in } }
            } else {
                text.member("warnings", raw: facts.warnings)
            }
            text.member("template") { text in
                guard let template = facts.template else { return text.null() }
                text.object {
                    $0.member("name", template.name.text)
                    $0.member("version", template.version)
                }
            }
            if let template = facts.whatsAppTemplate { text.whatsAppTemplate(template) }
            text.attachments(facts.attachments)
            text.member("metadata", raw: facts.metadataText.map { Array($0.utf8) } ?? [0x7B, 0x7D])
            if let choice = facts.headers.first(where: { $0.name == PickedItems.headerName }) {
                text.member("choice", raw: Array(choice.value.utf8))
            }
            if let tapback = facts.headers.first(where: { $0.name == Tapback.headerName }) {
                text.member("tapback", tapback.value)
            }
            if let page = facts.headers.first(where: { $0.name == MessageFacts.pageDataName }) {
                text.member("page", raw: Array(page.value.utf8))
            }
            let missing = facts.headers.compactMap { MissingFile($0) }
            if !missing.isEmpty { text.missingFiles(missing) }
        }
    }

    /// Writes a message as its customer sees it: without author, origin, warnings and template, and of
    /// its payload what a device needs.
    package mutating func customerMessage(_ message: StoredMessage) {
        var payload = message.payload
        if let bytes = payload.carriedBytes {
            payload = .bytes(
                DeviceView.payload(
                    bytes, of: message.facts.kind,
                    hasAttachments: !message.facts.attachments.isEmpty))
        }
        object { text in
            text.messageHead(message)
            text.messageBody(message, payload) { "/api/phone/\(message.business.text)" }
            text.attachments(message.facts.attachments)
        }
    }

    /// Writes who wrote or did something.
    package mutating func author(_ author: Author, _ authorNames: AuthorNames) {
        object { $0.members(of: author, authorNames) }
    }

    private mutating func members(of author: Author, _ authorNames: AuthorNames) {
        member("type", author.kind)
        switch author {
        case .agent(let id): member("id", id.value)
        case .key(let id): member("id", id.value)
        case .rule(let mark): member("id", mark.id.value)
        case .customer, .provider, .script, .command, .server: member("id", author.name)
        }
        member("name", authorNames.name(of: author))
    }

    /// Writes a note.
    package mutating func note(_ note: Note, _ authorNames: AuthorNames) {
        object { text in
            text.member("id", note.id.text)
            text.member("time", note.time)
            text.member("author") { $0.author(note.author, authorNames) }
            text.member("text", note.text)
            text.member("afterSequence", Int(note.afterSequence.value))
            text.member("mentions") { text in
                text.array { text in
                    for agent in note.mentions {
                        text.object { text in
                            text.members(of: .agent(agent), authorNames)
                            text.member("since", note.mentioning(agent))
                        }
                    }
                }
            }
            text.member("teams") { text in
                text.array { text in for team in note.teams { text.string(team.text) } }
            }
            text.member("editedAt", note.editedAt)
            text.member("deletedAt", note.deletedAt)
        }
    }

    /// Writes which template of WhatsApp's a message is.
    private mutating func whatsAppTemplate(_ template: String) {
        // Safe: it was made by us.
        guard let root = try? JSONDocument(parsing: Array(template.utf8)).root else { return }
        member("whatsappTemplate") { text in
            text.object {
                $0.member("name", root["name"]?.string)
                $0.member("language", root["language"]?["code"]?.string)
            }
        }
    }

    private mutating func missingFiles(_ missing: [MissingFile]) {
        member("missingFiles") { text in
            text.array { text in
                for file in missing {
                    text.object {
                        $0.member("place") { text in
                            if let place = file.place { text.number(place) } else { text.null() }
                        }
                        $0.member("reason", file.reason)
                    }
                }
            }
        }
    }

    private mutating func messageHead(_ message: StoredMessage) {
        member("id", message.id.text)
        member("conversation", message.conversation.value)
        member("business", message.business.value)
        member("sequence", Int(message.sequence.value))
        member("direction", message.facts.direction.rawValue)
        member("kind", message.facts.kind.rawValue)
        member("time", message.time)
    }

    /// Writes the rest; `base` is where this reader fetches a payload that is too large to carry.
    private mutating func messageBody(
        _ message: StoredMessage, _ payload: Payload, below base: () -> String
    ) {
        let facts = message.facts
        member("summary", facts.summary)
        if facts.isAutomatic { member("automatic", true) }
        member("inReplyTo", facts.inReplyTo?.text)
        switch payload {
        case .bytes(let bytes): member("payload", raw: bytes)
        case .reference(let byteCount):
            member("payload") {
                $0.object {
                    $0.member("size", byteCount)
                    $0.member("sha256", message.digest)
                    $0.member("url", "\(base())/messages/\(message.id.pathText)")
                }
            }
        }
        member("sha256", message.digest)
        if let erasedAt = message.erasedAt { member("erasedAt", erasedAt) }
    }

    private mutating func attachments(_ attachments: [AttachmentUse]) {
        member("attachments") { text in
            text.array { text in
                for attachment in attachments {
                    text.object {
                        $0.member("id", attachment.id.text)
                        $0.member("name", attachment.name)
                        $0.member("mimeType", attachment.mediaType)
                        $0.member("size", Int(attachment.byteCount))
                    }
                }
            }
        }
    }
}

extension MessageFacts {
    /// The header field with what the page around a widget said of the customer, a JSON object's text.
    package static let pageDataName = "page-data"
}

import DeskEventJSON
import DeskJSON
import DeskModel
import DeskStore

/// Writes the rows of an export page by page: one page of a thread is held.
struct ExportRun: Sendable {
    /// Contacts that are read at a time.
    private static let contactsAtOnce = 100
    /// Messages, or notes, that are read at a time.
    private static let messagesAtOnce = 100
    /// Bytes that are gathered before they are written.
    private static let pieceBytes = 32 * 1_024

    let table: ExportTable
    let format: ExportFormat
    let business: BusinessID
    /// Of whom alone; nil for all.
    var contact: Contact?
    /// From when on, and until before when; nil without an end.
    let since: Timestamp?
    let until: Timestamp?
    let store: any Store
    let names: AuthorNames
    /// The e-mail addresses of the members.
    let emails: [AgentID: String]
    /// The names of the labels.
    let labels: [LabelID: String]

    /// Writes everything.
    ///
    /// Order: by contact, the newest first, those merged into one together; messages by their numbers. It is no
    /// snapshot: what is stored meanwhile may be among it or not.
    /// - Throws: `StoreError`, or what `write` throws.
    func write(to write: (_ piece: [UInt8]) async throws -> Void) async throws {
        var piece = format.head(of: table.columns)
        if let contact {
            try await append(contact, to: &piece, write)
        } else {
            var place: Int64?
            repeat {
                let page = try await store.contacts(
                    of: business, at: PageEdge(after: place), limit: Self.contactsAtOnce)
                for listed in page.elements {
                    try await append(listed.contact, to: &piece, write)
                }
                place = page.hasMore ? page.elements.last?.place : nil
            } while place != nil
        }
        if !piece.isEmpty { try await write(piece) }
    }

    /// Appends what there is of a contact and of those that were merged into it.
    private func append(
        _ contact: Contact, to piece: inout [UInt8], _ write: ([UInt8]) async throws -> Void
    ) async throws {
        for id in try await store.contactTree(of: contact.id) {
            guard
                let conversation = try await store.findConversation(ConversationID(id.value)),
                try await isWanted(conversation)
            else { continue }
            try await append(conversation, of: contact, to: &piece, write)
            if piece.count >= Self.pieceBytes {
                try await write(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Whether something of a conversation may lie in the span.
    private func isWanted(_ conversation: Conversation) async throws -> Bool {
        if let until, conversation.openedAt >= until, table != .messages, table != .notes {
            guard try await hasMessage(in: conversation, before: until) else { return false }
        }
        guard let since else { return true }
        // A note may be newer than the newest message.
        return table == .notes || (conversation.last?.time ?? conversation.openedAt) >= since
    }

    /// Whether what was said first is older than a moment: an import makes a conversation now where nothing says since
    /// when it is there, and its messages have their own times.
    private func hasMessage(
        in conversation: Conversation, before moment: Timestamp
    ) async throws -> Bool {
        guard conversation.newest > .start else { return false }
        let first = try await store.messages(
            in: conversation.id, .after(.start), limit: 1)
        return first.elements.contains { $0.time < moment }
    }

    private func isWanted(_ time: Timestamp) -> Bool {
        since.map { time >= $0 } ?? true && until.map { time < $0 } ?? true
    }

    private func append(
        _ conversation: Conversation, of contact: Contact, to piece: inout [UInt8],
        _ write: (_ piece: [UInt8]) async throws -> Void
    ) async throws {
        switch table {
        case .customers:
            format.append(
                customer(conversation, contact), table.columns, to: &piece)
        case .conversations: format.append(work(conversation), table.columns, to: &piece)
        case .messages:
            var last: SequenceNumber? = .start
            while let after = last {
                let page = try await store.messages(
                    in: conversation.id, .after(after), limit: Self.messagesAtOnce)
                last =
                    page.hasMore
                    ? (page.elements.map(\.sequence) + page.damaged).max() : nil
                let wanted = page.elements.filter { isWanted($0.time) }
                try await names.load(wanted.map(\.facts.author))
                for message in wanted {
                    format.append(row(message, conversation), table.columns, to: &piece)
                    if piece.count >= Self.pieceBytes {
                        try await write(piece)
                        piece.removeAll(keepingCapacity: true)
                    }
                }
            }
        case .notes:
            var place: NotePlace? = .beginning
            while let behind = place {
                let page = try await store.notes(
                    in: conversation.id, behind: behind, limit: Self.messagesAtOnce)
                place = page.next
                let wanted = page.notes.filter { isWanted($0.time) && $0.deletedAt == nil }
                try await names.load(wanted.map(\.author))
                for note in wanted {
                    format.append(row(note, conversation), table.columns, to: &piece)
                    if piece.count >= Self.pieceBytes {
                        try await write(piece)
                        piece.removeAll(keepingCapacity: true)
                    }
                }
            }
        }
    }

    // MARK: Rows

    private func customer(_ one: Conversation, _ contact: Contact) -> [ExportValue] {
        [
            .text(table.type), .text(one.customer.id.text), .text(one.id.text),
            .text(contact.id.text), .text(business.text),
            ExportValue(one.contactName ?? one.customer.name),
            // It belongs to the contact, of which an import may have several customers.
            ExportValue(one.id.value == contact.id.value ? contact.externalID : nil),
            ExportValue(one.customer.locale),
            ExportValue(
                one.id.value == contact.id.value && !contact.notes.isEmpty ? contact.notes : nil),
            .time(one.openedAt), ExportValue(one.last?.time), .number(one.newest.value),
            ExportValue(one.blockedAt),
            // As the external id.
            metadata(one.id.value == contact.id.value ? contact.metadata : Metadata()),
        ]
    }

    private func work(_ one: Conversation) -> [ExportValue] {
        let answer = one.satisfaction?.answer
        return [
            .text(table.type), .text(one.customer.id.text), .text(one.id.text),
            .text(business.text), ExportValue(one.contactName ?? one.customer.name),
            .text(one.state.rawValue), ExportValue(one.snoozedUntil),
            ExportValue(one.assignee.map { emails[$0] ?? $0.text }),
            ExportValue(one.team?.text), .text(one.priority.rawValue),
            ExportValue(JoinedTexts.join(one.labels.compactMap { labels[$0] })),
            .time(one.openedAt), ExportValue(one.last?.time), .number(one.newest.value),
            .number(Int64(one.unread)), ExportValue(one.waitingSince),
            answer.map { .number(Int64($0.score)) } ?? .none, ExportValue(answer?.comment),
            metadata(one.metadata),
        ]
    }

    private func row(_ message: StoredMessage, _ one: Conversation) -> [ExportValue] {
        let facts = message.facts
        let isErased = message.erasedAt != nil
        return [
            .text(table.type), .text(one.customer.id.text), .text(one.id.text),
            .text(business.text), .text(message.id.text), .number(message.sequence.value),
            .number(message.position.value), .time(message.time),
            .text(facts.direction.rawValue), .text(facts.kind.rawValue),
            .text(facts.origin.rawValue), ExportValue(facts.importedFrom),
            .text(facts.author.kind), .text(facts.author.name),
            ExportValue(names.name(of: facts.author)), ExportValue(email(of: facts.author)),
            .truth(facts.isAutomatic),
            isErased ? .none : .text(ReadableText.whole(of: message)), .text(facts.summary),
            isErased ? .none : message.payload.carriedBytes.map { .utf8($0) } ?? .none,
            ExportValue(facts.inReplyTo?.text), ExportValue(facts.template?.name.text),
            facts.template.map { .number(Int64($0.version)) } ?? .none,
            .number(Int64(facts.attachments.count)), ExportValue(message.erasedAt),
            ExportValue(facts.metadataText),
        ]
    }

    /// Metadata as a JSON object's text; none is no value.
    private func metadata(_ metadata: Metadata) -> ExportValue {
        metadata.isEmpty ? .none : .utf8(metadata.json)
    }

    private func row(_ note: Note, _ one: Conversation) -> [ExportValue] {
        [
            .text(table.type), .text(one.customer.id.text), .text(one.id.text),
            .text(business.text), .text(note.id.text), .time(note.time),
            .text(note.author.kind), .text(note.author.name),
            ExportValue(names.name(of: note.author)), ExportValue(email(of: note.author)),
            .text(note.text), .number(note.afterSequence.value),
        ]
    }

    private func email(of author: Author) -> String? {
        if case .agent(let id) = author { emails[id] } else { nil }
    }
}

import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore

/// One line of a transcript.
enum TranscriptEntry: Sendable {
    /// A message.
    case message(StoredMessage)
    /// A message that cannot be read.
    case damaged(SequenceNumber)
    /// A remark for colleagues.
    case note(Note)
}

/// Conversations from their first message to their last, written piece by piece: only one page of a
/// thread and one of its notes are held.
struct Transcript: Sendable {
    /// Messages, and notes, that are read at a time.
    static let pageSize = 100

    let conversations: [Conversation]
    let language: TranscriptLanguage
    let madeAt: Timestamp
    let names: AuthorNames

    init(
        of conversations: [Conversation], in language: TranscriptLanguage, madeAt: Timestamp,
        names: AuthorNames
    ) {
        self.conversations = conversations
        self.language = language
        self.madeAt = madeAt
        self.names = names
    }

    /// Writes everything, in the order of the conversations.
    ///
    /// - Throws: `StoreError`, or what `write` throws.
    func write(
        as format: TranscriptFormat, withNotes hasNotes: Bool, from store: any Store,
        to write: (_ piece: [UInt8]) async throws -> Void
    ) async throws {
        try await names.load(conversations)
        try await write(head(as: format))
        for (place, conversation) in conversations.enumerated() {
            try await write(begin(conversation, as: format, isFirst: place == 0))
            var notes = TranscriptNotes(of: conversation.id, isEmpty: !hasNotes)
            var last: SequenceNumber? = .start
            var isFirst = true
            var waiting: [TranscriptEntry] = []
            func flush() async throws {
                guard !waiting.isEmpty else { return }
                for entry in waiting {
                    try await names.load([author(of: entry)].compactMap(\.self))
                }
                var piece: [UInt8] = []
                for entry in waiting {
                    piece += self.write(entry, of: conversation, as: format, isFirst: isFirst)
                    isFirst = false
                }
                waiting.removeAll(keepingCapacity: true)
                try await write(piece)
            }
            func addNotes(before end: SequenceNumber?) async throws {
                while true {
                    let found = try await notes.next(before: end, from: store)
                    guard !found.isEmpty else { return }
                    waiting += found.map { .note($0) }
                    if waiting.count >= Self.pageSize { try await flush() }
                }
            }
            while let after = last {
                let (entries, next) = try await page(of: conversation, after: after, from: store)
                last = next
                for (sequence, entry) in entries {
                    try await addNotes(before: sequence)
                    waiting.append(entry)
                }
                if next == nil { try await addNotes(before: nil) }
                try await flush()
            }
            try await write(end(as: format))
        }
        try await write(foot(as: format))
    }

    /// The messages behind a message, and behind which message the next page begins; nil at the end.
    private func page(
        of conversation: Conversation, after: SequenceNumber, from store: any Store
    ) async throws(StoreError) -> ([(SequenceNumber, TranscriptEntry)], SequenceNumber?) {
        let page = try await store.messages(
            in: conversation.id, .after(after), limit: Self.pageSize)
        let read = page.elements.map(\.sequence) + page.damaged
        var entries = page.elements.map { ($0.sequence, TranscriptEntry.message($0)) }
        entries += page.damaged.map { ($0, TranscriptEntry.damaged($0)) }
        entries.sort { $0.0.value < $1.0.value }
        return (entries, page.hasMore ? read.max() : nil)
    }

    private func author(of entry: TranscriptEntry) -> Author? {
        switch entry {
        case .message(let message): message.facts.author
        case .note(let note): note.author
        case .damaged: nil
        }
    }

    // MARK: Formats

    private func head(as format: TranscriptFormat) -> [UInt8] {
        switch format {
        case .html: TranscriptPage.head(self)
        case .text: []
        case .json: Array("{\"madeAt\":\"\(madeAt.text)\",\"conversations\":[".utf8)
        }
    }

    private func begin(
        _ conversation: Conversation, as format: TranscriptFormat, isFirst: Bool
    ) -> [UInt8] {
        switch format {
        case .html: return TranscriptPage.begin(conversation, self)
        case .text: return TranscriptText.begin(conversation, self, isFirst: isFirst)
        case .json:
            var text = JSONWriter()
            text.conversation(conversation, names)
            return Array(((isFirst ? "" : ",") + "{\"conversation\":").utf8) + text.bytes
                + Array(",\"entries\":[".utf8)
        }
    }

    private func write(
        _ entry: TranscriptEntry, of conversation: Conversation, as format: TranscriptFormat,
        isFirst: Bool
    ) -> [UInt8] {
        switch format {
        case .html: return TranscriptPage.entry(entry, of: conversation, self)
        case .text: return TranscriptText.entry(entry, of: conversation, self)
        case .json:
            let object = JSONWriter.object(capacity: 2_048) { text in
                switch entry {
                case .message(let message):
                    text.member("type", "message")
                    text.member("message") { $0.message(message, names) }
                case .damaged(let sequence):
                    text.member("type", "damaged")
                    text.member("sequence", Int(sequence.value))
                case .note(let note):
                    text.member("type", "note")
                    text.member("note") { $0.note(note, names) }
                }
            }
            return isFirst ? object : [UInt8(ascii: ",")] + object
        }
    }

    private func end(as format: TranscriptFormat) -> [UInt8] {
        switch format {
        case .html: Array("</ol></article>\n".utf8)
        case .text: []
        case .json: Array("]}".utf8)
        }
    }

    private func foot(as format: TranscriptFormat) -> [UInt8] {
        switch format {
        case .html: Array("</body></html>\n".utf8)
        case .text: []
        case .json: Array("]}\n".utf8)
        }
    }

    // MARK: What entries say

    /// Who wrote something, as the reader knows them.
    func name(of author: Author, in conversation: Conversation) -> String {
        switch author {
        case .customer: name(of: conversation)
        case .agent, .key, .provider, .script, .rule: names.name(of: author) ?? author.name
        case .command, .server: "Frontdesk"
        }
    }

    /// What the customer is called: as agents named the contact, as the customer's own, or by the end of
    /// the id.
    func name(of conversation: Conversation) -> String {
        if let name = conversation.contactName { return name }
        if let name = conversation.customer.name, !name.isEmpty { return name }
        let letters = conversation.customer.id.text.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber)
        }
        return "\(language.customer) \(letters.suffix(4).uppercased())"
    }

    /// A moment in UTC, as people read it.
    func shown(_ time: Timestamp) -> String {
        let text = time.text
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }

    /// The texts of a message, what it cannot show included.
    func texts(of message: StoredMessage) -> [String] {
        guard message.erasedAt == nil else { return ["(\(language.erased))"] }
        let texts = ReadableText.pieces(of: message)
        return message.facts.kind == .text ? texts : ["[\(message.facts.kind.rawValue)]"] + texts
    }
}

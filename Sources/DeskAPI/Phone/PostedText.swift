import DeskJSON
package import DeskModel
import DeskWeb

/// A customer's words as the phone page posts them.
package struct PostedText: Sendable {
    /// What the address that led here carried.
    package struct Entry: Sendable {
        package var code: String?
        package var intent: String?
        package var group: String?

        package init() {}
    }

    /// Most attachments of a message; one more is answered with 422.
    static let maximumAttachments = 10

    let id: MessageID
    /// The words, with one U+FFFC where each attachment goes.
    let text: String
    let attachments: [AttachmentID]
    /// Where it must go; nil where the session says it, or there is none yet.
    let conversation: ConversationID?
    /// Where the customer's browser may have sent the same message before the customer signed in; from the frame of a
    /// widget only.
    let former: ConversationID?
    let entry: Entry
    let locale: String?
    /// What the phone has made up to be known by, sent with its first words: when their answer is
    /// lost, the same words sent again find the customer that they made.
    let secret: Token?
    /// What the page around a widget says of the customer; nil on the customer's own page.
    let page: PageData?
    /// The bytes as posted; they distinguish a repeat from another message.
    let posted: [UInt8]

    /// Reads `{"id","text","attachments"?,"conversation"?,"entry"?,"locale"?,"secret"?}`, and from the frame of a
    /// widget `"page"?` and `"former"?`.
    init(_ bytes: [UInt8], isEmbedded: Bool = false) throws(Problem) {
        var fields = try Fields(bytes)
        posted = bytes
        let id = fields.requireText("id", bytes: 36...36)
        // The body's limit is the text's.
        let text = fields.text("text", bytes: 0...bytes.count) ?? ""
        attachments = Self.attachments(&fields)
        conversation = Self.conversation("conversation", &fields)
        former = isEmbedded ? Self.conversation("former", &fields) : nil
        entry = Self.entry(&fields)
        locale = fields.text("locale", bytes: 0...Customer.maximumLocaleBytes).flatMap(Self.locale)
        page = isEmbedded ? try PageData.read(&fields) : nil
        let secret = fields.text("secret", bytes: 43...43)
        self.secret = secret.flatMap { Token($0) }
        if secret != nil, self.secret == nil {
            fields.note("secret", "32 random bytes in base64url", "Make a new one.")
        }
        let unique = id.flatMap { UniqueID($0) }
        if id != nil, unique == nil { fields.note("id", "a UUID", "Make a new UUID.") }
        if attachments.isEmpty, text.utf8.allSatisfy({ $0 <= 0x20 }) {
            fields.note("text", "words or an attachment", "Write something.")
        }
        try fields.finish()
        guard let id = id.flatMap({ MessageID($0) }) else { throw .notFound }
        self.id = id
        self.text = Self.placed(text, attachments.count)
    }

    /// Words of a script, without posted bytes.
    package init(id: MessageID, text: String, locale: String?, entry: Entry = Entry()) {
        self.id = id
        self.text = text
        self.locale = locale
        secret = nil
        page = nil
        attachments = []
        conversation = nil
        former = nil
        self.entry = entry
        posted = Array(id.text.utf8)
    }

    private static func attachments(_ fields: inout Fields) -> [AttachmentID] {
        guard let value = fields.value("attachments"), !value.isNull else { return [] }
        let ids = value.elements.compactMap { $0.string.flatMap { AttachmentID($0) } }
        if value.kind != .array || ids.count != value.count || ids.count > maximumAttachments {
            fields.note(
                "attachments", "an array of at most \(maximumAttachments) attachment ids",
                "Upload the files first and send their ids.")
        }
        return ids
    }

    private static func conversation(_ name: String, _ fields: inout Fields) -> ConversationID? {
        guard let text = fields.text(name, bytes: 36...36) else { return nil }
        let id = ConversationID(text)
        if id == nil { fields.note(name, "a UUID", "Copy the conversation's id.") }
        return id
    }

    private static func entry(_ fields: inout Fields) -> Entry {
        guard let value = fields.value("entry"), !value.isNull else { return Entry() }
        var entry = Entry()
        guard value.kind == .object else {
            fields.note("entry", "an object", "Send what the address carried, or leave it out.")
            return entry
        }
        func word(_ name: String) -> String? {
            guard let text = value[name]?.string,
                (1...Customer.maximumWordBytes).contains(text.utf8.count)
            else { return nil }
            return text
        }
        entry.code = word("code")
        entry.intent = word("intent")
        entry.group = word("group")
        return entry
    }

    /// A locale as the protocol writes it, `en_US`; nil for anything else.
    private static func locale(_ text: String) -> String? {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
        let isWord = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                || byte == UInt8(ascii: "_")
        }
        guard bytes.count >= 2, isWord else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with exactly as many places for attachments as there are attachments.
    private static func placed(_ text: String, _ count: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var places = 0
        for scalar in text.unicodeScalars {
            if scalar.value == 0xFFFC {
                places += 1
                guard places <= count else { continue }
            }
            scalars.append(scalar)
        }
        for _ in min(places, count)..<count { scalars.append("\u{FFFC}") }
        return String(scalars)
    }
}

/// A payload's bytes, or a reference where they would be too many to carry.
public enum Payload: Hashable, Sendable {
    /// The bytes exactly as they are sent on.
    case bytes([UInt8])
    /// The size only; the bytes are fetched by the message's id.
    case reference(byteCount: Int)

    /// How many bytes the payload has.
    public var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .reference(let byteCount): byteCount
        }
    }

    /// The bytes, when they are carried.
    public var carriedBytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .reference: nil
        }
    }
}

/// One protocol header that travelled with a message, such as `capability-list`.
public struct HeaderField: Hashable, Sendable {
    /// The name in lower case.
    public let name: String
    /// The value as it came.
    public let value: String

    /// Puts a name and a value together.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// An attachment as one message names it.
public struct AttachmentUse: Hashable, Sendable {
    /// The attachment's name in the server.
    public let id: AttachmentID
    /// The file name shown.
    public let name: String
    /// The media type stated.
    public let mediaType: String
    /// Its size in bytes.
    public let byteCount: Int64

    /// Puts the four together.
    public init(id: AttachmentID, name: String, mediaType: String, byteCount: Int64) {
        self.id = id
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
    }
}

/// The template that a message was made from.
public struct TemplateUse: Hashable, Sendable {
    /// The template's name.
    public let name: TemplateName
    /// The immutable version used.
    public let version: Int
    /// The values given, as JSON text.
    public let values: [UInt8]

    /// Puts the three together.
    public init(name: TemplateName, version: Int, values: [UInt8]) {
        self.name = name
        self.version = version
        self.values = values
    }
}

/// What is kept of a message beside its payload and its numbers; the sender's side of it.
public struct MessageFacts: Hashable, Sendable {
    private struct Extras: Hashable, Sendable {
        var headers: [HeaderField] = []
        var warnings: [UInt8] = []
        var template: TemplateUse?
        var attachments: [AttachmentUse] = []
        var inReplyTo: MessageID?
        var entryCode: String?
    }

    private static let none = Extras()

    /// Which way it travels.
    public var direction: Direction
    /// What it is.
    public var kind: MessageKind
    /// Who wrote it.
    public var author: Author
    /// Where it entered.
    public var origin: Origin
    // Most messages have none of them, and facts are copied all along a message's way.
    private var extras: Boxed<Extras>?
    /// A line for lists: the message's content, shortened when it was checked.
    public var summary: String

    /// Protocol headers in and out.
    public var headers: [HeaderField] {
        get { extras?.value.headers ?? [] }
        set { change { $0.headers = newValue } }
    }
    /// Warnings found, as a JSON array's text; empty when none.
    public var warnings: [UInt8] {
        get { extras?.value.warnings ?? [] }
        set { change { $0.warnings = newValue } }
    }
    /// The template it was made from.
    public var template: TemplateUse? {
        get { extras?.value.template }
        set { change { $0.template = newValue } }
    }
    /// Attachments it holds on to.
    public var attachments: [AttachmentUse] {
        get { extras?.value.attachments ?? [] }
        set { change { $0.attachments = newValue } }
    }
    /// The message that it answers.
    public var inReplyTo: MessageID? {
        get { extras?.value.inReplyTo }
        set { change { $0.inReplyTo = newValue } }
    }
    /// The join code that began the conversation, on its first message only.
    public var entryCode: String? {
        get { extras?.value.entryCode }
        set { change { $0.entryCode = newValue } }
    }

    /// Describes a message; everything that most messages lack has a default.
    public init(
        direction: Direction, kind: MessageKind, author: Author, origin: Origin,
        headers: [HeaderField] = [], warnings: [UInt8] = [], template: TemplateUse? = nil,
        attachments: [AttachmentUse] = [], inReplyTo: MessageID? = nil, entryCode: String? = nil,
        summary: String = ""
    ) {
        self.direction = direction
        self.kind = kind
        self.author = author
        self.origin = origin
        self.summary = summary
        let isPlain =
            headers.isEmpty && warnings.isEmpty && template == nil && attachments.isEmpty
            && inReplyTo == nil && entryCode == nil
        if !isPlain {
            extras = Boxed(
                Extras(
                    headers: headers, warnings: warnings, template: template,
                    attachments: attachments, inReplyTo: inReplyTo, entryCode: entryCode))
        }
    }

    /// The header that says that a program wrote the message by itself (protocol page 1.3).
    public static let automatic = HeaderField(name: "auto-reply", value: "true")

    /// Whether a program wrote it by itself.
    public var isAutomatic: Bool { headers.contains(Self.automatic) }

    /// The header that says of an imported message which system it was said in.
    private static let importedName = "imported-from"

    /// The system that it was imported from, such as `chatwoot`; nil for what was said here.
    ///
    /// An imported message has its own time and author. It is never sent, nothing reacts to it, and no
    /// customer waits because of it.
    public var importedFrom: String? {
        guard extras != nil else { return nil }
        return headers.first { $0.name == Self.importedName }?.value
    }

    /// Marks the message as imported from a system.
    public mutating func markImported(from system: String) {
        headers.removeAll { $0.name == Self.importedName }
        headers.append(HeaderField(name: Self.importedName, value: system))
    }

    private mutating func change(_ change: (inout Extras) -> Void) {
        var changed = extras?.value ?? Self.none
        change(&changed)
        // None and only defaults are the same, and compare so.
        extras = changed == Self.none ? nil : Boxed(changed)
    }
}

/// A message as the store gives it back.
public struct StoredMessage: Hashable, Sendable {
    /// The sender's name for it.
    public let id: MessageID
    /// Where it belongs.
    public let conversation: ConversationID
    /// Whose conversation that is.
    public let business: BusinessID
    /// Its place in the conversation.
    public let sequence: SequenceNumber
    /// Its event's place in the log.
    public let position: Position
    /// When it was accepted.
    public let time: Timestamp
    /// Direction, kind, author and the rest.
    public let facts: MessageFacts
    /// The bytes as sent on, or their size.
    public let payload: Payload
    /// SHA-256 of the payload; of an erased message a keyed digest whose key is destroyed.
    public let digest: Digest
    /// CRC-32C of the message's key and payload.
    public let checksum: UInt32
    /// When its content was erased; nil for a message that has its content.
    public let erasedAt: Timestamp?

    /// Puts together what a store read.
    public init(
        id: MessageID, conversation: ConversationID, business: BusinessID,
        sequence: SequenceNumber, position: Position, time: Timestamp, facts: MessageFacts,
        payload: Payload, digest: Digest, checksum: UInt32, erasedAt: Timestamp? = nil
    ) {
        self.erasedAt = erasedAt
        self.id = id
        self.conversation = conversation
        self.business = business
        self.sequence = sequence
        self.position = position
        self.time = time
        self.facts = facts
        self.payload = payload
        self.digest = digest
        self.checksum = checksum
    }

    /// The same message with its payload by reference when that is larger than a limit.
    public func carrying(atMostBytes limit: Int) -> StoredMessage {
        guard payload.byteCount > limit else { return self }
        return StoredMessage(
            id: id, conversation: conversation, business: business, sequence: sequence,
            position: position, time: time, facts: facts,
            payload: .reference(byteCount: payload.byteCount), digest: digest, checksum: checksum,
            erasedAt: erasedAt)
    }
}

/// One immutable version of a template.
public struct Template: Hashable, Sendable {
    /// Longest title in characters, as Schemas/template.json has it; beyond it 422.
    public static let maximumTitleCharacters = 200
    /// Longest description in characters, as Schemas/template.json has it; beyond it 422.
    public static let maximumDescriptionCharacters = 2_000

    /// Whose it is.
    public let business: BusinessID
    /// Its name in the business.
    public let name: TemplateName
    /// 1, 2, 3 …; given by the store.
    public let version: Int
    /// The line in a list.
    public let title: String
    /// What it is for.
    public let detail: String
    /// The payload with its placeholders.
    public let payload: [UInt8]
    /// The parameters, as a JSON array's text.
    public let parameters: [UInt8]
    /// Attachments it holds on to.
    public let attachments: [AttachmentUse]
    /// Who published it.
    public let author: Author
    /// When.
    public let publishedAt: Timestamp

    /// Describes a version; the store replaces `version` when it publishes.
    public init(
        business: BusinessID, name: TemplateName, version: Int = 0, title: String, detail: String,
        payload: [UInt8], parameters: [UInt8], attachments: [AttachmentUse] = [], author: Author,
        publishedAt: Timestamp
    ) {
        self.business = business
        self.name = name
        self.version = version
        self.title = title
        self.detail = detail
        self.payload = payload
        self.parameters = parameters
        self.attachments = attachments
        self.author = author
        self.publishedAt = publishedAt
    }
}

extension Template {
    /// The payload of a version by which the template was removed: JSON `null`, which no message is.
    public static let removalPayload = Array("null".utf8)

    /// Whether it is the version by which the template was removed; the next one brings it back.
    public var isRemoval: Bool { payload == Self.removalPayload }

    /// Whether another version says the same: title, description, payload and parameters.
    public func saysTheSame(as other: Template) -> Bool {
        title.utf8.elementsEqual(other.title.utf8) && detail.utf8.elementsEqual(other.detail.utf8)
            && payload == other.payload && parameters == other.parameters
    }

    /// The version by which this template is removed.
    public func removal(by author: Author, at time: Timestamp) -> Template {
        Template(
            business: business, name: name, title: title, detail: detail,
            payload: Self.removalPayload, parameters: Array("[]".utf8), author: author,
            publishedAt: time)
    }

    /// The same template as a stated version; only stores number versions.
    public func numbered(_ version: Int) -> Template {
        Template(
            business: business, name: name, version: version, title: title, detail: detail,
            payload: payload, parameters: parameters, attachments: attachments, author: author,
            publishedAt: publishedAt)
    }
}

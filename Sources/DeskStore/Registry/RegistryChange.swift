public import DeskModel

/// One change of what is registered beside the log, by what it is about.
///
/// Every registry change names one, with its author: what lookups have to forget, what the audit
/// keeps and what listeners are notified of follow from it. It holds no secret: no token, no hash of
/// one, no content.
public enum RegistryChange: Hashable, Sendable {
    /// Of businesses, the people who answer for them, and their ways in.
    case people(PeopleChange)
    /// Of keys, sessions and join codes.
    case credentials(CredentialChange)
    /// Of templates, files, remembered answers and settings.
    case contents(ContentChange)
    /// Of links to providers and upstreams, and of outboxes.
    case links(LinkChange)

    /// What is written down of it.
    public var facts: ChangeFacts {
        switch self {
        case .people(let change): change.facts
        case .credentials(let change): change.facts
        case .contents(let change): change.facts
        case .links(let change): change.facts
        }
    }
}

/// What is written down of a change.
public struct ChangeFacts: Hashable, Sendable {
    /// What was done, in a word that never changes: the store keeps it.
    public let kind: String
    /// The business that it is about; nil where it is about none, or about several.
    public let business: BusinessID?
    /// What was changed, by its name or id; empty where there is no one thing.
    public let subject: String
    /// What more is worth knowing, such as the role that was given; mostly empty.
    public let detail: String
    /// Whether the audit keeps it; what does not is bookkeeping that would be as many as requests.
    public let isKept: Bool

    /// Something that the audit keeps.
    static func kept(
        _ kind: String, _ subject: String = "", of business: BusinessID? = nil, detail: String = ""
    ) -> ChangeFacts {
        ChangeFacts(
            kind: kind, business: business, subject: subject, detail: detail, isKept: true)
    }

    /// Something that is counted, renewed or cleared away in the course of serving.
    static func bookkeeping(
        _ kind: String, _ subject: String = "", of business: BusinessID? = nil
    ) -> ChangeFacts {
        ChangeFacts(kind: kind, business: business, subject: subject, detail: "", isKept: false)
    }
}

/// One change with who made it and when.
public struct RegistryEntry: Hashable, Sendable {
    /// What was changed.
    public let change: RegistryChange
    /// Who changed it.
    public let author: Author
    /// When, by the server's clock.
    public let time: Timestamp

    /// Whether the audit keeps it; what the server sets by itself, such as its clock, is bookkeeping.
    public var isKept: Bool {
        if case .contents(.setSetting) = change, author == .server { return false }
        return change.facts.isKept
    }

    /// Puts it together.
    public init(_ change: RegistryChange, by author: Author, at time: Timestamp) {
        self.change = change
        self.author = author
        self.time = time
    }
}

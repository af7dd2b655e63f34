import DeskModel

/// A table of an export: what its rows are.
enum ExportTable: String, CaseIterable {
    /// Customers with what is known of them.
    case customers
    /// Conversations with their state of work.
    case conversations
    /// Messages.
    case messages
    /// Notes among agents.
    case notes

    /// The names of the columns in their order: every row has all of them, each with one type.
    var columns: [String] {
        switch self {
        case .customers:
            [
                "type", "customer", "conversation", "contact", "business", "name", "externalId",
                "locale", "notes", "openedAt", "lastMessageAt", "messages", "blockedAt",
                "metadata",
            ]
        case .conversations:
            [
                "type", "customer", "conversation", "business", "customerName", "state",
                "snoozedUntil", "assignee", "team", "priority", "labels", "openedAt",
                "lastMessageAt", "messages", "unread", "waitingSince", "satisfactionScore",
                "satisfactionComment", "metadata",
            ]
        case .messages:
            [
                "type", "customer", "conversation", "business", "id", "sequence", "position",
                "time", "direction", "kind", "origin", "importedFrom", "authorType", "authorId",
                "author", "authorEmail", "automatic", "text", "summary", "payload", "inReplyTo",
                "template", "templateVersion", "attachments", "erasedAt",
                "metadata",
            ]
        case .notes:
            [
                "type", "customer", "conversation", "business", "id", "time", "authorType",
                "authorId", "author", "authorEmail", "text", "sequence",
            ]
        }
    }

    /// What the column `type` has, which is also what an import reads.
    var type: String {
        switch self {
        case .customers: "customer"
        case .conversations: "conversation"
        case .messages: "message"
        case .notes: "note"
        }
    }
}

/// A cell of an export.
enum ExportValue: Sendable {
    case text(String)
    case utf8([UInt8])
    case number(Int64)
    case truth(Bool)
    case time(Timestamp)
    case none

    init(_ text: String?) { self = text.map { .text($0) } ?? .none }

    init(_ time: Timestamp?) { self = time.map { .time($0) } ?? .none }
}

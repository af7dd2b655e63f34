/// Who holds on to an attachment, and so may fetch it.
public enum AttachmentHolder: Hashable, Sendable {
    /// Everyone in a conversation.
    case conversation(ConversationID)
    /// A business: its picture and its templates.
    case business(BusinessID)
    /// The library of a business: what it keeps to send again.
    case library(BusinessID)
}

/// What an event is about.
public enum EventBody: Hashable, Sendable {
    /// A message; its payload by reference when it is large.
    case message(StoredMessage)
    /// A change of the conversation.
    case conversation(ConversationStep)
    /// A note.
    case note(Note)
    /// A JSON object's text, for events of other parts of the server.
    case json([UInt8])
}

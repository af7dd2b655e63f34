import DeskModel

/// A conversation with its row number, its business's and its running head.
struct HotConversation: Sendable {
    let number: Int64
    let business: Int64
    var conversation: Conversation
    var head: Digest?
}

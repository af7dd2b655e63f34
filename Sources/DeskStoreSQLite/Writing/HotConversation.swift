import DeskModel

/// A conversation with its row number, its business's, its running head and its end in the log.
struct HotConversation: Sendable {
    let number: Int64
    let business: Int64
    var conversation: Conversation
    var head: Digest?
    /// Where the newest message lies; 0 before the first.
    var end: Int64 = 0
}

package import DeskModel

/// A conversation as a store keeps it: with its row's number, its business's, its running head and
/// its end in the log.
package struct ConversationRow: Sendable {
    /// The row's number; 0 until the store gave it one.
    package var number: Int64
    /// The number of the business's row.
    package let business: Int64
    /// What the row says.
    package var conversation: Conversation
    /// The running head over all messages; nil before the first.
    package var head: Digest?
    /// The position of the newest message; 0 before the first.
    package var end: Int64

    /// Puts a row together.
    package init(
        number: Int64, business: Int64, conversation: Conversation, head: Digest?, end: Int64 = 0
    ) {
        self.number = number
        self.business = business
        self.conversation = conversation
        self.head = head
        self.end = end
    }
}

/// A conversation that a group looked at, as the group leaves it.
package struct DecidedConversation: Sendable {
    /// What the group changed of it.
    package enum Change: Comparable, Sendable {
        case nothing
        /// Only what the group's messages and events say themselves: the row may be written later.
        case inItsEvents
        /// Something that only the row has: it is written in the same commit.
        case ofItsRow
    }

    /// The row as the group leaves it.
    package var row: ConversationRow
    /// What the group changed of it.
    package internal(set) var change: Change
}

import DeskJSON
import DeskModel

extension GroupDecision {
    /// Goes on only where a conversation's metadata stays within its limits.
    func requireMetadata(
        _ change: ConversationChange, on conversation: Conversation
    ) throws(Undecided) {
        guard case .annotate(let change) = change else { return }
        guard conversation.metadata.changed(by: change).isAllowed else {
            throw .refused(.unusable)
        }
    }

    /// What `conversation.metadata_changed` says: names, and no value.
    static func metadataEvent(
        from before: Conversation, to after: Conversation, by step: ChangeConversation
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.member("change") { text in
                text.object { text in
                    text.member("metadata") {
                        $0.names(from: before.metadata, to: after.metadata)
                    }
                }
            }
            text.by(step.author)
            // Behind all others: events are recognised by it.
            if step.isImported { text.member("imported", true) }
        }
    }

    /// Empties a conversation's metadata, which may repeat what is erased in it.
    mutating func eraseMetadata(of row: inout ConversationRow, at place: Int) {
        guard !row.conversation.metadata.isEmpty else { return }
        row.conversation.metadata = Metadata()
        changes.append(.conversationMetadata(conversation: place))
    }
}

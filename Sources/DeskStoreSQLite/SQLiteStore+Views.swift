public import DeskModel
import DeskSQL
public import DeskStore

extension SQLiteStore: SQLLog {
    /// Finds a conversation by its name, in memory if it was found before.
    public func findConversation(
        _ id: ConversationID
    ) async throws(StoreError) -> Conversation? {
        let known = memory.find(id)
        if let conversation = known.conversation { return conversation }
        let found = try await read { connection throws(StoreError) in
            try ConversationRows.find(id, on: connection.sql)?.conversation
        }
        if let found { memory.keep(found, asOf: known.commits) }
        return found
    }

    /// The conversations whose rows lack their newest messages.
    public func unflushedRows() -> UnflushedRows { UnflushedRows(memory.unflushed) }

    /// The same of one conversation.
    public func unflushedRow(of id: ConversationID) -> UnflushedRows {
        UnflushedRows(memory.findUnflushed(id).map { [id: $0] } ?? [:])
    }

    /// Has the rows of conversations written whose newest messages they lack.
    public func flushRows() async throws(StoreError) {
        guard !memory.unflushed.isEmpty else { return }
        try await writer.flushRows()
    }
}

package import DeskModel
package import DeskStore

/// The rows with conversations' metadata, which lie beside those of the conversations: programs of the version
/// before could not verify a row with one more column.
package enum ConversationMetadata {
    /// What a list of columns of `conversations c` ends with.
    static let column =
        "(SELECT x.content FROM conversation_metadata x WHERE x.conversation = c.number)"

    /// Reads the column; null is none.
    static func read(_ row: any SQLStatement) throws(StoreError) -> Metadata {
        guard let content = row.bytesIfAny() else { return Metadata() }
        return try row.require(Metadata(json: content), "metadata")
    }

    /// Keeps a conversation's metadata instead of that before.
    package static func replace(
        _ metadata: Metadata, of conversation: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let old = try sql.statement(
            literal: "DELETE FROM conversation_metadata WHERE conversation = ?")
        try old.bind(conversation)
        try old.run()
        try add(metadata, of: conversation, on: sql)
    }

    /// Keeps the metadata of a conversation that has none.
    package static func add(
        _ metadata: Metadata, of conversation: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        guard !metadata.isEmpty else { return }
        let statement = try sql.statement(
            literal: "INSERT INTO conversation_metadata (conversation, content) VALUES (?, ?)")
        try statement.bind(conversation)
        try statement.bind(metadata.json)
        try statement.run()
    }
}

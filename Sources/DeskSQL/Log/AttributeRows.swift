package import DeskModel
package import DeskStore

/// The values of conversations' attributes as lists are read by them, in the order of the list.
///
/// State and activity follow the conversation's row by a trigger.
package enum AttributeRows {
    /// Notes the values of a conversation instead of those before.
    package static func replace(of row: ConversationRow, on sql: any SQLSession) throws(StoreError)
    {
        let statement = try sql.statement(
            literal: "DELETE FROM conversation_attributes WHERE conversation = ?")
        try statement.bind(row.number)
        try statement.run()
        try add(
            row.conversation.attributes, of: row.number, in: row.business,
            state: row.conversation.state.rawValue, activity: row.conversation.activity.value,
            on: sql)
    }

    /// Notes the values of a conversation that has none noted.
    package static func add(
        _ attributes: [String: AttributeValue], of conversation: Int64, in business: Int64,
        state: String, activity: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        guard !attributes.isEmpty else { return }
        let statement = try sql.statement(
            literal: """
                INSERT INTO conversation_attributes (business, key, value, state, activity, \
                conversation) VALUES (?, ?, ?, ?, ?, ?)
                """)
        for (key, value) in attributes {
            try statement.bind(business)
            try statement.bind(key)
            try statement.bind(value.stored)
            try statement.bind(state)
            try statement.bind(activity)
            try statement.bind(conversation)
            try statement.run()
        }
    }
}

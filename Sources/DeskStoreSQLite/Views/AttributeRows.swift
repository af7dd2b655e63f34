import DeskModel
import DeskStore

/// The values of conversations' attributes as lists are read by them, in the order of the list.
///
/// State and activity follow the conversation's row by a trigger.
enum AttributeRows {
    /// Notes the values of a conversation instead of those before.
    static func replace(of row: ConversationRow, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: "DELETE FROM conversation_attributes WHERE conversation = ?")
        try statement.bind(row.number)
        try statement.run()
        try add(
            row.conversation.attributes, of: row.number, in: row.business,
            state: row.conversation.state.rawValue, activity: row.conversation.activity.value,
            on: connection)
    }

    /// Notes the values of a conversation that has none noted.
    static func add(
        _ attributes: [String: AttributeValue], of conversation: Int64, in business: Int64,
        state: String, activity: Int64, on connection: Connection
    ) throws(StoreError) {
        guard !attributes.isEmpty else { return }
        let statement = try connection.statement(
            literal: "INSERT INTO conversation_attributes VALUES (?, ?, ?, ?, ?, ?)")
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

    private static let due = "conversation_attributes_due"

    /// Notes the values of all conversations when a step of the schema asked for it, in one
    /// transaction.
    static func fillIfDue(on connection: Connection) throws(StoreError) {
        let asked = try connection.prepare("SELECT 1 FROM settings WHERE name = '\(due)'")
            .first { $0.integer() }
        guard asked != nil else { return }
        try connection.execute("BEGIN IMMEDIATE; DELETE FROM conversation_attributes")
        do {
            let rows = try connection.prepare(
                """
                SELECT number, business, state, activity, attributes FROM conversations \
                WHERE attributes IS NOT NULL
                """)
            while try rows.step() {
                let (number, business) = (rows.integer(), rows.integer())
                let (state, activity) = (rows.text(), rows.integer())
                // A damaged row is found when it is read.
                guard let values = RowFields.readAttributes(rows.text()) else { continue }
                try add(
                    values, of: number, in: business, state: state, activity: activity,
                    on: connection)
            }
            try connection.execute("DELETE FROM settings WHERE name = '\(due)'; COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }
}

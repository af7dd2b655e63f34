package import DeskModel
package import DeskStore

/// The rows of requests that are settled once, such as payments.
package enum Settlements {
    /// Notes which answer settled a request of the conversation with this number.
    package static func add(
        _ request: MessageID, in conversation: Int64, by answer: MessageID,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO settlements (conversation, request, answer) VALUES (?, ?, ?)
                """)
        try statement.bind(conversation)
        try statement.bind(request.text)
        try statement.bind(answer.text)
        try statement.run()
    }

    /// Finds which answer settled a request of the conversation with this number.
    package static func find(
        _ request: MessageID, in conversation: Int64, on sql: any SQLSession
    ) throws(StoreError) -> MessageID? {
        let statement = try sql.statement(
            literal: "SELECT answer FROM settlements WHERE conversation = ? AND request = ?")
        try statement.bind(conversation)
        try statement.bind(request.text)
        return try statement.first { row throws(StoreError) in try row.value { MessageID($0) } }
    }
}

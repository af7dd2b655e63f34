import DeskModel
import DeskStore

/// The rows of requests that are settled once, such as payments.
enum Settlements {
    /// Notes which answer settled a request of the conversation with this number.
    static func add(
        _ request: MessageID, in conversation: Int64, by answer: MessageID,
        on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT INTO settlements VALUES (?, ?, ?)")
        try statement.bind(conversation)
        try statement.bind(request.text)
        try statement.bind(answer.text)
        try statement.run()
    }

    /// Finds which answer settled a request of the conversation with this number.
    static func find(
        _ request: MessageID, in conversation: Int64, on connection: Connection
    ) throws(StoreError) -> MessageID? {
        let statement = try connection.statement(
            literal: "SELECT answer FROM settlements WHERE conversation = ? AND request = ?")
        try statement.bind(conversation)
        try statement.bind(request.text)
        return try statement.first { row throws(StoreError) in try row.value { MessageID($0) } }
    }
}

import DeskModel
package import DeskStore

/// The words by which customers and their contacts are found, whatever list is shown.
package enum CustomerWords {
    /// Notes the words of the names of a conversation's contact and customer.
    package static func add(
        _ names: SearchedNames, of conversation: Int64, in business: Int64,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO customer_words (business, word, conversation) VALUES (?, ?, ?) \
                ON CONFLICT DO NOTHING
                """)
        for word in names.words {
            try statement.bind(business)
            try statement.bind(word)
            try statement.bind(conversation)
            try statement.run()
        }
    }

    /// Forgets the words of a customer's name.
    package static func remove(
        of conversation: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM customer_words WHERE conversation = ?")
        try statement.bind(conversation)
        try statement.run()
    }

    /// The conversations of a business whose names have all the words, in no order.
    package static func find(
        _ query: SearchQuery, in business: Int64, on sql: any SQLSession
    ) throws(StoreError) -> [ConversationRow] {
        // The longest word has the fewest names.
        let words = query.words.sorted { $0.text.utf8.count > $1.text.utf8.count }
        guard let first = words.first else { return [] }
        let others = words.dropFirst().map { word in
            """
            EXISTS (SELECT 1 FROM customer_words o WHERE o.conversation = w.conversation \
            AND \(word.isOpen ? "o.word >= ? AND o.word < ?" : "o.word = ?"))
            """
        }
        // As many statements as queries have shapes: not kept.
        let statement = try sql.statement(
            once:
                """
                SELECT \(ConversationColumns.list) FROM (SELECT conversation FROM customer_words \
                WHERE business = ? AND \(first.isOpen ? "word >= ? AND word < ?" : "word = ?") \
                LIMIT \(NameSearch.maximumNames)) w \
                JOIN conversations c ON c.number = w.conversation \
                LEFT JOIN businesses b ON b.number = c.business \
                \(others.isEmpty ? "" : "WHERE " + others.joined(separator: " AND ")) \
                LIMIT \(NameSearch.maximumFound)
                """)
        try statement.bind(business)
        for word in words {
            try statement.bind(word.text)
            // Nothing that begins with the word comes after it and the last scalar there is.
            if word.isOpen { try statement.bind(word.text + "\u{10FFFF}") }
        }
        return try statement.all { row throws(StoreError) -> ConversationRow? in
            do throws(StoreError) {
                return try ConversationColumns.read(row)
            } catch {
                guard error.code == .damaged else { throw error }
                return nil
            }
        }.compactMap { $0 }
    }
}

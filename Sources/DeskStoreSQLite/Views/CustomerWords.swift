import DeskModel
import DeskStore

/// The words by which customers and their contacts are found, whatever list is shown.
enum CustomerWords {
    /// Notes the words of the names of a conversation's contact and customer.
    static func add(
        _ names: SearchedNames, of conversation: Int64, in business: Int64,
        on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT OR IGNORE INTO customer_words VALUES (?, ?, ?)")
        for word in names.words {
            try statement.bind(business)
            try statement.bind(word)
            try statement.bind(conversation)
            try statement.run()
        }
    }

    /// Forgets the words of a customer's name.
    static func remove(
        of conversation: Int64, on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "DELETE FROM customer_words WHERE conversation = ?")
        try statement.bind(conversation)
        try statement.run()
    }

    private static let due = "customer_words_due"

    /// Rewrites the words of all customers when a step of the schema asked for it, in one
    /// transaction.
    static func fillIfDue(on connection: Connection) throws(StoreError) {
        let asked = try connection.prepare("SELECT 1 FROM settings WHERE name = '\(due)'")
            .first { $0.integer() }
        guard asked != nil else { return }
        try connection.execute("BEGIN IMMEDIATE; DELETE FROM customer_words")
        do {
            let rows = try connection.prepare(
                """
                SELECT number, business, customer, customer_name, contact_name FROM conversations
                """)
            while try rows.step() {
                let number = rows.integer()
                let business = rows.integer()
                // A damaged row is found when it is read.
                guard let id = CustomerID(rows.text()) else { continue }
                let customer = Customer(id: id, name: rows.textIfAny())
                try add(
                    SearchedNames(contact: rows.textIfAny(), customer), of: number, in: business,
                    on: connection)
            }
            try connection.execute("DELETE FROM settings WHERE name = '\(due)'; COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// The conversations of a business whose names have all the words, in no order.
    static func find(
        _ query: SearchQuery, in business: Int64, on connection: Connection
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
        let statement = try connection.prepare(
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

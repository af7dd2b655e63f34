package import DeskModel
package import DeskStore

/// How rows of conversations are found.
package enum ConversationRows {
    private static let ofCustomer = """
        SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
        WHERE b.id = ? AND c.customer = ?
        """

    /// Finds a conversation's row.
    package static func find(
        _ id: ConversationID, on sql: any SQLSession
    ) throws(StoreError) -> ConversationRow? {
        let statement = try sql.statement(ConversationColumns.byID)
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
    }

    /// Finds a conversation's row, or what is ahead of it.
    package static func find(
        _ id: ConversationID, ahead unflushed: UnflushedRows, on sql: any SQLSession
    ) throws(StoreError) -> ConversationRow? {
        if let row = unflushed[id] { return row }
        return try find(id, on: sql)
    }

    /// Finds the row of the one conversation of a customer with a business.
    package static func find(
        of customer: CustomerID, with business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> ConversationRow? {
        let statement = try sql.statement(ofCustomer)
        try statement.bind(business.value)
        try statement.bind(customer.text)
        return try statement.first { row throws(StoreError) in
            try ConversationColumns.read(row)
        }
    }

    /// The rows' numbers of some conversations; those that are not there are left out.
    static func numbers(
        of conversations: Set<ConversationID>?, on sql: any SQLSession
    ) throws(StoreError) -> [Int64]? {
        try conversations.map { ids throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT number FROM conversations WHERE id = ?")
            var numbers: [Int64] = []
            for id in ids {
                try statement.bind(id.value)
                if let number = try statement.first({ $0.integer() }) { numbers.append(number) }
            }
            return numbers
        }
    }

    /// Reads the rows of a list and counts them; damaged ones are counted and left out.
    static func listed(
        _ statement: any SQLStatement, counting count: inout Int, damaged: (Damage) -> Void
    ) throws(StoreError) -> [Conversation] {
        let rows = try statement.all { row throws(StoreError) -> Conversation? in
            do throws(StoreError) {
                return try ConversationColumns.read(row).conversation
            } catch {
                guard error.code == .damaged else { throw error }
                damaged(Damage("conversation", name: error.detail, reason: "check sum"))
                return nil
            }
        }
        count += rows.count
        return rows.compactMap(\.self)
    }
}

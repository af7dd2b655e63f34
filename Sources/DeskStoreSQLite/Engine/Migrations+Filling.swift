import DeskModel
import DeskSQL
import DeskStore

extension CustomerWords {
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
                    on: connection.sql)
            }
            try connection.execute("DELETE FROM settings WHERE name = '\(due)'; COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }
}

extension AttributeRows {
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
                    on: connection.sql)
            }
            try connection.execute("DELETE FROM settings WHERE name = '\(due)'; COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }
}

public import DeskModel
public import DeskStore

/// The rows of automatic answers, one for a business that chose any.
package enum AutomaticAnswerRows {
    package static let columns = """
        SELECT business, greeting, out_of_hours, unanswered, unanswered_minutes \
        FROM automatic_answers
        """

    package static func read(
        _ row: any SQLStatement
    ) throws(StoreError) -> (BusinessID, AutomaticAnswers) {
        let business = BusinessID(try row.id())
        var answers = AutomaticAnswers()
        answers.greeting = row.textIfAny().flatMap { TemplateName($0) }
        answers.outOfHours = row.textIfAny().flatMap { TemplateName($0) }
        answers.unanswered = row.textIfAny().flatMap { TemplateName($0) }
        answers.unansweredMinutes = row.integerIfAny().map { Int($0) }
        return (business, answers)
    }

    package static func find(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> AutomaticAnswers {
        let statement = try sql.statement("\(columns) WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in try read(row).1 }
            ?? AutomaticAnswers()
    }

    /// Keeps what a business chose instead of what it chose before.
    package static func put(
        _ answers: AutomaticAnswers, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO automatic_answers (business, greeting, out_of_hours, unanswered, \
                unanswered_minutes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (business) DO UPDATE SET \
                greeting = excluded.greeting, out_of_hours = excluded.out_of_hours, \
                unanswered = excluded.unanswered, \
                unanswered_minutes = excluded.unanswered_minutes
                """)
        try statement.bind(business.value)
        try statement.bind(answers.greeting?.text)
        try statement.bind(answers.outOfHours?.text)
        try statement.bind(answers.unanswered?.text)
        try statement.bind(answers.unansweredMinutes.map { Int64($0) })
        try statement.run()
    }
}

extension SQLRegistries {
    /// Finds what is answered for a business; nothing where it chose nothing.
    public func automaticAnswers(
        of business: BusinessID
    ) async throws(StoreError) -> AutomaticAnswers {
        try await readRegistry { sql throws(StoreError) in
            try AutomaticAnswerRows.find(of: business, on: sql)
        }
    }
}

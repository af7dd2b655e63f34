import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStorePostgres

/// How PostgreSQL reads the lists of conversations.
@Suite struct PostgresListTests {
    @Test(arguments: [
        (ConversationFilter(businesses: []), "conversations_by_activity"),
        (ConversationFilter(businesses: [], care: .unassigned), "conversations_by_activity"),
        (ConversationFilter(businesses: [], states: [.open]), "conversations_by_state"),
    ])
    func `the first page of a list is read in its order from an index, and nothing is sorted`(
        filter: ConversationFilter, index: String
    ) async throws {
        try await KeptRegistries.withDatabase { stores, options in
            try await stores[0].begin(conversation(1))
            try await stores[0].write { sql throws(StoreError) in
                _ = try sql.statement(
                    literal: """
                        INSERT INTO conversations (id, business, customer, state, has_left, \
                        is_muted, customer_floor, opened_at, newest, unread, read_up_to, activity) \
                        SELECT decode(md5(n::text), 'hex'), (SELECT min(number) FROM businesses), \
                        'c' || n, CASE n % 2 WHEN 0 THEN 'open' ELSE 'closed' END, 0, 0, 0, n, 0, \
                        0, 0, n FROM generate_series(1, 5000) n
                        """
                ).runCounting()
                _ = try sql.statement(literal: "ANALYZE conversations").runCounting()
            }
            let thread = PostgresThread(options, for: .reading)
            let plan = try thread.transaction { connection throws(StoreError) in
                let statement = try connection.statement("EXPLAIN " + ListQuery.page(of: filter))
                try statement.bind(Int64(1))
                for state in filter.states ?? [] { try statement.bind(state.rawValue) }
                try statement.bind(Int64.max)
                try statement.bind(Int64(51))
                return try statement.all { $0.textIfAny() ?? "" }.joined(separator: "\n")
            }
            #expect(plan.contains("using \(index)") && !plan.contains("Sort"), "\(plan)")
        }
    }
    @Test func `what was written before automatic messages is found by the places of messages`()
        async throws
    {
        try await KeptRegistries.withDatabase { stores, options in
            try await stores[0].begin(conversation(1))
            let thread = PostgresThread(options, for: .reading)
            let plan = try thread.transaction { connection throws(StoreError) in
                let statement = try connection.statement(
                    "EXPLAIN " + NonAutomaticRows.statement(ofNames: 50, in: .postgreSQL))
                for number in 1...50 as ClosedRange<UInt64> {
                    try statement.bind(conversation(number).value)
                }
                return try statement.all { $0.textIfAny() ?? "" }.joined(separator: "\n")
            }
            #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
            #expect(plan.ranges(of: "using messages_pkey").count == 2, "\(plan)")
        }
    }
}

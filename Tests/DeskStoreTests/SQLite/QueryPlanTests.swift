import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStoreSQLite

/// Which index a statement reads, where the wrong one would read what others have, too.
@Suite struct QueryPlanTests {
    @Test(arguments: [
        "DELETE FROM sessions WHERE subject_kind = ? AND subject IS ?",
        "UPDATE sessions SET expires_at = ? WHERE subject_kind = ? AND subject IS ? AND token != ?",
    ])
    func `one person's sessions are found without looking at those of others`(
        sql: String
    ) async throws {
        let plan = try await plan(of: sql)
        #expect(
            plan.contains { $0.contains("sessions_by_subject (subject_kind=? AND subject=?)") })
        #expect(!plan.contains { $0.hasPrefix("SCAN") })
    }

    static let lists: [(ConversationFilter, String)] = [
        (ConversationFilter(businesses: []), "conversations_by_activity"),
        (ConversationFilter(businesses: [], care: .unassigned), "conversations_by_"),
        (ConversationFilter(businesses: [], states: [.open]), "conversations_by_state"),
        (
            ConversationFilter(businesses: [], care: .unassigned, states: [.closed]),
            "conversations_by_state"
        ),
        (ConversationFilter(businesses: [], care: .mine(agent(1))), "conversations_by_assignee"),
        (
            ConversationFilter(businesses: [], care: .withBot, states: [.open]),
            "conversations_by_state"
        ),
    ]

    @Test(arguments: lists)
    func `the first page of a list is read in its order from an index`(
        filter: ConversationFilter, index: String
    ) async throws {
        let plan = try await plan(of: ListQuery.page(of: filter))
        #expect(plan.contains { $0.contains(index) }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP") }, "\(plan)")
    }

    @Test(arguments: [
        ConversationFilter.Care.all, .unassigned, .withBot, .mine(agent(1)),
    ])
    func `the longest waiter is found by an index, however many wait`(
        care: ConversationFilter.Care
    ) async throws {
        let filter = ConversationFilter(businesses: [], care: care)
        for sql in [
            WaitingRows.longest(of: filter, in: .sqlite),
            WaitingRows.count(of: filter, in: .sqlite),
        ] {
            let plan = try await plan(of: sql)
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP") }, "\(plan)")
        }
    }

    @Test func `who has a conversation is looked up for each row of a list by its own name`()
        async throws
    {
        for sql in [
            ListQuery.page(
                of: ConversationFilter(businesses: [], care: .unassigned, states: [.open])),
            WaitingRows.countOfBots(isUnassigned: true, in: .sqlite),
            WaitingRows.countOfBots(isUnassigned: false, in: .sqlite),
        ] {
            let plan = try await plan(of: sql)
            #expect(
                plan.contains {
                    $0.contains("SEARCH k USING INDEX") && $0.contains("conversation=?")
                },
                "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP") }, "\(plan)")
        }
    }

    @Test(arguments: [
        (Delivery.State.pending, "deliveries_waiting (state=? AND outbox=?)"),
        (.delivered, "sqlite_autoindex_deliveries_1 (outbox=? AND position>?)"),
        (.dead, "deliveries_dead (state=? AND outbox=? AND position>?)"),
    ])
    func `deliveries of one state are found without looking at those of others`(
        state: Delivery.State, index: String
    ) async throws {
        let plan = try await plan(of: Outboxes.page(in: state, .after(.start)))
        #expect(plan.contains { $0.contains(index) }, "\(plan)")
    }

    @Test func `deliveries that wait are counted from their index alone`() async throws {
        let plan = try await plan(of: Outboxes.pendingCount)
        #expect(
            plan.contains {
                $0.contains("USING COVERING INDEX deliveries_waiting (state=? AND outbox=?)")
            },
            "\(plan)")
    }

    @Test func `deliveries are counted from indexes alone`() async throws {
        let plan = try await plan(of: Outboxes.counts)
        let searches = plan.filter { $0.contains("deliveries") }
        #expect(searches.count == 3, "\(plan)")
        #expect(searches.allSatisfy { $0.contains("USING COVERING INDEX") }, "\(plan)")
    }

    @Test func `what was written before automatic messages is found by the places of messages`()
        async throws
    {
        for sql in [
            NonAutomaticRows.statement(ofNames: 50, in: .sqlite),
            NonAutomaticRows.statementAhead(in: .sqlite),
        ] {
            let plan = try await plan(of: sql)
            #expect(
                plan.count { $0.contains("SEARCH m USING INTEGER PRIMARY KEY") } == 2, "\(plan)")
            #expect(!plan.contains { $0.contains("SCAN m") || $0.contains("SCAN c") }, "\(plan)")
        }
    }

    private func plan(of sql: String) async throws -> [String] {
        var plan: [String] = []
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            plan = try connection.prepare("EXPLAIN QUERY PLAN " + sql).all { row in
                _ = (row.integer(), row.integer(), row.integer())
                return row.text()
            }
        }
        return plan
    }
}

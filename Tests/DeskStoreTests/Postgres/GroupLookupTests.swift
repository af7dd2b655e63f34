import DeskModel
import DeskSQL
import DeskStore
import PostgresSupport
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What a transaction of the log asks the database for.
@Suite struct GroupLookupTests {
    /// So many messages come in one transaction.
    private static let messages = 60

    /// What the business has that messages ask for.
    enum Setting: CaseIterable {
        case nothing, bot, greeting
    }

    @Test(arguments: Setting.allCases)
    func `a transaction asks for settings once, however many messages it has`(
        setting: Setting
    ) async throws {
        try await PostgresSchema.with { address in
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let store = try await PostgresStore(options, newEpoch: Epoch(0xE))
            let outside = PostgresRegistries(options)
            if setting == .bot {
                _ = try await BotContract.begin(store)
            } else {
                try await store.begin(conversation(1))
            }
            if setting == .greeting { try await Self.greet(in: store) }
            for number in 2...UInt64(Self.messages) {
                try await store.begin(conversation(number), customer: number)
            }
            // The first messages give their conversations to the bot, which is a row each.
            try await Self.say("a", in: store)
            try await Self.reportCounts(store)
            let before = try await Self.scans(outside)
            try await Self.say("b", in: store)
            try await Self.reportCounts(store)
            let after = try await Self.scans(outside)
            // Beside the transaction there are the few that `reportCounts` makes.
            #expect(after.messages - before.messages >= Self.messages)
            #expect(after.settings - before.settings <= 30, "\(before) to \(after)")
            await outside.close()
            await store.close()
        }
    }

    private static func greet(in store: PostgresStore) async throws {
        var answers = AutomaticAnswers()
        answers.greeting = TemplateName("hello")
        _ = try await store.one(
            SaveAutomaticAnswers(
                answers, of: business(1), event: Array("{}".utf8), by: .server, at: dawn))
    }

    /// Stores a message in each conversation, all in one transaction.
    private static func say(_ id: String, in store: PostgresStore) async throws {
        let groups = try (1...UInt64(messages)).map { number in
            WriteGroup(
                NewMessage(try submission("\(id)\(number)", to: conversation(number)), at: dawn))
        }
        for result in try await store.append(groups) { #expect(!(try result.get().isRepeat)) }
    }

    /// Has the writer's connection report what it counted: a connection does that when it commits, once a second at most.
    private static func reportCounts(_ store: PostgresStore) async throws {
        try await Task.sleep(for: .milliseconds(1_100))
        let id = "r\(store.newest.value)"
        _ = try await store.one(
            NewMessage(try submission(id, to: conversation(2)), at: dawn))
    }

    /// How many messages were stored, and how often tables of settings were looked at.
    private static func scans(
        _ registries: PostgresRegistries
    ) async throws -> (messages: Int, settings: Int) {
        try await registries.readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                once: """
                    SELECT pg_stat_get_tuples_inserted('messages'::regclass), \
                    (SELECT sum(seq_scan + coalesce(idx_scan, 0))::bigint \
                    FROM pg_stat_user_tables WHERE relid IN ('bots'::regclass, \
                    'automatic_answers'::regclass, 'service_levels'::regclass))
                    """)
            let found = try statement.first { row in
                (Int(row.integer()), Int(row.integer()))
            }
            guard let found else { throw StoreError(.failed, "no counts") }
            return found
        }
    }
}

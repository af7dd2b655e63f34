import DeskModel
import DeskStore
import PostgresSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskStorePostgres

/// Programs of two schema versions on one database, as while nodes are upgraded one after the other.
@Suite struct PostgresUpgradeTests {
    private static let newest = PostgresTables.version
    /// The versions whose programs may serve on the newest tables.
    private static let served =
        (PostgresMigrations.all.map(\.oldestProgram).max() ?? 1)..<newest

    private static func step(
        _ statements: String, oldestProgram: Int64 = newest
    ) -> PostgresMigrations.Step {
        PostgresMigrations.Step(oldestProgram: oldestProgram, work: .statements(statements))
    }

    @Test(arguments: served)
    func `what an older program sends does what it did, on the newest tables`(
        version: Int64
    ) async throws {
        let faults = try await OlderProgram(of: version).faults(after: PostgresMigrations.all)
        #expect(faults == [])
    }

    // With nothing bound, as above, a statement finds no row, and no trigger sees one.
    @Test(arguments: served)
    func `what an older program sends does to rows what it did, on the newest tables`(
        version: Int64
    ) async throws {
        let finding = try await StatementTrial(of: version).run(after: PostgresMigrations.all)
        #expect(finding.differences == [])
        #expect(finding.found > 500)
    }

    // Each is a step that names, columns and conditions do not show.
    @Test(
        "A step that changes what an older program's statements do to rows is found",
        arguments: [
            (
                """
                CREATE FUNCTION label_was_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE tags SET name = new.name; RETURN NULL; END $$;
                CREATE TRIGGER label_changed AFTER UPDATE ON labels
                FOR EACH ROW EXECUTE FUNCTION label_was_changed();
                """, "INSERT INTO labels", "postgres 42P01 after"
            ),
            (
                """
                CREATE FUNCTION draft_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                RETURN NULL; END $$;
                CREATE TRIGGER draft_kept BEFORE DELETE ON drafts
                FOR EACH ROW EXECUTE FUNCTION draft_is_kept();
                """, "DELETE FROM drafts", "rows 1 before, rows 0 after"
            ),
            (
                "UPDATE settings SET name = 'renamed';",
                "SELECT value FROM settings WHERE name = $1", "rows 1 before, rows 0 after"
            ),
        ])
    func changes(statements: String, text: String, outcome: String) async throws {
        let trial = try StatementTrial(of: Self.served.last ?? Self.newest)
        let differences = try await trial.run(
            after: PostgresMigrations.all + [Self.step(statements)]
        ).differences
        #expect(
            differences.contains { $0.contains(text) && $0.contains(outcome) },
            "\(differences.prefix(5))")
    }

    // Each removes what the program of the version before uses, which a step may do only later.
    @Test(
        "A step that contracts before all programs have expanded is found",
        arguments: [
            ("ALTER TABLE conversations DROP COLUMN team CASCADE;", "42703 when it"),
            ("ALTER TABLE labels RENAME TO tags;", "42P01 when it"),
            ("DROP TABLE drafts;", "42P01 when it"),
            ("DROP FUNCTION instr(bytea, bytea);", "42883 when it"),
            (
                "ALTER TABLE messages ALTER COLUMN summary TYPE bytea USING ''::bytea;",
                "0A000 when it"
            ),
            ("ALTER TABLE events ADD COLUMN shard bigint NOT NULL;", "needs a value: events.shard"),
            (
                "ALTER TABLE conversations ALTER COLUMN locale SET NOT NULL;",
                "needs a value: conversations.locale"
            ),
            ("CREATE UNIQUE INDEX once ON agents (email);", "refuses rows: agents CREATE UNIQUE"),
            (
                "ALTER TABLE labels ADD CONSTRAINT short CHECK (length(name) < 9);",
                "refuses rows: labels short CHECK"
            ),
        ])
    func contracts(statements: String, expected: String) async throws {
        let program = try OlderProgram(of: Self.served.first ?? Self.newest)
        let faults = try await program.faults(
            after: PostgresMigrations.all + [Self.step(statements)])
        #expect(faults.contains { $0.contains(expected) }, "\(faults.prefix(5))")
    }

    @Test func `a step that only expands is none`() async throws {
        let step = Self.step(
            """
            ALTER TABLE conversations ADD COLUMN mood text;
            ALTER TABLE events ADD COLUMN shard bigint NOT NULL DEFAULT 0;
            CREATE TABLE moods (name text PRIMARY KEY, since bigint NOT NULL);
            CREATE INDEX conversations_by_mood ON conversations (business, mood);
            """)
        let program = try OlderProgram(of: Self.served.first ?? Self.newest)
        let faults = try await program.faults(after: PostgresMigrations.all + [step])
        #expect(faults == [])
    }

    /// The tables whose rows are damage to a program that knows so many coverages of each.
    private static func unreadable(
        _ layouts: [String: RowLayout], knowing coverages: [String: Int]
    ) -> [String] {
        layouts.filter { $1.settled >= coverages[$0] ?? 0 }.map(\.key).sorted()
    }

    @Test(arguments: served)
    func `an older program can verify the rows that this one writes`(version: Int64) throws {
        let known = try PostgresFixture.coverages(of: version)
        #expect(Self.unreadable(PostgresFixture.layouts, knowing: known) == [])
        // A column more, covered at once.
        let notes = RowLayout.notes
        let more = RowLayout(
            notes.columns + ["more"], notes.coverages + [.init(notes.columns.count + 1)])
        let later = PostgresFixture.layouts.merging(["notes": more]) { $1 }
        #expect(Self.unreadable(later, knowing: known) == ["notes"])
    }

    @Test func `a node goes on while a newer one migrates, and both serve`() async throws {
        try await PostgresSchema.with { address in
            let ends = Mutex(0)
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let old = try await PostgresStore(
                options, newEpoch: Epoch(0xE), ended: { _ in ends.withLock { $0 += 1 } })
            try await old.begin(conversation(1))
            let said = Mutex(0)
            let goesOn = Mutex(true)
            let talking = Task {
                while goesOn.withLock(\.self) {
                    let number = said.withLock(\.self)
                    _ = try await old.accept(submission("o\(number)", to: conversation(1)))
                    try await old.setSetting("a", to: [1], author: .server)
                    _ = try await old.require(conversation(1))
                    said.withLock { $0 += 1 }
                }
            }
            try await Wait.until("the old node has begun") { said.withLock(\.self) > 3 }
            var newer = options
            newer.migrations += [
                Self.step(
                    """
                    ALTER TABLE conversations ADD COLUMN mood text;
                    ALTER TABLE events ADD COLUMN shard bigint NOT NULL DEFAULT 0;
                    ALTER TABLE settings ADD COLUMN set_at bigint;
                    """),
                PostgresMigrations.Step(
                    oldestProgram: Self.newest,
                    work: .indexes([.init(name: "by_mood", definition: "ON conversations (mood)")])),
            ]
            let new = try await PostgresStore(newer, newEpoch: Epoch(0xE))
            let before = said.withLock(\.self)
            try await Wait.until("the old node goes on") { said.withLock(\.self) > before + 3 }
            _ = try await new.accept(submission("n", to: conversation(1)))
            goesOn.withLock { $0 = false }
            try await talking.value
            // One of the old program starts again, too.
            let again = try await PostgresStore(options, newEpoch: Epoch(0xE))
            let stored = try await again.accept(submission("again", to: conversation(1)))
            #expect(stored.message.sequence.value == Int64(said.withLock(\.self)) + 2)
            #expect(try await old.reach(again.newest, within: .seconds(60)))
            #expect(try await new.reach(again.newest, within: .seconds(60)))
            #expect(ends.withLock(\.self) == 0)
            for store in [old, new, again] { await store.close() }
        }
    }

    @Test func `a node ends when the tables were changed away from its program, and none starts`()
        async throws
    {
        try await PostgresSchema.with { address in
            let reasons = Mutex<[String]>([])
            let options = PostgresRegistries.Options(address: address, keys: .random())
            let old = try await PostgresStore(
                options, newEpoch: Epoch(0xE),
                ended: { end in
                    guard case .schemaTooNew(let why) = end else { return }
                    reasons.withLock { $0.append(why.detail) }
                })
            var newer = options
            newer.migrations += [
                Self.step(""), Self.step("DROP TABLE drafts;", oldestProgram: Self.newest + 1),
            ]
            let new = try await PostgresStore(newer, newEpoch: Epoch(0xE))
            try await Wait.until("the old node has ended") { !reasons.withLock(\.isEmpty) }
            let expected = PostgresTables.tooNew(
                oldestProgram: Self.newest + 1, version: Self.newest)
            #expect(reasons.withLock(\.self) == [expected.detail])
            let error = await #expect(throws: StoreError.self) {
                try await PostgresStore(options, newEpoch: Epoch(0xE))
            }
            #expect(error?.code == .tooNew)
            try await new.begin(conversation(1))
            _ = try await new.accept(submission("a", to: conversation(1)))
            await old.close()
            await new.close()
        }
    }
}

import DeskModel
import DeskStore
import PostgresSupport
import Testing

@testable import DeskStorePostgres

/// What reading a whole database finds.
@Suite struct PostgresVerificationTests {
    /// Lends a database that has something of everything.
    private func withFull(
        _ body: (PostgresStore, PostgresRegistries.Options) async throws -> Void
    ) async throws {
        try await KeptRegistries.withDatabase { stores, options in
            let blobs = PostgresBlobs(options)
            try await FullStore.fill(stores[0], blobs)
            await blobs.close()
            try await body(stores[0], options)
        }
    }

    /// Changes rows behind the store's back.
    private func change(_ sql: String, at options: PostgresRegistries.Options) async throws {
        let outside = PostgresRegistries(options)
        try await outside.execute("SET session_replication_role = replica; \(sql)")
        await outside.close()
    }

    @Test func `a database that is whole is read without a finding, also while a node has it open`()
        async throws
    {
        try await withFull { _, options in
            let found = try await StoreVerification(readingDatabase: options.address)
            #expect(found.damage == [])
            #expect(found.isStill)
            #expect(found.counts.messages == 72)
            #expect(found.counts.conversations == 2)
            #expect(found.counts.notes == 1)
            #expect(found.counts.answers == 2)
            #expect(found.counts.attachments == 2)
            #expect(found.counts.events >= 75)
        }
    }

    @Test func `forgotten events are no gap in a database`() async throws {
        try await withFull { store, options in
            try await store.prune(upTo: Position(30))
            #expect(try await StoreVerification(readingDatabase: options.address).damage == [])
        }
    }

    @Test func `a schema without tables is no store that could be read`() async throws {
        try await PostgresSchema.with { address in
            let error = await #expect(throws: StoreError.self) {
                try await StoreVerification(readingDatabase: address)
            }
            #expect(error?.code == .refused)
            #expect(error?.detail.hasPrefix("the database has no data of Frontdesk's") == true)
        }
    }

    @Test(arguments: [
        (#"UPDATE messages SET payload = '\x00' WHERE id = 'a9'"#, "message", "sequence=8"),
        ("UPDATE messages SET summary = 'x' WHERE id = 'a9'", "message", "check sum of the row"),
        ("UPDATE messages SET direction = 'outbound' WHERE id = 'a1'", "message", "sequence=1"),
        ("UPDATE messages SET seal = NULL WHERE id = 'a9'", "message", "check sum"),
        ("DELETE FROM messages WHERE id = 'a9'", "event", "its message is missing"),
        ("DELETE FROM messages WHERE id = 'a9'", "message", "the message before it is missing"),
        ("DELETE FROM messages WHERE id = 'a9'", "conversation", "the chain of its messages"),
        ("DELETE FROM events WHERE position = 12", "event", "position=12: is missing"),
        ("DELETE FROM events WHERE position = 1", "event", "position=1: is missing"),
        (
            "DELETE FROM events WHERE position = (SELECT max(position) FROM events)", "event",
            "the log ends before it"
        ),
        (
            "DELETE FROM messages WHERE position > 70; DELETE FROM events WHERE position > 70",
            "event", "the log ends before it"
        ),
        ("UPDATE events SET time = time + 1 WHERE position = 12", "event", "position=12"),
        ("UPDATE events SET revision = NULL WHERE position = 12", "event", "check sum"),
        ("UPDATE events SET revision = revision + 1 WHERE position = 12", "event", "check sum"),
        ("UPDATE conversations SET revision = 9", "conversation", "check sum"),
        ("UPDATE notes SET text = 'x'", "note", "check sum"),
        ("DELETE FROM conversations WHERE number = 2", "event", "its conversation is missing"),
        ("UPDATE conversations SET customer_name = 'x'", "conversation", "check sum"),
        (
            "UPDATE conversations SET head = decode(repeat('00', 32), 'hex')", "conversation",
            "check sum"
        ),
        ("UPDATE answers SET status = 200 WHERE scope = 'key one'", "answer", "check sum"),
        ("UPDATE answers SET answered_at = 9 WHERE scope = 'key two'", "answer", "check sum"),
        ("UPDATE milestones SET position = 3", "message", "its skip index leads elsewhere"),
        ("DELETE FROM businesses", "event", "its business is missing"),
        ("DELETE FROM event_stretches", "event", "its range of the log is not noted"),
        (
            "UPDATE blob_pieces SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1)",
            "attachment", "is not what it was"
        ),
        (
            "UPDATE blob_pieces SET bytes = substring(bytes for 3)", "attachment",
            "is not what it was"
        ),
        ("DELETE FROM blob_pieces", "attachment", "is not what it was"),
        ("DELETE FROM blobs", "attachment", "is missing"),
        (
            "UPDATE attachment_holds SET byte_count = byte_count + 1", "attachment",
            "has another size than was held"
        ),
    ])
    func `every damage of a database is named`(
        sql: String, kind: String, text: String
    ) async throws {
        try await withFull { _, options in
            try await change(sql, at: options)
            let found = try await StoreVerification(readingDatabase: options.address)
            #expect(
                found.damage.contains { $0.kind == kind && $0.description.contains(text) },
                "\(found.damage)")
        }
    }

    @Test func `a row that the server cannot read is named, and all others are read`() async throws
    {
        try await withFull { _, options in
            // What a page with another checksum is to a query: an error of that code at that row.
            try await change(
                """
                ALTER TABLE messages RENAME TO kept;
                CREATE FUNCTION broken(bytea) RETURNS bytea LANGUAGE plpgsql STABLE AS $$ BEGIN
                    RAISE EXCEPTION 'invalid page' USING ERRCODE = 'data_corrupted';
                END $$;
                CREATE VIEW messages AS SELECT position, conversation, sequence, previous, id, time,
                    direction, kind, author_kind, author_name, origin, digest, posted, checksum, summary,
                    headers, warnings, template, template_version, template_values, attachments,
                    in_reply_to, entry_code, seal, erased_at,
                    CASE WHEN id = 'a9' THEN broken(payload) ELSE payload END AS payload FROM kept
                """, at: options)
            let found = try await StoreVerification(readingDatabase: options.address)
            try await change(
                """
                DROP VIEW messages; DROP FUNCTION broken(bytea); ALTER TABLE kept RENAME TO messages
                """, at: options)
            #expect(
                found.damage.map(\.reason) == [
                    "cannot be read", "all together count 72 messages, 71 were read",
                ])
            #expect(found.damage.first?.kind == "message")
            #expect(found.counts.messages == 71)
        }
    }

    @Test func `the reading beside a node names what was changed, and begins anew when asked`()
        async throws
    {
        try await withFull { store, options in
            let blobs = PostgresBlobs(options)
            let watch = store.makeWatch(with: blobs)
            func read() async throws -> (counts: InspectionCounts, found: [Damage]) {
                var found: [Damage] = []
                while true {
                    let step = try await watch.step()
                    found += step.found
                    if step.isDone { return (step.counts, found) }
                }
            }
            watch.begin(newest: 20)
            let newest = try await read()
            #expect(newest.counts.events == 20 && newest.found == [])
            watch.begin()
            let all = try await read()
            #expect(all.counts.messages == 72 && all.counts.attachments == 2 && all.found == [])
            try await change("UPDATE messages SET summary = 'x' WHERE id = 'a9'", at: options)
            watch.begin()
            #expect(try await read().found.map(\.reason) == ["check sum of the row"])
            await watch.close()
            await blobs.close()
        }
    }
}

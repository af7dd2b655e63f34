import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStoreSQLite

/// What migrations promise.
@Suite struct MigrationTests {
    @Test func `a fresh database is brought to the newest version`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            #expect(try Migrations.version(of: connection) == Migrations.newest)
            // Running them again does nothing.
            try Migrations.run(on: connection)
            #expect(try Migrations.version(of: connection) == Migrations.newest)
        }
    }

    @Test func `a database of the first version opens with all that it holds`() async throws {
        try await withScratch { directory in
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            try Migrations.run(on: file, through: Array(Migrations.all.prefix(1)))
            let checksum = MessageChecksum.checksum(
                of: [0x68, 0x69], id: try messageID("a"), in: conversation(1),
                sequence: SequenceNumber(1))
            let digest = Digest.sha256([0x68, 0x69]).text
            let one = uniqueID(1).text.split(separator: "-").joined()
            let name = conversation(1).value.text.split(separator: "-").joined()
            try file.execute(
                """
                INSERT INTO businesses VALUES (1, x'\(one)', 'S', '#000000', NULL, 'test', 0, 0);
                INSERT INTO conversations (number, id, business, customer, state, has_left, \
                is_muted, customer_floor, opened_at, newest, last_id, last_direction, last_kind, \
                last_time, last_summary, unread, read_up_to, activity, head, last_position) \
                VALUES (1, x'\(name)', 1, 'urn:mbid:AAA1=', 'open', 0, 0, 0, 0, 1, 'a', 'inbound', \
                'text', 7, 'hi', 1, 0, 2, x'\(digest)', 2);
                INSERT INTO messages VALUES (2, 1, 1, 0, 'a', 7, 'inbound', 'text', 'customer', \
                'd', 'phone', x'\(digest)', NULL, \(checksum), 'hi', NULL, NULL, NULL, NULL, NULL, \
                NULL, NULL, NULL, x'6869');
                INSERT INTO events VALUES \
                (1, 'conversation.opened', 0, 1, 1, NULL, '8:customer,0:,4:open,-,-,'), \
                (2, 'message.accepted', 7, 1, 1, NULL, NULL);
                INSERT INTO answers VALUES ('key', x'\(digest)', NULL, NULL, 201, x'6d', 7);
                """)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            #expect(try await store.require(conversation(1)).unread == 1)
            // It starts at its newest message's number, and knows who wrote that.
            let old = try await store.require(conversation(1))
            #expect(old.revision == Revision(1))
            #expect(old.last?.author == .customer(device: "d"))
            let counts = try await store.countConversations(
                ConversationFilter(businesses: [business(1)]), mineOf: nil)
            #expect(counts.all == 1 && counts.unassigned == 1 && counts.mine == 0)
            #expect(try await store.types() == [.conversationOpened, .messageAccepted])
            let next = try await store.accept(submission("b", to: conversation(1)))
            #expect(next.message.sequence == SequenceNumber(2))
            #expect(next.message.position == Position(3))
            // An earlier event has no revision, unless it was a message.
            let events = try await store.events(after: .start, in: .everything, limit: 9).events
            #expect(events.map { $0.revision?.value } == [nil, 1, 2])
            let thread = try await store.messages(in: conversation(1), .newest, limit: 9)
            #expect(thread.elements.map(\.id.text) == ["a", "b"])
            #expect(try await store.accept(submission("a", to: conversation(1), "hi")).isRepeat)
            let answer = try await store.findAnswer("key")
            #expect(answer?.content == .answer(status: 201, body: [0x6D]))
            await store.close()
        }
    }

    @Test func `what was paid or signed in before there were rows for it is settled`() async throws
    {
        try await withScratch { directory in
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            try Migrations.run(on: file, through: Array(Migrations.all.prefix(1)))
            try Self.insertRequests(into: file)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            for (request, answer) in [
                ("bill", "paid"), ("entrance", "entered"), ("unpaid", nil), ("unread", nil),
                ("other", nil),
            ] {
                #expect(
                    try await store.findSettlement(
                        of: messageID(request), in: conversation(1))
                        == answer.map { try messageID($0) }, "\(request)")
            }
            let second = NewMessage(try submission("second", to: conversation(1)), at: dawn)
            let refused = try await store.append(
                second,
                after: [
                    .settle(try messageID("bill"), in: conversation(1), by: second.submission.id)
                ])
            #expect(refused == .failure(.settled))
            await store.close()
        }
    }

    /// Requests and answers as a program of the first version stored them, as far as is read here.
    private static func insertRequests(into file: Connection) throws {
        let name = conversation(1).value.text.split(separator: "-").joined()
        let shop = business(1).value.text.split(separator: "-").joined()
        try file.execute(
            """
            INSERT INTO businesses VALUES (1, x'\(shop)', 'S', '#000000', NULL, 'test', 0, 0);
            INSERT INTO conversations (number, id, business, customer, state, has_left, is_muted, \
            customer_floor, opened_at, newest, unread, read_up_to, activity, last_position) \
            VALUES (1, x'\(name)', 1, 'urn:mbid:AAA1=', 'open', 0, 0, 0, 0, 0, 0, 0, 0, 0);
            """)
        let paid = #"{"interactiveData":{"data":{"payment":{"state":"success"}}}}"#
        let entered =
            #"{"interactiveData":{"data":{"authenticate":{"status":"authenticated"}}}}"#
        let rows: [(String, String, String?, String)] = [
            ("bill", "payment", nil, "{}"), ("entrance", "authentication", nil, "{}"),
            ("unpaid", "payment", nil, "{}"), ("unread", "payment", nil, "{}"),
            ("other", "list", nil, "{}"),
            ("canceled", "payment", "bill", paid.replacing("success", with: "canceled")),
            ("paid", "payment", "bill", paid), ("entered", "authentication", "entrance", entered),
            ("late", "payment", "bill", paid),
            ("failed", "payment", "unpaid", paid.replacing("success", with: "failure")),
            ("broken", "payment", "unread", paid + "}"), ("picked", "list", "other", paid),
        ]
        for (place, (id, kind, request, payload)) in rows.enumerated() {
            let direction = request == nil ? "outbound" : "inbound"
            try file.execute(
                """
                INSERT INTO messages (position, conversation, sequence, previous, id, time, \
                direction, kind, author_kind, author_name, origin, digest, checksum, summary, \
                in_reply_to, payload) VALUES (\(place + 1), 1, \(place + 1), \(place), '\(id)', \
                7, '\(direction)', '\(kind)', 'server', '', 'phone', zeroblob(32), 0, '', \
                \(request.map { "'\($0)'" } ?? "NULL"), CAST('\(payload)' AS BLOB));
                """)
        }
    }

    @Test func `a key over two businesses has one grant for each, and none is lost`() async throws {
        try await withScratch { directory in
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            // As before grants and invitations were kept: the step before `members`.
            let step = try #require(
                Migrations.all.firstIndex { step in
                    if case .sql(let sql) = step {
                        sql.contains("CREATE TABLE invitations")
                    } else {
                        false
                    }
                })
            try Migrations.run(on: file, through: Array(Migrations.all.prefix(step)))
            func blob(_ id: UniqueID) -> String {
                "x'" + id.text.split(separator: "-").joined() + "'"
            }
            let key = KeyID(uniqueID(0xB001))
            let secret = Digest.sha256([1])
            try file.execute(
                """
                INSERT INTO businesses VALUES
                (1, \(blob(business(1).value)), 'A', '#000000', NULL, 'live', 0, 0),
                (2, \(blob(business(2).value)), 'B', '#000000', NULL, 'live', 0, 0);
                INSERT INTO keys VALUES (1, \(blob(key.value)), 'till', x'\(secret.text)', 'live', \
                '', 1234, NULL, NULL);
                INSERT INTO key_businesses (key, business) VALUES
                (\(blob(key.value)), \(blob(business(1).value))),
                (\(blob(key.value)), \(blob(business(2).value)));
                INSERT INTO agents VALUES
                (3, \(blob(agent(1).value)), 'Ada', 'ada@example.com', 'scrypt', 7),
                (5, \(blob(agent(2).value)), '', 'ben@example.com', NULL, 8);
                INSERT INTO memberships VALUES
                (\(blob(agent(1).value)), \(blob(business(1).value)), 'owner'),
                (\(blob(agent(2).value)), \(blob(business(1).value)), 'agent');
                """)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            let found = try #require(try await store.findKey(key))
            #expect(found.secret == secret)
            #expect(
                found.grants
                    == [business(1), business(2)].map {
                        KeyGrant(
                            business: $0, maker: nil, grantedAt: Timestamp(milliseconds: 1_234))
                    })
            let people = try await store.agents(of: business(1))
            #expect(people.map(\.email) == ["ada@example.com", "ben@example.com"])
            #expect(people.map(\.password) == ["scrypt", nil])
            #expect(try await store.memberships(of: agent(1)).map(\.role) == [.owner])
            await store.close()
        }
    }

    @Test func `the kept numbers of lists are those that counting gives`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
            var random = SeededNumbers(state: 5)
            for number in 1...20 as ClosedRange<UInt64> {
                try await store.begin(
                    conversation(number), in: business(number % 2), customer: number)
            }
            let changes: [ConversationChange] = [
                .close, .reopen, .pend, .snooze(until: nil), .assign(agent(1)), .assign(agent(2)),
                .assign(nil), .leave,
            ]
            for step in 0..<200 {
                let one = conversation(UInt64.random(in: 1...20, using: &random))
                if step.isMultiple(of: 5) {
                    _ = try await store.accept(submission("m\(step)", to: one))
                } else {
                    let change = changes[Int.random(in: 0..<changes.count, using: &random)]
                    _ = try await store.change(one, change)
                }
            }
            await store.close()
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            let difference = try file.prepare(
                """
                SELECT count(*) FROM (SELECT business, state, assignee, held \
                FROM conversation_counts WHERE held != 0 EXCEPT SELECT business, state, \
                coalesce(assignee, x''), count(*) FROM conversations GROUP BY 1, 2, 3)
                """
            ).first { $0.integer() }
            let sum = try file.prepare("SELECT sum(held) FROM conversation_counts")
                .first { $0.integer() }
            #expect(difference == 0)
            #expect(sum == 20)
            let waiting = try file.prepare(
                """
                SELECT count(*), sum(held) FROM (SELECT business, assignee, held \
                FROM waiting_counts WHERE held != 0 EXCEPT SELECT business, \
                coalesce(assignee, x''), count(*) FROM conversations WHERE state = 'open' \
                AND waiting_since IS NOT NULL AND NOT has_left GROUP BY 1, 2)
                """
            ).first { $0.integer() }
            #expect(waiting == 0)
            let waits = try file.prepare(
                """
                SELECT (SELECT sum(held) FROM waiting_counts) - (SELECT count(*) \
                FROM conversations WHERE state = 'open' AND waiting_since IS NOT NULL \
                AND NOT has_left)
                """
            ).first { $0.integer() }
            #expect(waits == 0)
        }
    }

    @Test func `a step that fails leaves the version before it`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            let steps: [Migrations.Step] = [
                .sql("CREATE TABLE one (x)"),
                .sql("CREATE TABLE two (x); CREATE TABLE one (x)"),
            ]
            #expect(throws: StoreError.self) {
                try Migrations.run(on: connection, through: steps)
            }
            #expect(try Migrations.version(of: connection) == 1)
            let tables = try connection.prepare("SELECT name FROM sqlite_schema").all { $0.text() }
            #expect(tables == ["one"])
        }
    }

    @Test func `a newer database is not touched`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try connection.execute("PRAGMA user_version = 1000")
            #expect(throws: StoreError(.tooNew, "schema 1000, known \(Migrations.newest)")) {
                try Migrations.run(on: connection)
            }
        }
    }

    @Test func `the accept path has no index that was not counted`() async throws {
        try await withScratch { directory in
            let connection = try Connection(path: directory + "/a.sqlite", mayWrite: true)
            try Migrations.run(on: connection)
            let indexes = try connection.prepare(
                """
                SELECT tbl_name || ' ' || coalesce(sql, 'unique') FROM sqlite_schema \
                WHERE type = 'index' AND tbl_name IN ('messages', 'events', 'conversations') \
                ORDER BY tbl_name, name
                """
            ).all { $0.text() }
            #expect(indexes.count { $0.hasPrefix("messages") } == 1)
            // No message's event enters it.
            #expect(
                indexes.filter { $0.hasPrefix("events") }.map {
                    $0.contains("type != 'message.accepted'")
                } == [true])
            // Written when a row is, which is once for many messages; two of them only when an operator
            // begins to wait or no longer does, and two only for conversations with a priority
            // or a team, and one where the customer's device said its language,
            // one while an answer is due, one where the customer came with an intent, and one
            // with a group.
            #expect(indexes.count { $0.hasPrefix("conversations") } == 13)
        }
    }
}

/// Numbers that are the same in each run.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
    }
}

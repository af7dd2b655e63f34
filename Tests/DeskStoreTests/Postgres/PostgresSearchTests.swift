import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

@testable import DeskStorePostgres

/// What holds for the index in a database alone: several processes, its plans, and its way through the log.
@Suite struct PostgresSearchTests {
    private static func begin(_ store: PostgresStore, _ count: Int = 5) async throws {
        try await store.begin(conversation(1))
        for number in 1...count {
            _ = try await store.accept(
                submission("m\(number)", to: conversation(1), "parcel \(number)"))
        }
    }

    /// Stores one more message on one node, and returns when the other has it, too.
    private static func add(
        _ id: String, by store: PostgresStore, to other: PostgresStore
    ) async throws {
        let stored = try await store.accept(submission(id, to: conversation(1), "parcel \(id)"))
        for one in [store, other] {
            #expect(try await one.reach(stored.message.position, within: .seconds(60)))
        }
    }

    /// Changes the index as no call of it does.
    private static func change(_ store: PostgresStore, _ statement: String) async throws {
        try await store.write { sql throws(StoreError) in
            _ = try sql.statement(statement).runCounting()
        }
    }

    private static func cursor(_ store: PostgresStore) async throws -> SearchCursor? {
        try await store.readRegistry { sql throws(StoreError) in try SearchRows.cursor(on: sql) }
    }

    /// Puts words at positions of the log where no message is.
    private static func add(
        _ words: String, at positions: [Int64], upTo end: Int64, in store: PostgresStore
    ) async throws {
        let rows = positions.map {
            SearchRow(position: Position($0), business: business(1), words: words)
        }
        try await store.write { sql throws(StoreError) in
            let cursor = try SearchRows.open(on: sql).cursor
            var next = cursor
            next.position = Position(end)
            try SearchRows.move(cursor, to: next, on: sql)
            try SearchRows.add(rows, on: sql)
        }
    }

    @Test func `what one process indexes another finds, and knows how far it is`() async throws {
        try await Indexed.withPostgres(2) { stores, searches in
            try await Self.begin(stores[0])
            try await searches[0].catchUp()
            let newest = stores[0].newest
            #expect(searches[0].indexed == newest)
            let page = try await searches[1].search(
                try SearchQuery("parcel 3"), in: [business(1)], at: .start, limit: 50)
            #expect(page.hits.map(\.message.id.text) == ["m3"])
            #expect(page.indexed == newest)
            #expect(searches[1].indexed == newest)
            try await Self.add("m6", by: stores[1], to: stores[0])
            try await searches[0].catchUp()
            // Without a search of its own.
            try await Wait.until("the other knows") { searches[1].indexed == stores[0].newest }
        }
    }

    @Test func `a process goes on where another ended`() async throws {
        try await Indexed.withPostgres(2) { stores, searches in
            try await Self.begin(stores[0])
            try await searches[0].catchUp()
            try await Self.add("m6", by: stores[0], to: stores[1])
            let advance = try await searches[1].advance()
            #expect(advance.messages == 1 && !advance.isAnew)
            #expect(try await searches[0].ids("parcel").count == 6)
        }
    }

    @Test func `a process whose lease has gone neither moves the cursor nor adds a word twice`()
        async throws
    {
        try await Indexed.withPostgres(2) { stores, searches in
            try await Self.begin(stores[0], 40)
            #expect(try await stores[1].reach(stores[0].newest, within: .seconds(60)))
            for round in 0..<5 {
                async let one = searches[0].advance()
                async let other = searches[1].advance()
                let indexed = try await [one, other].map(\.messages)
                #expect(indexed.reduce(0, +) == (round == 0 ? 40 : 1))
                #expect(try await Self.cursor(stores[0])?.position == stores[0].newest)
                try await Self.add("n\(round)", by: stores[0], to: stores[1])
            }
            let end = try await Self.cursor(stores[0])
            // The cursor as it was read before others moved it.
            let error = await #expect(throws: StoreError.self) {
                try await stores[0].write { sql throws(StoreError) in
                    let old = SearchCursor(
                        version: SearchRows.version, position: .start, erasure: 0)
                    var next = old
                    next.position = Position(3)
                    try SearchRows.move(old, to: next, on: sql)
                }
            }
            #expect(error?.code == .superseded)
            #expect(try await Self.cursor(stores[0]) == end)
        }
    }

    @Test func `an index of an earlier version is made anew, and a later one is left alone`()
        async throws
    {
        try await Indexed.withPostgres(2) { stores, searches in
            try await Self.begin(stores[0])
            try await searches[0].catchUp()
            try await Self.change(stores[0], "UPDATE search_state SET version = 0")
            try await Self.change(
                stores[0], "UPDATE search_terms SET terms = array_to_tsvector('{old}'::text[])")
            #expect(try await searches[0].ids("parcel") == [])
            #expect(try await stores[1].reach(stores[0].newest, within: .seconds(60)))
            #expect(try await searches[1].advance().isAnew)
            try await searches[1].catchUp()
            #expect(try await searches[0].ids("parcel") == ["m5", "m4", "m3", "m2", "m1"])

            try await Self.change(stores[0], "UPDATE search_state SET version = 99")
            try await Self.add("m6", by: stores[0], to: stores[1])
            for search in searches + searches {
                let advance = try await search.advance()
                #expect(advance.messages == 0 && !advance.isAnew && !advance.mayGoOn)
            }
            #expect(try await searches[0].ids("parcel").count == 5)
        }
    }

    @Test func `an erased message is found by none of its words, and no row has them`() async throws
    {
        try await Indexed.withPostgres { stores, searches in
            let store = stores[0]
            try await Self.begin(store)
            try await searches[0].catchUp()
            // One that is indexed, and one that is erased before it is.
            _ = try await store.accept(submission("m6", to: conversation(1), "parcel secret"))
            _ = try await store.one(ErasureContract.order(["m3", "m6"]))
            try await searches[0].catchUp()
            #expect(try await searches[0].ids("parcel") == ["m5", "m4", "m2", "m1"])
            #expect(try await Self.cursor(store)?.erasure == 2)
            let rows = try await store.readRegistry { sql throws(StoreError) in
                try sql.statement(
                    literal: """
                        SELECT count(*) FROM search_terms \
                        WHERE terms @@ 'secret'::tsquery OR terms @@ '3'::tsquery
                        """
                ).first { $0.integer() }
            }
            #expect(rows == 0)
        }
    }

    @Test func `a message that is not whole cannot be found, and is reported`() async throws {
        try await Indexed.withPostgres { stores, searches in
            try await Self.begin(stores[0])
            try await Self.change(
                stores[0], "UPDATE messages SET payload = 'parcel X'::bytea WHERE id = 'm3'")
            let advance = try await searches[0].advance()
            #expect(advance.damaged.count == 1)
            #expect(try await searches[0].ids("parcel") == ["m5", "m4", "m2", "m1"])
        }
    }

    @Test func `what the index says wrongly is not shown`() async throws {
        try await Indexed.withPostgres { stores, searches in
            try await Self.begin(stores[0])
            try await searches[0].catchUp()
            try await Self.change(
                stores[0],
                "UPDATE search_terms SET terms = array_to_tsvector(ARRAY['letter', '#' || business])"
            )
            #expect(try await searches[0].ids("letter") == [])
        }
    }

    @Test func `a search that reached its time limit says where to resume`() async throws {
        try await Indexed.withPostgres { stores, searches in
            try await Self.begin(stores[0], 1)
            try await searches[0].catchUp()
            let message = try #require(
                try await stores[0].findMessage(messageID("m1"), in: conversation(1)))
            // Far behind it the log has words without messages.
            try await Self.add(
                "parcel", at: (0..<5_000).map { 131_072 + $0 }, upTo: 1 << 18, in: stores[0])
            var before: Position?
            var ends: [Position] = []
            var found: [Position] = []
            repeat {
                let page = try await searches[0].search(
                    try SearchQuery("parcel"), in: [business(1)], at: PageEdge(after: before),
                    limit: 300,
                    until: .now - .seconds(1))
                found += page.hits.map(\.message.position)
                before = page.next
                if let next = page.next { ends.append(next) }
            } while before != nil && ends.count < 1_000
            #expect(found == [message.position])
            #expect(ends.count > 2 && ends == ends.sorted(by: >))
            // With time it is one page.
            let page = try await searches[0].search(
                try SearchQuery("parcel"), in: [business(1)], at: .start, limit: 10,
                until: .now + .seconds(600))
            #expect(page.hits.map(\.message.position) == [message.position] && page.next == nil)
        }
    }

    @Test func `a way through the log leaves out no position`() throws {
        for (end, border) in [
            (1, 0), (2, 0), (2, 1), (16_386, 2), (16_386, 16_385), (5_000_000, 9),
        ]
            as [(Int64, Int64)]
        {
            var walk = SearchWalk(1..<max(1, end), border: Position(border))
            var reached = end
            var step = 0
            while let part = walk.part {
                #expect(part.positions.upperBound == reached && !part.positions.isEmpty)
                #expect(part.isNewest == (part.positions.upperBound > max(1, border)))
                // The first parts have more than there is room for.
                let last = step < 3 ? Position(reached - 1) : nil
                reached = last?.value ?? part.positions.lowerBound
                walk.advance(behind: last)
                step += 1
            }
            #expect(reached == 1 && walk.rest == nil && step <= 5)
        }
    }

    @Test func `a way back through the log leaves out no position`() throws {
        for (start, end, border) in [
            (1, 1, 0), (1, 2, 0), (1, 16_386, 2), (1, 16_386, 12_289), (5, 16_386, 16_385),
            (20_000, 5_000_000, 9), (4_995_905, 5_000_000, 4_995_904), (7, 9, 9),
        ]
            as [(Int64, Int64, Int64)]
        {
            var walk = SearchWalk(start..<end, border: Position(border), isBackward: true)
            var reached = start
            var step = 0
            while let part = walk.part {
                #expect(part.positions.lowerBound == reached && !part.positions.isEmpty)
                #expect(part.isBackward && part.isNewest == (reached >= max(1, border)))
                let last = step < 3 ? Position(reached) : nil
                reached = last.map { $0.value + 1 } ?? part.positions.upperBound
                walk.advance(behind: last)
                step += 1
            }
            #expect(reached == end && walk.rest == nil && step <= 5)
        }
    }

    @Test(arguments: [
        ("a", "'a'"), ("abc de", "'abc':* & 'de'"),
        ("\"abc de\"", "('abc' <-> 'de' | '#long' & 'abc' & 'de')"),
        ("配送日", "('配送' <-> '送日' | '#long' & '配送' & '送日')"), ("日", "'日':*"),
        ("o'neil \\", "('o' <-> 'neil':* | '#long' & 'o' & 'neil':*)"),
    ])
    func `a query is words in quotes, those of a phrase in a row, and few businesses`(
        text: String, terms: String
    ) throws {
        let query = try SearchQuery(text)
        #expect(SearchRows.terms(of: query, in: Array(1...99)) == terms)
        #expect(SearchRows.terms(of: query, in: [7, 8]) == terms + " & ('#7' | '#8')")
    }

    @Test func `a phrase is looked up by its words' places, in a long message by its words alone`()
        async throws
    {
        let end = "the blue parcel of tuesday"
        let texts = [
            "s1": "parcel blue", "s2": "a blue parcel", "s3": "blue, no, parcel",
            // PostgreSQL keeps 256 places of a word, and none behind the 16,383rd.
            "l1": String(repeating: "parcel blue x ", count: 300) + end,
            "l2": String(repeating: "y ", count: 8_000) + end,
            "l3": String(repeating: "parcel x blue y ", count: 300),
        ]
        try await Indexed.withPostgres(1) { stores, searches in
            try await stores[0].begin(conversation(1))
            for (id, text) in texts.sorted(by: { $0.key < $1.key }) {
                _ = try await stores[0].accept(submission(id, to: conversation(1), text))
            }
            try await searches[0].catchUp()
            #expect(try await searches[0].ids("\"blue parcel\"") == ["s2", "l2", "l1"])
            #expect(
                try await searches[0].ids("blue parcel") == ["s3", "s2", "s1", "l3", "l2", "l1"])
            let query = try SearchQuery("\"blue parcel\"")
            let found = try await stores[0].readRegistry { sql throws(StoreError) in
                try SearchRows.positions(
                    of: query, in: [1],
                    within: SearchWalk.Part(positions: 1..<1_000, isNewest: false), limit: 50,
                    on: sql)
            }
            // Of those that have it not, only the long one is read.
            #expect(found.count == 4)
        }
    }

    @Test(arguments: [
        ("rare777", false), ("common rare777", false), ("\"common\"", false), ("common", true),
    ])
    func `newest messages are read, and words of older ones looked up in the index of terms`(
        text: String, isNewest: Bool
    ) async throws {
        let query = try SearchQuery(text)
        try await KeptRegistries.withDatabase { stores, options in
            try await stores[0].write { sql throws(StoreError) in
                _ = try sql.statement(
                    literal: """
                        INSERT INTO search_terms SELECT n, 1, \
                        array_to_tsvector(ARRAY['common', 'rare' || n, 'w' || n % 97, '#1']) \
                        FROM generate_series(1, 40000) AS g(n)
                        """
                ).runCounting()
                _ = try sql.statement(literal: "ANALYZE search_terms").runCounting()
            }
            let thread = PostgresThread(options, for: .searching)
            let border = try thread.transaction { connection throws(StoreError) in
                try SearchRows.border(before: Position(40_001), on: connection)
            }
            #expect(border.value == 40_001 - SearchWalk.newestMessages)
            let part = try #require(
                isNewest
                    ? SearchWalk(1..<40_001, border: border).part
                    : SearchWalk.Part(positions: 1..<border.value, isNewest: false))
            let plan = try thread.transaction { connection throws(StoreError) in
                let statement = try connection.statement(
                    "EXPLAIN \(SearchRows.statement(isNewest: part.isNewest))")
                try SearchRows.bind(query, [1], part, 51, to: statement)
                return try statement.all { $0.textIfAny() ?? "" }.joined(separator: "\n")
            }
            let scan =
                isNewest
                ? "Index Scan Backward using search_terms_pkey"
                : "Bitmap Index Scan on search_terms_by_term"
            #expect(plan.contains(scan) && plan.contains("Sort") == !isNewest, "\(plan)")
        }
    }
}

import DeskModel
import DeskStorePostgres
import DeskStoreSQLite
import TestSupport
import Testing

@testable import DeskStore

/// The search indexes that keep the contract, by name.
enum Indexed: CaseIterable, Sendable {
    case inMemory
    case inFile
    case inPostgreSQL

    static let allCases: [Indexed] = TestedEngines.chosen([.inMemory, .inFile], [.inPostgreSQL])

    func with(
        _ body: (any Store, any SearchIndex) async throws -> Void
    ) async throws {
        switch self {
        case .inMemory:
            let store = try SQLiteStore(inMemory: Epoch(0xE))
            let search = try SQLiteSearch(inMemoryOf: store, readable: readable)
            try await body(store, search)
            await search.close()
            await store.close()
        case .inFile:
            try await withScratch { directory in
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                let search = try SQLiteSearch(of: store, directory: directory, readable: readable)
                do {
                    try await body(store, search)
                } catch {
                    await search.close()
                    await store.close()
                    throw error
                }
                await search.close()
                await store.close()
            }
        case .inPostgreSQL:
            try await Self.withPostgres { stores, searches in
                try await body(stores[0], searches[0])
            }
        }
    }

    /// Lends as many processes' views of one database and its index as are asked for.
    static func withPostgres(
        _ count: Int = 1, _ body: ([PostgresStore], [PostgresSearch]) async throws -> Void
    ) async throws {
        try await KeptRegistries.withDatabase(count) { stores, options in
            let searches = stores.map { PostgresSearch(of: $0, options, readable: readable) }
            let result: Result<Void, any Error>
            do { result = .success(try await body(stores, searches)) } catch {
                result = .failure(error)
            }
            for search in searches { await search.close() }
            try result.get()
        }
    }
}

/// The tests' payloads are plain texts.
@Sendable func readable(_ message: StoredMessage) -> String {
    String(decoding: message.payload.carriedBytes ?? [], as: UTF8.self)
}

extension SearchIndex {
    /// Reads the log to its end.
    func catchUp() async throws { while try await advance().mayGoOn {} }

    /// The ids of what is found, newest first, over all pages.
    func ids(
        _ text: String, in businesses: Set<BusinessID> = [business(1)], pageSize: Int = 50
    ) async throws -> [String] {
        var ids: [String] = []
        var before: Position?
        repeat {
            let page = try await search(
                try SearchQuery(text), in: businesses, at: PageEdge(after: before), limit: pageSize)
            ids += page.hits.map(\.message.id.text)
            before = page.next
        } while before != nil
        return ids
    }
}

struct SearchContract {
    /// A text, a query, and what of the text is marked; nil when it is not found.
    static let cases: [(text: String, query: String, marked: [String]?)] = [
        ("Your delivery comes on Tuesday", "delivery", ["delivery"]),
        ("Your delivery comes on Tuesday", "DELIV", ["delivery"]),
        ("Your delivery comes on Tuesday", "livery", nil),
        ("Your delivery comes on Tuesday", "tuesday delivery", ["delivery", "Tuesday"]),
        ("Your delivery comes on Tuesday", "delivery monday", nil),
        ("Your delivery comes on Tuesday", "\"delivery comes\"", ["delivery comes"]),
        ("Your delivery comes on Tuesday", "\"comes delivery\"", nil),
        ("Your delivery comes on Tuesday", "\"deliv\"", nil),
        ("Your delivery comes on Tuesday", "\"delivery comes", ["delivery comes"]),
        ("It is on", "on", ["on"]),
        ("It is once", "on", nil),
        ("Café crème, s'il vous plaît", "cafe creme", ["Café", "crème"]),
        ("Cafe creme", "CAFÉ", ["Cafe"]),
        ("cafe\u{301} au lait", "café", ["cafe\u{301}"]),
        ("Größe 42", "grosse", nil),
        ("Größe 42", "groß 42", ["Größe", "42"]),
        ("Ваш заказ готов", "заказ", ["заказ"]),
        ("Ω γλώσσα", "γλωσσα", ["γλώσσα"]),
        ("Чаи\u{306}ник жё", "чайник", ["Чаи\u{306}ник"]),
        ("Чайник", "чаи\u{306}н", ["Чайник"]),
        ("Чайник", "чаиник", nil),
        ("Ие\u{308}лка", "иёлка", ["Ие\u{308}лка"]),
        ("مَرْحَبًا بكم", "مرحبا", ["مَرْحَبًا"]),
        ("مرحبا بكم", "مَرْحَبًا", ["مرحبا"]),
        ("ا\u{654}حمد", "أحمد", ["ا\u{654}حمد"]),
        ("שָׁלוֹם לך", "שלום", ["שָׁלוֹם"]),
        ("order A-1000.25", "a-1000.25", ["A-1000.25"]),
        ("order A 1000 25", "a-1000", ["A 1000"]),
        ("ご注文の配送日は火曜日です", "配送", ["配送"]),
        ("ご注文の配送日は火曜日です", "配送日", ["配送日"]),
        ("ご注文の配送日は火曜日です", "火曜 配送", ["配送", "火曜"]),
        ("ご注文の配送日は火曜日です", "送配", nil),
        ("ご注文の配送日は火曜日です", "注文配送", nil),
        ("ご注文の配送日は火曜日です", "日", ["日", "日"]),
        ("ご注文の配送日", "日", ["日"]),
        ("ご注文の配送日", "す", nil),
        ("本をiPhoneで読む", "本をiphone", ["本をiPhone"]),
        ("本をiPhoneで読む", "iphoneで", ["iPhoneで"]),
        ("本をiPhoneで読む", "をiphoneで読む", ["をiPhoneで読む"]),
        ("ﾊﾟｿｺﾝの修理", "パソコン", ["ﾊﾟｿｺﾝ"]),
        ("パソコンの修理", "ﾊﾟｿｺﾝ", ["パソコン"]),
        ("ＡＢＣ１２３", "abc123", ["ＡＢＣ１２３"]),
        ("주문하신 상품이 도착했습니다", "상품", ["상품"]),
        (
            "\u{110C}\u{116E}\u{1106}\u{116E}\u{11AB}.pdf", "주문",
            ["\u{110C}\u{116E}\u{1106}\u{116E}\u{11AB}"]
        ),
        ("주문하신", "\u{110C}\u{116E}\u{1106}\u{116E}\u{11AB}", ["주문"]),
        ("สั่งซื้อสินค้า", "สินค้า", ["สินค้า"]),
        ("हिन्दी में", "हिन्दी", ["हिन्दी"]),
        ("OR AND NOT NEAR", "or and not near", ["OR", "AND", "NOT", "NEAR"]),
        ("words:x ^y (z)", "words:x ^y (z) *", ["words:x", "y", "z"]),
        ("say it", "say\" it*", ["say", "it"]),
        ("one two", "one\u{3000}two", ["one", "two"]),
        ("a\u{0}b", "a\u{0}b", ["a\u{0}b"]),
    ]

    @Test(arguments: Indexed.allCases)
    func `a search finds what its words say, and marks it`(kind: Indexed) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            for (place, one) in Self.cases.enumerated() {
                _ = try await store.accept(
                    submission("m\(place)", to: conversation(1), one.text))
            }
            try await search.catchUp()
            for (place, one) in Self.cases.enumerated() {
                let page = try await search.search(
                    try SearchQuery(one.query), in: [business(1)], at: .start, limit: 300)
                let hit = page.hits.first { $0.message.id.text == "m\(place)" }
                let marked = hit.map { hit in
                    let units = Array(hit.snippet.text.utf16)
                    return hit.snippet.marks.map { String(decoding: units[$0], as: UTF16.self) }
                }
                // Line by line, by bytes: equal strings may have other scalars.
                let difference = "\(one.text) / \(one.query): \(String(describing: marked))"
                #expect(
                    marked.map { $0.map { Array($0.utf8) } }
                        == one.marked.map { $0.map { Array($0.utf8) } }, "\(difference)")
            }
        }
    }

    @Test(arguments: Indexed.allCases)
    func `what is found shows its snippet and carries no payload, however many are found`(
        kind: Indexed
    ) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            for number in 0..<11 {
                _ = try await store.accept(
                    submission("m\(number)", to: conversation(1), "found \(number)"))
            }
            try await search.catchUp()
            let page = try await search.search(
                try SearchQuery("found"), in: [business(1)], at: .start, limit: 300)
            #expect(
                page.hits.map(\.snippet.text) == (0..<11).reversed().map { "found \($0)" })
            #expect(page.hits.allSatisfy { $0.message.payload.carriedBytes == nil })
        }
    }

    @Test func `the index has the same words as those that are marked`() {
        let long = String(repeating: "Ab", count: 40)
        let odd = ["", " ", "-", "a", "a-", "-a", long, "\(long)é \(long)", "é\u{301}x y\u{0}本z"]
        let end = String(repeating: "a ", count: SearchWords.maximumScalars / 2 - 1)
        let cut = ["xyz", "本日は", "é本a", " a", "--a"].map { end + $0 }
        for text in Self.cases.map(\.text) + odd + cut {
            let words = SearchWords.cut(text).map { String(decoding: $0.bytes, as: UTF8.self) }
            #expect(SearchWords.text(of: text) == words.joined(separator: " "), "\(text)")
        }
    }

    @Test(arguments: ["", " ", "\"\"", "-", "\u{FFFC}", "。、", "🙂"])
    func `a text without letters and digits is no query`(text: String) {
        #expect(throws: SearchQuery.Fault.empty) { try SearchQuery(text) }
    }

    @Test func `a query has a longest length and a largest number of words`() throws {
        let longest = String(repeating: "a", count: SearchQuery.maximumBytes)
        _ = try SearchQuery(longest)
        #expect(throws: SearchQuery.Fault.tooLong) { try SearchQuery(longest + "a") }
        let most = (0..<SearchQuery.maximumTerms).map { "w\($0)" }
        _ = try SearchQuery(most.joined(separator: " "))
        #expect(throws: SearchQuery.Fault.tooLong) {
            try SearchQuery((most + ["one"]).joined(separator: " "))
        }
    }

    @Test(arguments: Indexed.allCases)
    func `a search trails the log and says how far it is`(kind: Indexed) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("m1", to: conversation(1), "parcel"))
            #expect(search.indexed == .start)
            #expect(try await search.ids("parcel") == [])
            try await search.catchUp()
            #expect(search.indexed == store.newest)
            #expect(try await search.ids("parcel") == ["m1"])
            _ = try await store.accept(submission("m2", to: conversation(1), "parcel"))
            #expect(search.indexed < store.newest)
            #expect(try await search.ids("parcel") == ["m1"])
            try await search.catchUp()
            #expect(try await search.ids("parcel") == ["m2", "m1"])
        }
    }

    @Test(arguments: Indexed.allCases)
    func `a search sees only the businesses it is given`(kind: Indexed) async throws {
        try await kind.with { store, search in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.begin(
                    conversation(number), in: business(number), customer: number)
                _ = try await store.accept(
                    submission("m\(number)", to: conversation(number), "parcel \(number)"))
            }
            try await search.catchUp()
            #expect(try await search.ids("parcel", in: [business(2)]) == ["m2"])
            #expect(
                try await search.ids("parcel", in: [business(1), business(3)]) == ["m3", "m1"])
            #expect(try await search.ids("parcel", in: [business(9)]) == [])
            #expect(try await search.ids("parcel", in: []) == [])
        }
    }

    @Test(arguments: Indexed.allCases, [1, 2, 3, 7, 300])
    func `pages of any size give everything once, newest first`(
        kind: Indexed, size: Int
    ) async throws {
        try await kind.with { store, search in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(
                    conversation(number), in: business(number), customer: number)
            }
            var sent: [String] = []
            for number in 0..<12 {
                _ = try await store.accept(
                    submission(
                        "m\(number)", to: conversation(UInt64(number % 2) + 1),
                        number.isMultiple(of: 3) ? "letter" : "parcel"))
                if !number.isMultiple(of: 3) { sent.append("m\(number)") }
            }
            try await search.catchUp()
            let found = try await search.ids(
                "parcel", in: [business(1), business(2)], pageSize: size)
            #expect(found == sent.reversed())
        }
    }

    @Test(arguments: Indexed.allCases)
    func `pages are read back to the newest message as they were read to the oldest`(
        kind: Indexed
    ) async throws {
        try await kind.with { store, search in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(
                    conversation(number), in: business(number), customer: number)
            }
            for number in 1...40 {
                _ = try await store.accept(
                    submission(
                        "m\(number)", to: conversation(UInt64(number % 2) + 1),
                        number.isMultiple(of: 3) ? "letter" : "parcel"))
            }
            try await search.catchUp()
            let query = try SearchQuery("parcel")
            for (businesses, size) in [
                ([business(1), business(2)], 4), ([business(1)], 1), ([business(2)], 300),
            ] as [(Set<BusinessID>, Int)] {
                func page(_ edge: PageEdge<Position>) async throws -> SearchPage {
                    try await search.search(query, in: businesses, at: edge, limit: size)
                }
                var pages = [try await page(.start)]
                #expect(pages[0].previous == nil)
                while let next = pages.last?.next { pages.append(try await page(.after(next))) }
                var last = pages.removeLast()
                for expected in pages.reversed() {
                    last = try await page(.before(try #require(last.previous)))
                    #expect(last.hits.map(\.message.id) == expected.hits.map(\.message.id))
                    let next = try #require(last.next)
                    let again = try await page(.after(next))
                    #expect(again.hits.allSatisfy { $0.message.position < next })
                }
                #expect(last.previous == nil)
                // Behind the newest there is nothing yet, and what comes is found from there.
                let end = try await page(.before(store.newest))
                #expect(end.hits.isEmpty && end.previous == nil)
                #expect(end.next == Position(store.newest.value + 1))
            }
        }
    }

    @Test(arguments: Indexed.allCases)
    func `a snippet shows the place that was found`(kind: Indexed) async throws {
        try await kind.with { store, search in
            try await store.begin(conversation(1))
            let before = String(repeating: "👨‍👩‍👧‍👦 before\n", count: 50)
            let text = before + "needle" + String(repeating: " after", count: 50)
            _ = try await store.accept(submission("m1", to: conversation(1), text))
            try await search.catchUp()
            let page = try await search.search(
                try SearchQuery("needle"), in: [business(1)], at: .start, limit: 1)
            let snippet = try #require(page.hits.first?.snippet)
            let units = Array(snippet.text.utf16)
            #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…"))
            #expect(snippet.text.count == SearchSnippet.maximumCharacters + 2)
            #expect(snippet.marks.map { String(decoding: units[$0], as: UTF16.self) } == ["needle"])
            #expect(!snippet.text.utf8.contains(0x0A))
        }
    }
}

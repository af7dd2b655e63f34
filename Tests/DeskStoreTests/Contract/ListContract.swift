import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of lists by attributes, languages, channels and chosen conversations, and
/// of their counts.
@Suite struct ListContract {
    private static let shop = business(1)

    private static func begin(_ count: UInt64, in store: any Store) async throws {
        for number in 1...count {
            try await store.begin(conversation(number), customer: number)
        }
        for (number, key) in ["tier", "guests"].enumerated() {
            _ = try await store.one(
                SaveAttribute(
                    AttributeDefinition(
                        id: attributeID(UInt64(number)), business: shop, subject: .conversation,
                        key: key, kind: number == 0 ? .text : .number, name: key),
                    by: .agent(agent(1)), at: dawn))
        }
    }

    private static func set(
        _ values: [String: AttributeValue?], of number: UInt64, in store: any Store
    ) async throws {
        _ = try await store.change(conversation(number), .attribute(values))
    }

    private static func filter(
        _ states: Set<ConversationState>? = [.open],
        _ change: (inout ConversationFilter) -> Void = { _ in }
    ) -> ConversationFilter {
        var filter = ConversationFilter(businesses: [shop], states: states)
        change(&filter)
        return filter
    }

    /// The whole list, read page by page, which its count has to agree with.
    private static func list(
        _ filter: ConversationFilter, by size: Int = 2, in store: any Store
    ) async throws -> [UInt64] {
        var found: [Conversation] = []
        while true {
            let page = try await store.conversations(
                filter, at: PageEdge(after: found.last?.activity), limit: size)
            found += page.elements
            guard page.hasMore, found.count < 99 else { break }
        }
        let count = try await store.countListed(filter, isWaiting: false)
        #expect(count == BoundedCount(found.count, atMost: SavedView.mostCounted))
        return found.map { $0.id.value.low - 0xC000 }
    }

    @Test(arguments: Kept.allCases)
    func `a list of attributes follows values, states and messages`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(5, in: store)
            for number in [1, 2, 3, 4] as [UInt64] {
                try await Self.set(
                    [
                        "tier": .text(number == 4 ? "silver" : "gold"),
                        "guests": .number(Double(number)),
                    ],
                    of: number, in: store)
            }
            let gold = Self.filter { $0.attributes = ["tier": .text("gold")] }
            #expect(try await Self.list(gold, in: store) == [3, 2, 1])
            #expect(
                try await Self.list(
                    Self.filter {
                        $0.attributes = ["tier": .text("gold"), "guests": .number(2)]
                    }, in: store) == [2])
            // A number is no text, and a value is the whole of it.
            #expect(
                try await Self.list(
                    Self.filter { $0.attributes = ["guests": .text("2")] }, in: store) == [])
            #expect(
                try await Self.list(
                    Self.filter { $0.attributes = ["tier": .text("gol")] }, in: store) == [])
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(2), .close)
            #expect(try await Self.list(gold, in: store) == [1, 3])
            #expect(
                try await Self.list(
                    Self.filter(nil) { $0.attributes = ["tier": .text("gold")] }, in: store)
                    == [2, 1, 3])
            try await Self.set(["tier": nil], of: 1, in: store)
            try await Self.set(["tier": .text("gold")], of: 5, in: store)
            #expect(try await Self.list(gold, in: store) == [5, 3])
            // Of those who wait too.
            let waiting = try await store.waitingConversations(gold, at: .start, limit: 9)
            #expect(waiting.elements.map(\.id) == [])
            _ = try await store.accept(submission("b", to: conversation(3)))
            let count = try await store.countListed(gold, isWaiting: true)
            #expect(count == BoundedCount(1, atMost: 9))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list of a language has every way to write it`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(4, in: store)
            for (number, locale) in [(1, "ja_JP"), (2, "ja"), (3, "JA-jp"), (4, "jam")] {
                var known = try customer(UInt64(number))
                known.locale = locale
                _ = try await store.change(conversation(UInt64(number)), .describe(known))
            }
            let found = try await Self.list(Self.filter { $0.language = "ja" }, in: store)
            #expect(Set(found) == [1, 2, 3])
            #expect(
                try await Self.list(Self.filter { $0.language = "jam" }, in: store) == [4])
            #expect(
                try await Self.list(
                    Self.filter {
                        $0.language = "ja"
                        $0.care = .mine(agent(1))
                    }, in: store) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list of an intent or a group has exactly those that began with it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(4, in: store)
            for (number, intent) in [(1, "order"), (2, "Order"), (3, "order"), (4, "orders")] {
                var known = try customer(UInt64(number))
                known.intent = intent
                known.group = number < 3 ? "sales" : nil
                _ = try await store.change(conversation(UInt64(number)), .describe(known))
            }
            #expect(try await Self.list(Self.filter { $0.intent = "order" }, in: store) == [3, 1])
            #expect(try await Self.list(Self.filter { $0.group = "sales" }, in: store) == [2, 1])
            #expect(
                try await Self.list(
                    Self.filter {
                        $0.group = "sales"
                        $0.intent = "order"
                    }, in: store) == [1])
            #expect(
                try await Self.list(Self.filter([.closed]) { $0.intent = "order" }, in: store) == []
            )
            #expect(
                try await Self.list(
                    Self.filter {
                        $0.intent = "order"
                        $0.care = .mine(agent(1))
                    }, in: store) == [])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list of a channel has those that are bound to an upstream, or the others`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(3, in: store)
            #expect(try await Self.list(Self.filter { $0.channel = .upstream }, in: store) == [])
            _ = try await store.append([[.bind(conversation(2), to: GatewayLinkID(uniqueID(7)))]])
            #expect(try await Self.list(Self.filter { $0.channel = .upstream }, in: store) == [2])
            #expect(
                try await Self.list(Self.filter { $0.channel = .phone }, in: store) == [3, 1])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list of chosen conversations is narrowed like any other`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(4, in: store)
            _ = try await store.change(conversation(3), .close)
            let chosen: Set = [conversation(1), conversation(3), conversation(4), conversation(9)]
            #expect(
                try await Self.list(Self.filter { $0.among = chosen }, by: 1, in: store) == [4, 1])
            #expect(
                try await Self.list(Self.filter(nil) { $0.among = chosen }, in: store)
                    == [3, 4, 1])
            #expect(try await Self.list(Self.filter { $0.among = [] }, in: store) == [])
            let foreign = try await store.conversations(
                {
                    var filter = ConversationFilter(businesses: [business(2)])
                    filter.among = chosen
                    return filter
                }(), at: .start, limit: 9)
            #expect(foreign.elements.isEmpty)
        }
    }

    @Test(arguments: Kept.allCases)
    func `the oldest come first where that is asked for, page after page`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(5, in: store)
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(
                try await Self.list(Self.filter { $0.order = .oldest }, in: store)
                    == [2, 3, 4, 5, 1])
            _ = try await store.change(conversation(3), .assign(agent(1)))
            #expect(
                try await Self.list(
                    Self.filter {
                        $0.order = .oldest
                        $0.care = .unassigned
                    }, in: store) == [2, 4, 5, 1])
        }
    }

    @Test func `a count ends at its most and says that there is more`() {
        #expect(BoundedCount(1_000, atMost: 1_000).count == 1_000)
        #expect(!BoundedCount(1_000, atMost: 1_000).isMore)
        #expect(BoundedCount(1_001, atMost: 1_000).count == 1_000)
        #expect(BoundedCount(1_001, atMost: 1_000).isMore)
    }
}

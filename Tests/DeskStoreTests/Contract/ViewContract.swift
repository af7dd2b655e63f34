import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of the views' counts and of the list of those who wait.
@Suite struct ViewContract {
    private static let shop = business(1)

    /// Conversations 1 to 6 of the shop whose customers wrote a second apart, but the fifth and sixth
    /// at the same time; the seventh is another business's.
    private static func fill(_ store: any Store) async throws {
        for number in 1...7 as ClosedRange<UInt64> {
            try await store.begin(
                conversation(number), in: number == 7 ? business(2) : shop, customer: number)
            let message = NewMessage(
                try submission("a", to: conversation(number)),
                at: dawn.advanced(by: .seconds(min(Int(number), 5))))
            _ = try await store.one(message)
        }
    }

    private func names(
        _ store: any Store, _ filter: ConversationFilter, by size: Int = 9
    ) async throws -> [UInt64] {
        var found: [Conversation] = []
        while true {
            let page = try await store.waitingConversations(
                filter, at: PageEdge(after: found.last.flatMap { WaitingPlace($0) }), limit: size)
            found += page.elements
            guard page.hasMore, found.count < 99 else {
                return found.map { $0.id.value.low - 0xC000 }
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `those who wait are listed longest first and paged without gap`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            // Newer events change the order of other lists, not of this one.
            _ = try await store.accept(submission("b", to: conversation(1)))
            _ = try await store.change(conversation(2), .assign(agent(1)))
            _ = try await store.change(conversation(3), .close)
            let all = ConversationFilter(businesses: [Self.shop], states: [.open])
            for size in [1, 2, 9] {
                #expect(try await names(store, all, by: size) == [1, 2, 4, 5, 6], "\(size)")
            }
            let mine = ConversationFilter(businesses: [Self.shop], care: .mine(agent(1)))
            #expect(try await names(store, mine) == [2])
            let free = ConversationFilter(businesses: [Self.shop], care: .unassigned)
            #expect(try await names(store, free, by: 2) == [1, 4, 5, 6])
            let both = ConversationFilter(businesses: [Self.shop, business(2)])
            #expect(try await names(store, both, by: 2) == [1, 2, 4, 5, 6, 7])
            let closed = ConversationFilter(businesses: [Self.shop], states: [.closed])
            #expect(try await names(store, closed) == [])
            _ = try await store.accept(
                submission("c", to: conversation(1), direction: .outbound))
            #expect(try await names(store, all) == [2, 4, 5, 6])
        }
    }

    @Test(arguments: Kept.allCases)
    func `each view's count is exact after every change`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.fill(store)
            var counts = try await store.countViews(of: [Self.shop])
            #expect(counts.states == [.open: 6])
            #expect(counts.unassigned == 6)
            #expect(counts.assignees == [:])
            #expect(counts.waiting.count == 6)
            #expect(counts.waiting.longest == conversation(1))
            _ = try await store.change(conversation(1), .assign(agent(1)))
            _ = try await store.change(conversation(2), .assign(agent(1)))
            _ = try await store.change(conversation(2), .close)
            _ = try await store.change(conversation(3), .snooze(until: nil))
            _ = try await store.change(conversation(4), .pend)
            _ = try await store.accept(
                submission("b", to: conversation(5), direction: .outbound))
            counts = try await store.countViews(of: [Self.shop])
            #expect(counts.states == [.open: 3, .closed: 1, .snoozed: 1, .pending: 1])
            #expect(counts.unassigned == 2)
            #expect(counts.assignees == [agent(1): 1])
            #expect(counts.waiting.count == 2)
            // A message opens what was closed: in the message's own commit.
            _ = try await store.accept(submission("b", to: conversation(2)))
            counts = try await store.countViews(of: [Self.shop])
            #expect(counts.states == [.open: 4, .snoozed: 1, .pending: 1])
            #expect(counts.assignees == [agent(1): 2])
            #expect(try await store.countViews(of: [Self.shop, business(2)]).states[.open] == 5)
            #expect(try await store.countViews(of: []) == ViewCounts())
        }
    }
}

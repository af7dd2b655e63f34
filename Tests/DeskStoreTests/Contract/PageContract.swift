import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of the pages before and behind an element of a list.
@Suite struct PageContract {
    private static let shop = business(1)

    /// Compares every page beside every element with the list as a whole.
    private static func check<Element: Sendable, Place: Sendable>(
        _ places: [Place], _ read: (PageEdge<Place>, Int) async throws -> Page<Element>,
        _ name: (Element) -> String, _ names: [String]
    ) async throws {
        for (index, place) in places.enumerated() {
            for size in [1, 2, 9] {
                let before = try await read(.before(place), size)
                #expect(before.elements.map(name) == Array(names[..<index].suffix(size)))
                #expect(before.hasMore == (index > size))
                let after = try await read(.after(place), size)
                #expect(after.elements.map(name) == Array(names[(index + 1)...].prefix(size)))
                #expect(after.hasMore == (names.count - index - 1 > size))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a page of conversations lies beside any of them, in the order of its list`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...6 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            for number in [2, 5, 1, 3] as [UInt64] {
                _ = try await store.accept(submission("m\(number)", to: conversation(number)))
            }
            _ = try await store.change(conversation(4), .close)
            var lists = [
                ConversationFilter(businesses: [Self.shop]),
                ConversationFilter(businesses: [Self.shop, business(2)], states: [.open]),
                ConversationFilter(businesses: [Self.shop], care: .unassigned, states: [.open]),
            ]
            lists += lists.map { filter in
                var oldest = filter
                oldest.order = .oldest
                return oldest
            }
            for filter in lists {
                let whole = try await store.conversations(filter, at: .start, limit: 9).elements
                #expect(whole.count >= 5)
                try await Self.check(
                    whole.map(\.activity),
                    { try await store.conversations(filter, at: $0, limit: $1) }, { $0.id.text },
                    whole.map(\.id.text))
            }
            let waiting = try await store.waitingConversations(lists[1], at: .start, limit: 9)
            #expect(waiting.elements.count == 4)
            try await Self.check(
                waiting.elements.compactMap { WaitingPlace($0) },
                { try await store.waitingConversations(lists[1], at: $0, limit: $1) },
                { $0.id.text }, waiting.elements.map(\.id.text))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a list has only what is newer than a position where that is asked for`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...4 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                _ = try await store.accept(submission("m\(number)", to: conversation(number)))
            }
            let whole = try await store.conversations(
                ConversationFilter(businesses: [Self.shop]), at: .start, limit: 9
            ).elements
            for (index, one) in whole.enumerated() {
                var filter = ConversationFilter(businesses: [Self.shop])
                filter.updatedAfter = one.activity
                let found = try await store.conversations(filter, at: .start, limit: 9)
                #expect(found.elements.map(\.id) == whole[..<index].map(\.id))
                let waiting = try await store.waitingConversations(filter, at: .start, limit: 9)
                #expect(waiting.elements.count == index)
                #expect(
                    try await store.countListed(filter, isWaiting: false)
                        == BoundedCount(index, atMost: SavedView.mostCounted))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `who may read of no business gets no events, up to the newest`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let page = try await store.events(after: .start, in: .businesses([]), limit: 9)
            #expect(page.events.isEmpty)
            #expect(page.end == store.newest)
        }
    }
}

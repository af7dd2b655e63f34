import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of those who wait, and of names.
@Suite struct WaitingContract {
    private static let shop = business(1)

    private func waiting(
        _ store: any Store, _ care: ConversationFilter.Care = .all,
        _ states: Set<ConversationState>? = nil
    ) async throws -> WaitingConversations {
        try await store.waitingConversations(
            ConversationFilter(businesses: [Self.shop], care: care, states: states))
    }

    @Test(arguments: Kept.allCases)
    func `who waits is counted for each list, and the longest is named`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in 1...4 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                let message = NewMessage(
                    try submission("a", to: conversation(number)),
                    at: dawn.advanced(by: .seconds(Int(number))))
                _ = try await store.one(message)
            }
            try await store.begin(conversation(5), in: business(2), customer: 5)
            _ = try await store.accept(submission("a", to: conversation(5)))
            _ = try await store.change(conversation(1), .assign(agent(1)))
            var all = try await waiting(store)
            #expect(all.count == 4)
            #expect(all.longest == conversation(1))
            #expect(all.since == dawn.advanced(by: .seconds(1)))
            #expect(try await waiting(store, .mine(agent(1))).count == 1)
            #expect(try await waiting(store, .mine(agent(2))) == WaitingConversations())
            #expect(try await waiting(store, .unassigned).longest == conversation(2))
            #expect(try await waiting(store, .all, [.closed]).count == 0)
            #expect(try await waiting(store, .all, [.open, .closed]).count == 4)
            // Answered, closed, gone: no customer waits there any more; a sleeping one is not
            // counted.
            _ = try await store.accept(
                submission("b", to: conversation(1), direction: .outbound))
            _ = try await store.change(conversation(2), .close)
            _ = try await store.change(conversation(3), .snooze(until: nil))
            all = try await waiting(store)
            #expect(all.count == 1)
            #expect(all.longest == conversation(4))
            _ = try await store.change(conversation(4), .leave)
            #expect(try await waiting(store) == WaitingConversations())
            // Back again, each by another way.
            _ = try await store.accept(submission("b", to: conversation(4)))
            _ = try await store.change(conversation(3), .reopen)
            _ = try await store.accept(submission("b", to: conversation(2)))
            #expect(try await waiting(store).count == 3)
            #expect(try await waiting(store).since == dawn)
        }
    }

    private static let names: [(String, [UInt64])] = [
        ("robin", [1]), ("ROB", [1]), ("Ｒｏｂｉｎ", [1]), ("hood robin", [1]), ("obin", []),
        ("robin tuck", []), ("田", [2]), ("田中", [2]), ("太郎", [2]), ("田太", []), ("中太郎", [2]),
        ("Zoë", [3]), ("zoe", [3]), ("AAA5", [5]),
    ]

    @Test(arguments: Kept.allCases)
    func `customers are found by their names, folded, in any script`(_ kept: Kept) async throws {
        try await kept.with { store in
            let shown = [1: "Robin Hood", 2: "田中太郎", 3: "Zoe\u{308} Quaid", 4: "Robin"]
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.begin(
                    conversation(number), in: number == 4 ? business(2) : Self.shop,
                    customer: number)
                var one = try customer(number)
                one.name = shown[Int(number)]
                _ = try await store.change(conversation(number), .describe(one))
            }
            for (text, expected) in Self.names {
                let found = try await store.findConversations(
                    named: SearchQuery(text), in: [Self.shop], limit: 9)
                #expect(found.map { $0.id.value.low - 0xC000 } == expected, "\(text)")
            }
            // A new name is found, the old one no longer.
            var renamed = try customer(1)
            renamed.name = "Marian"
            _ = try await store.change(conversation(1), .describe(renamed))
            for (text, count) in [("robin", 0), ("marian", 1)] {
                let found = try await store.findConversations(
                    named: SearchQuery(text), in: [Self.shop], limit: 9)
                #expect(found.count == count, "\(text)")
            }
            let both = try await store.findConversations(
                named: SearchQuery("robin"), in: [Self.shop, business(2)], limit: 9)
            #expect(both.map(\.id) == [conversation(4)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `names are sorted by the newest event, as many as are asked for`(_ kept: Kept) async throws
    {
        try await kept.with { store in
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                var one = try customer(number)
                one.name = "Robin \(number)"
                _ = try await store.change(conversation(number), .describe(one))
            }
            _ = try await store.accept(submission("a", to: conversation(2)))
            let found = try await store.findConversations(
                named: SearchQuery("robin"), in: [Self.shop], limit: 2)
            #expect(found.map(\.id) == [conversation(2), conversation(5)])
            #expect(found.first?.newest == SequenceNumber(1))
        }
    }
}

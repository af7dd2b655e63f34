import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What every store promises of the newest messages that are not automatic.
@Suite struct NonAutomaticContract {
    private static func add(
        _ id: String, _ text: String, to number: UInt64 = 1, by author: Author? = nil,
        in store: any Store
    ) async throws {
        let isCustomers = author == nil
        var one = try submission(
            id, to: conversation(number), text, direction: isCustomers ? .inbound : .outbound)
        if let author { one.facts.author = author }
        _ = try await store.accept(one)
    }

    private static func found(
        _ numbers: UInt64..., in store: any Store
    ) async throws -> [UInt64: LastMessage] {
        var conversations: [Conversation] = []
        for number in numbers {
            conversations.append(
                try #require(try await store.findConversation(conversation(number))))
        }
        let found = try await store.lastNonAutomatic(of: conversations)
        return numbers.reduce(into: [:]) { $0[$1] = found[conversation($1)] }
    }

    private static let rule = Author.rule(
        RuleMark(id: TeamRuleID(UniqueID(high: 7, low: 7)), name: "r", causes: [], root: .start))

    @Test(arguments: Kept.allCases, [false, true])
    func `what was written last before automatic messages is found for each conversation`(
        _ kept: Kept, isFlushed: Bool
    ) async throws {
        try await kept.with { store in
            for number in 1...4 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                try await Self.add("a\(number)", "first \(number)", to: number, in: store)
                try await Self.add("b\(number)", "question \(number)", to: number, in: store)
            }
            try await Self.add("c1", "closed", by: .server, in: store)
            try await Self.add("c2", "closed", to: 2, by: .server, in: store)
            try await Self.add("d2", "still closed", to: 2, by: Self.rule, in: store)
            try await Self.add("c3", "Here I am", to: 3, by: .agent(agent(1)), in: store)
            try await Self.add("d3", "How was it?", to: 3, by: .server, in: store)
            let log = try #require(store as? any SQLLog)
            if isFlushed { try await log.flushRows() }
            let found = try await Self.found(1, 2, 3, in: store)
            #expect(
                found.mapValues(\.summary) == [
                    1: "question 1", 2: "question 2", 3: "Here I am",
                ])
            let first = try #require(found[1])
            #expect(first.id == (try messageID("b1")) && first.sequence == SequenceNumber(2))
            #expect(first.direction == .inbound && first.author == .customer(device: "d"))
            #expect(first.kind == .text && first.erasedAt == nil)
            // One by one as on a page.
            #expect(try await Self.found(2, in: store)[2]?.summary == "question 2")
            #expect(try await store.lastNonAutomatic(of: []) == [:])
        }
    }

    @Test(arguments: Kept.allCases)
    func `automatic messages alone, or too many of them, lead to nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            try await Self.add("a1", "welcome", by: .server, in: store)
            for (number, count) in [(2 as UInt64, 8), (3, 9)] {
                try await Self.add("q\(number)", "question", to: number, in: store)
                for one in 1...count {
                    try await Self.add(
                        "r\(number)-\(one)", "automatic", to: number, by: Self.rule, in: store)
                }
            }
            #expect(
                try await Self.found(1, 2, 3, in: store).mapValues(\.summary) == [2: "question"])
        }
    }

    @Test(arguments: Kept.allCases)
    func `an erased question says when it was erased, and a damaged one is left out alone`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                try await Self.add("q\(number)", "question \(number)", to: number, in: store)
                try await Self.add("s\(number)", "closed", to: number, by: .server, in: store)
            }
            _ = try await store.one(ErasureContract.order(["q1"]))
            let registries = try #require(store as? any SQLRegistries)
            try await registries.write { sql throws(StoreError) in
                _ = try sql.statement("UPDATE messages SET summary = 'other' WHERE id = 'q2'")
                    .runCounting()
            }
            let found = try await Self.found(1, 2, 3, in: store)
            #expect(found[1]?.summary == "" && found[1]?.erasedAt != nil)
            #expect(found[2] == nil)
            #expect(found[3]?.summary == "question 3")
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was written after the conversation was read is not what it hid`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await Self.add("q", "question", in: store)
            try await Self.add("s", "closed", by: .server, in: store)
            let before = try #require(try await store.findConversation(conversation(1)))
            try await Self.add("t", "hello?", in: store)
            #expect(try await store.lastNonAutomatic(of: [before]) == [:])
        }
    }
}

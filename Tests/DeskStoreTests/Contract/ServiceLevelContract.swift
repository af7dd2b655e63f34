import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of service levels and of what is due by them.
@Suite struct ServiceLevelContract {
    private static let shop = business(1)
    private static let levels = Array(#"{"firstAnswer":{"none":5},"nextAnswer":{}}"#.utf8)

    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        _ = try await store.one(
            SaveServiceLevels(
                levels, of: shop, event: Array("{}".utf8), by: .agent(agent(1)), at: dawn))
    }

    private static func work(_ kind: DueWork.Kind, in store: any Store) async throws -> DueWork? {
        try await store.findDueWork(DueWork.Name(kind, in: conversation(1)))
    }

    private static func expect(
        _ kind: AnswerDue.Kind, in store: any Store
    ) async throws -> Timestamp {
        let at = dawn.advanced(by: .seconds(300))
        _ = try await store.change(conversation(1), .expect(AnswerDue(kind, at: at)))
        return at
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a business promises is kept, replaced and removed`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ data: [UInt8]?, _ owner: BusinessID) async throws {
                try await store.change(
                    .contents(.saveServiceLevels(of: owner)), author: .server
                ) { sql throws(StoreError) in
                    try ServiceLevelRows.put(data, of: owner, on: sql)
                }
            }
            try await put(Self.levels, Self.shop)
            try await put([0x7B, 0x7D], business(2))
            #expect(try await store.serviceLevels(of: Self.shop) == Self.levels)
            try await put([0x7B, 0x7D], Self.shop)
            #expect(try await store.serviceLevels(of: Self.shop) == [0x7B, 0x7D])
            try await put(nil, Self.shop)
            #expect(try await store.serviceLevels(of: Self.shop) == nil)
            #expect(try await store.serviceLevels(of: business(2)) == [0x7B, 0x7D])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a wait asks for its due time once, and an answer ends what is due`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            #expect(try await Self.work(.due, in: store) == nil)
            _ = try await store.change(conversation(1), .close)
            try await Self.begin(store)
            #expect(try await store.types().last == .serviceLevelsSaved)
            _ = try await store.accept(submission("b", to: conversation(1)))
            #expect(try await store.require(conversation(1)).answerDue == AnswerDue(.first))
            let asked = try #require(try await Self.work(.due, in: store))
            #expect(asked.dueAt == dawn)
            _ = try await store.one(Write.finish(asked))
            _ = try await store.accept(submission("c", to: conversation(1)))
            #expect(try await Self.work(.due, in: store) == nil)
            let at = try await Self.expect(.first, in: store)
            #expect(try await store.types().last == .conversationAnswerDueChanged)
            #expect(try await store.require(conversation(1)).answerDue?.at == at)
            #expect(try await Self.work(.breach, in: store)?.dueAt == at)
            let due = try await store.dueConversations(
                ConversationFilter(businesses: [Self.shop]), until: [Self.shop: at], at: .start,
                limit: 9)
            #expect(due.elements.map(\.id) == [conversation(1)])
            let before = at.advanced(by: .seconds(-1))
            #expect(
                try await store.countDue(
                    ConversationFilter(businesses: [Self.shop]), until: [Self.shop: before]
                ).count == 0)
            #expect(
                try await store.countDue(
                    ConversationFilter(businesses: [Self.shop]), until: [Self.shop: at]
                ).count == 1)
            _ = try await store.accept(
                submission("d", to: conversation(1), direction: .outbound))
            #expect(try await store.require(conversation(1)).answerDue == nil)
            #expect(try await Self.work(.breach, in: store) == nil)
            #expect(
                try await store.countDue(
                    ConversationFilter(businesses: [Self.shop]), until: [Self.shop: at]
                ).count == 0)
            _ = try await store.accept(submission("e", to: conversation(1)))
            #expect(try await store.require(conversation(1)).answerDue == AnswerDue(.next))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a snooze pauses what is due, a priority counts it again, and closing ends it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await Self.expect(.first, in: store)
            _ = try await store.change(conversation(1), .snooze(until: nil))
            #expect(try await store.require(conversation(1)).answerDue == AnswerDue(.first))
            #expect(try await Self.work(.breach, in: store) == nil)
            let first = try #require(try await Self.work(.due, in: store))
            _ = try await store.one(Write.finish(first))
            _ = try await store.change(conversation(1), .reopen)
            let again = try #require(try await Self.work(.due, in: store))
            _ = try await store.one(Write.finish(again))
            let at = try await Self.expect(.first, in: store)
            _ = try await store.change(conversation(1), .prioritize(.urgent))
            #expect(try await Self.work(.due, in: store) != nil)
            #expect(try await store.require(conversation(1)).answerDue?.at == at)
            let breach = try #require(try await Self.work(.breach, in: store))
            _ = try await store.append(
                [
                    [
                        .finish(breach),
                        .change(
                            ChangeConversation(conversation(1), .breach, by: .server, at: dawn)),
                    ]
                ])
            #expect(try await store.types().last == .conversationAnswerOverdue)
            _ = try await store.change(conversation(1), .close)
            #expect(try await store.require(conversation(1)).answerDue == nil)
            let count = try await store.types().count
            _ = try await store.change(conversation(1), .expect(AnswerDue(.first, at: dawn)))
            _ = try await store.change(conversation(1), .breach)
            #expect(try await store.types().count == count)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is due is listed and counted among some conversations, and among mentions`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.setRole(.agent, of: agent(2), in: Self.shop, author: .server)
            let at = dawn.advanced(by: .seconds(300))
            for number in 1...3 as ClosedRange<UInt64> {
                if number > 1 { try await store.begin(conversation(number), customer: number) }
                _ = try await store.accept(submission("a", to: conversation(number)))
                _ = try await store.change(
                    conversation(number), .expect(AnswerDue(.first, at: at)))
            }
            _ = try await store.one(
                AddNote(
                    NoteID(uniqueID(1)), to: conversation(2), text: "Look",
                    mentions: Mentioned([agent(2)], permitted: .handling), by: .agent(agent(1)),
                    at: dawn))
            var some = ConversationFilter(businesses: [Self.shop])
            some.among = [conversation(3)]
            let mentioned = ConversationFilter(
                businesses: [Self.shop], care: .mentioning(agent(2)))
            var none = mentioned
            none.among = []
            for (filter, expected) in [
                (some, [conversation(3)]), (mentioned, [conversation(2)]), (none, []),
            ] {
                let due = try await store.dueConversations(
                    filter, until: [Self.shop: at], at: .start, limit: 9)
                #expect(due.elements.map(\.id) == expected)
                let count = try await store.countDue(filter, until: [Self.shop: at])
                #expect(count.count == expected.count)
            }
        }
    }
}

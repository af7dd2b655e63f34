import DeskModel
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of a closing that is undone.
@Suite struct ClosingContract {
    private static let shop = business(1)
    private static let began = dawn.advanced(by: .seconds(10))
    private static let due = began.advanced(by: .seconds(300))

    private static func at(_ seconds: Int) -> Timestamp { dawn.advanced(by: .seconds(seconds)) }

    /// A customer who waits, and is to be answered five minutes later.
    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        _ = try await store.one(
            SaveServiceLevels(
                Array(#"{"firstAnswer":{"none":5},"nextAnswer":{}}"#.utf8), of: shop,
                event: Array("{}".utf8), by: .agent(agent(1)), at: dawn))
        _ = try await store.one(NewMessage(try submission("a", to: conversation(1)), at: began))
        _ = try await change(.expect(AnswerDue(.first, at: due)), at: 11, in: store)
    }

    private static func change(
        _ change: ConversationChange, at seconds: Int, in store: any Store
    ) async throws -> Conversation {
        try await store.one(
            ChangeConversation(conversation(1), change, by: .agent(agent(1)), at: at(seconds)))
    }

    private static func breach(in store: any Store) async throws -> Timestamp? {
        try await store.findDueWork(DueWork.Name(.breach, in: conversation(1)))?.dueAt
    }

    private static func waiting(in store: any Store) async throws -> WaitingConversations {
        try await store.waitingConversations(ConversationFilter(businesses: [shop]))
    }

    @Test(arguments: Kept.allCases)
    func `to undo a closing has the customer wait since then, and until the same due time`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            let closed = try await Self.change(.close, at: 60, in: store)
            #expect(closed.waitingSince == nil)
            #expect(closed.answerDue == nil)
            #expect(try await Self.breach(in: store) == nil)
            let back = try await Self.change(.undoClose(.open, until: nil), at: 70, in: store)
            #expect(back.waitingSince == Self.began)
            #expect(back.answerDue == AnswerDue(.first, at: Self.due))
            #expect(try await Self.breach(in: store) == Self.due)
            #expect(try await store.types().last == .conversationReopened)
            #expect(try await Self.waiting(in: store).since == Self.began)
            let due = try await store.dueConversations(
                ConversationFilter(businesses: [Self.shop]), until: [Self.shop: Self.due],
                at: .start, limit: 9)
            #expect(due.elements.map(\.id) == [conversation(1)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a plain reopening invents no waiting, and undoing it later neither`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await Self.change(.close, at: 60, in: store)
            let opened = try await Self.change(.reopen, at: 70, in: store)
            #expect(opened.waitingSince == nil)
            let same = try await Self.change(.undoClose(.open, until: nil), at: 80, in: store)
            #expect(same == opened)
            _ = try await Self.change(.close, at: 90, in: store)
            let again = try await Self.change(.undoClose(.open, until: nil), at: 95, in: store)
            #expect(again.state == .open)
            #expect(again.waitingSince == nil)
            #expect(try await Self.waiting(in: store).count == 0)
        }
    }

    @Test(arguments: Kept.allCases)
    func `an answer after the closing ended the waiting, an automatic one did not`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await Self.change(.close, at: 60, in: store)
            var automatic = try submission("b", to: conversation(1), direction: .outbound)
            automatic.facts.author = .server
            _ = try await store.accept(automatic)
            var back = try await Self.change(.undoClose(.open, until: nil), at: 70, in: store)
            #expect(back.waitingSince == Self.began)
            _ = try await Self.change(.close, at: 80, in: store)
            _ = try await store.accept(
                submission("c", to: conversation(1), direction: .outbound))
            back = try await Self.change(.undoClose(.open, until: nil), at: 90, in: store)
            #expect(back.state == .open)
            #expect(back.waitingSince == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what was overdue before the closing is not said again, what became so since is`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await Self.change(.close, at: 60, in: store)
            _ = try await Self.change(.undoClose(.open, until: nil), at: 400, in: store)
            #expect(try await Self.breach(in: store) == Self.due)
            _ = try await Self.change(.close, at: 410, in: store)
            let back = try await Self.change(.undoClose(.open, until: nil), at: 420, in: store)
            #expect(back.answerDue?.at == Self.due)
            #expect(try await Self.breach(in: store) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `back to pending the customer waits, and nothing is due`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await Self.change(.pend, at: 50, in: store)
            _ = try await Self.change(.close, at: 60, in: store)
            let back = try await Self.change(.undoClose(.pending, until: nil), at: 70, in: store)
            #expect(back.state == .pending)
            #expect(back.waitingSince == Self.began)
            #expect(back.answerDue == AnswerDue(.first))
            #expect(try await Self.breach(in: store) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a bot whose moment ended while it was closed has another one`(_ kept: Kept) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            _ = try await BotContract.say("a", in: store)
            let control = try #require(try await BotContract.found(store))
            let moment = try #require(control.answerBy)
            func change(_ change: ConversationChange, _ seconds: Int) async throws -> Conversation {
                try await store.one(
                    ChangeConversation(
                        BotContract.place, change, by: BotContract.owner, at: Self.at(seconds)))
            }
            _ = try await change(.close, 5)
            try await store.one(EndBotWait(control, at: moment))
            #expect(try await BotContract.found(store)?.answerBy == nil)
            let back = try await change(.undoClose(.open, until: nil), 100)
            #expect(back.waitingSince == dawn)
            let after = try #require(try await BotContract.found(store))
            #expect(after.controller == .bot(bot.id))
            #expect(after.answerBy == Self.at(100 + bot.answerSeconds))
        }
    }

    @Test(arguments: Kept.allCases)
    func `who is to answer is asked again where the conversation would have gone back meanwhile`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.setRole(.agent, of: agent(1), in: Self.shop, author: .server)
            let rule = AssignmentRule(.roundRobin, giveBackMinutes: 5)
            try await store.one(
                SaveAssignment(
                    of: Self.shop, for: nil, StoredAssignment(of: Self.shop, rule),
                    event: Array("{}".utf8), permitted: .handling, by: .agent(agent(1)), at: dawn))
            _ = try await Self.change(.assign(agent(1)), at: 20, in: store)
            let name = DueWork.Name(.giveBack, in: conversation(1))
            let work = try #require(try await store.findDueWork(name))
            _ = try await Self.change(.close, at: 60, in: store)
            _ = try await Self.change(.undoClose(.open, until: nil), at: 70, in: store)
            #expect(try await store.findDueWork(name) == work)
            _ = try await Self.change(.close, at: 80, in: store)
            try await store.one(Write.finish(work))
            _ = try await Self.change(.undoClose(.open, until: nil), at: 90, in: store)
            #expect(try await store.findDueWork(name)?.dueAt == Self.at(390))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a closing and its undoing in one commit leave the waiting`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            let (id, author) = (conversation(1), Author.agent(agent(1)))
            _ = try await store.append([
                [
                    .change(ChangeConversation(id, .close, by: author, at: Self.at(60))),
                    .change(
                        ChangeConversation(
                            id, .undoClose(.open, until: nil), by: author, at: Self.at(61))),
                ]
            ])
            let back = try await store.require(id)
            #expect(back.waitingSince == Self.began)
            #expect(back.answerDue?.at == Self.due)
        }
    }
}

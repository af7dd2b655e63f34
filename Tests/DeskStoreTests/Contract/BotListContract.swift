import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of lists and numbers of conversations that bots have.
@Suite struct BotListContract {
    private static let shop = business(1)
    private static let owner = Author.agent(agent(1))
    private static let key = KeyID(uniqueID(0xB1))

    /// A business with a bot that is first, and three conversations: two of them the bot's, in one of
    /// which the customer wrote, and one that was begun before.
    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        try await store.setRole(.agent, of: agent(1), in: shop, author: .server)
        try await store.add(
            APIKey(
                id: key, name: "bot", secret: .sha256([1]), mode: .live, businesses: [shop],
                createdAt: dawn), author: .server, permitted: [])
        try await say(in: 1, store)
        var values = SaveBot.Values()
        values.name = "Ada"
        values.key = key
        values.isFirst = true
        _ = try await store.one(
            SaveBot(BotID(uniqueID(0xB01)), of: shop, isNew: true, values, by: owner, at: dawn))
        for number in 2...3 as ClosedRange<UInt64> {
            try await store.begin(conversation(number), customer: number)
            try await say(in: number, store)
        }
    }

    private static func say(in number: UInt64, _ store: any Store) async throws {
        _ = try await store.one(
            NewMessage(submission("m\(number)", to: conversation(number)), at: dawn))
    }

    private static func control(
        _ action: ChangeControl.Action, _ number: UInt64, by author: Author, _ store: any Store
    ) async throws {
        let target: Controller? =
            action == .pass && author == owner ? .bot(BotID(uniqueID(0xB01))) : nil
        _ = try await store.one(
            ChangeControl(
                action, of: conversation(number), to: target, permitted: .handling, by: author,
                at: dawn))
    }

    private static func change(
        _ change: ConversationChange, _ number: UInt64, _ store: any Store
    ) async throws {
        _ = try await store.one(
            ChangeConversation(conversation(number), change, by: owner, at: dawn))
    }

    /// What the lists of some care have, each by every statement that serves it; all have to agree.
    private static func listed(
        _ care: ConversationFilter.Care, _ store: any Store
    ) async throws -> Set<ConversationID> {
        var filter = ConversationFilter(businesses: [shop], care: care, states: [.open])
        let page = try await store.conversations(filter, at: .start, limit: 9)
        let found = Set(page.elements.map(\.id))
        #expect(try await store.countListed(filter, isWaiting: false).count == found.count)
        filter.order = .oldest
        let oldest = try await store.conversations(filter, at: .start, limit: 9)
        #expect(Set(oldest.elements.map(\.id)) == found)
        filter.order = .newest
        let waiting = try await store.waitingConversations(filter, at: .start, limit: 9)
        #expect(Set(waiting.elements.map(\.id)) == found)
        #expect(try await store.waitingConversations(filter).count == found.count)
        let longest = try await store.waitingConversations(filter).longest
        #expect(longest.map { found.contains($0) } ?? found.isEmpty)
        return found
    }

    /// Compares the kept numbers with what the lists have.
    private static func compare(
        _ unassigned: Set<UInt64>, _ withBot: Set<UInt64>, _ store: any Store
    ) async throws {
        #expect(try await listed(.unassigned, store) == Set(unassigned.map { conversation($0) }))
        #expect(try await listed(.withBot, store) == Set(withBot.map { conversation($0) }))
        let views = try await store.countViews(of: [shop])
        #expect(views.unassigned == unassigned.count)
        #expect(views.withBot == withBot.count)
        let filter = ConversationFilter(businesses: [shop], states: [.open])
        let counts = try await store.countConversations(filter, mineOf: agent(1))
        #expect(counts.unassigned == unassigned.count)
        #expect(counts.all == views.states[.open])
        try await compareWaiting(views.waiting, withBot, store)
    }

    /// The customers of this suite all wait, but those who write with a bot are answered by it.
    private static func compareWaiting(
        _ counted: WaitingConversations, _ withBot: Set<UInt64>, _ store: any Store
    ) async throws {
        let filter = ConversationFilter(businesses: [shop], states: [.open])
        let all = try await store.conversations(filter, at: .start, limit: 9).elements.map(\.id)
        let wait = Set(all).subtracting(withBot.map { conversation($0) })
        let page = try await store.waitingConversations(filter, at: .start, limit: 9)
        #expect(Set(page.elements.map(\.id)) == wait)
        #expect(try await store.countListed(filter, isWaiting: true).count == wait.count)
        #expect(counted.count == wait.count)
        #expect(counted.longest.map { wait.contains($0) } ?? wait.isEmpty)
        #expect(try await store.waitingConversations(filter).count == wait.count)
    }

    @Test(arguments: Kept.allCases)
    func `what a bot has is not unassigned, in lists and in numbers, until people have it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await Self.compare([1], [2, 3], store)
            try await Self.control(.release, 2, by: .key(Self.key), store)
            try await Self.compare([1, 2], [3], store)
            try await Self.control(.pass, 2, by: Self.owner, store)
            try await Self.compare([1], [2, 3], store)
            // What is assigned is its agent's, who has control then.
            try await Self.change(.assign(agent(1)), 3, store)
            try await Self.compare([1], [2], store)
            try await Self.change(.assign(nil), 3, store)
            try await Self.compare([1, 3], [2], store)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a closed conversation that a bot has is counted where it is, and again when it is open`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await Self.change(.close, 2, store)
            try await Self.compare([1], [3], store)
            var filter = ConversationFilter(
                businesses: [Self.shop], care: .withBot, states: [.closed])
            let closed = try await store.conversations(filter, at: .start, limit: 9)
            #expect(closed.elements.map(\.id) == [conversation(2)])
            filter.care = .unassigned
            #expect(try await store.conversations(filter, at: .start, limit: 9).elements.isEmpty)
            _ = try await store.one(
                NewMessage(submission("again", to: conversation(2)), at: dawn))
            try await Self.compare([1], [2, 3], store)
        }
    }
}

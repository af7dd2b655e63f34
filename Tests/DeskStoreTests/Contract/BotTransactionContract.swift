import DeskModel
import DeskStore
import TestSupport
import Testing

/// What groups of one transaction know of bots: what the groups before them wrote of it.
@Suite struct BotTransactionContract {
    private static let shop = BotContract.shop
    private static let answering = Author.key(BotContract.key)

    private static func message(
        _ id: String, to number: UInt64, by author: Author? = nil
    ) throws -> NewMessage {
        var one = try submission(
            id, to: conversation(number), direction: author == nil ? .inbound : .outbound)
        if let author { one.facts.author = author }
        return NewMessage(one, at: dawn)
    }

    private static func controller(
        of number: UInt64, _ store: any Store
    ) async throws -> Controller? {
        try await store.findControl(of: conversation(number))?.controller
    }

    @Test(arguments: Kept.allCases)
    func `a bot has no say after a group of its transaction gave the conversation away`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            try await store.begin(conversation(2), customer: 2)
            let assigning = ChangeConversation(
                conversation(1), .assign(agent(2)), by: BotContract.owner, at: dawn)
            let results = try await store.append([
                WriteGroup(Self.message("a", to: 1)),
                WriteGroup(Self.message("b", to: 1, by: Self.answering)),
                WriteGroup(Self.message("c", to: 2), after: [.change(assigning)]),
                WriteGroup(Self.message("d", to: 1, by: Self.answering)),
                WriteGroup(Self.message("e", to: 2, by: Self.answering)),
            ])
            #expect(
                results.map { $0.map(\.isRepeat) } == [
                    .success(false), .success(false), .success(false), .failure(.notInControl),
                    .success(false),
                ])
            #expect(try await Self.controller(of: 1, store) == .agent(agent(2)))
            #expect(try await Self.controller(of: 2, store) == .bot(bot.id))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a conversation goes to people after a group of its transaction ended the bot's grant`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let bot = try await BotContract.begin(store)
            for number in 2...4 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            let maker = agent(2)
            for owner in [agent(1), maker] {
                try await store.save(
                    Agent(
                        id: owner, name: "Owner", email: "\(owner)@example.com",
                        password: "scrypt", createdAt: dawn), author: .server)
                try await store.setRole(.owner, of: owner, in: Self.shop, author: .server)
            }
            let key = KeyID(uniqueID(0xB2))
            try await store.add(
                APIKey(
                    id: key, name: "granted", secret: .sha256([2]), mode: .live,
                    businesses: [Self.shop], maker: maker, createdAt: dawn),
                author: .server)
            _ = try await BotContract.save(1, isNew: false, in: store) { $0.key = key }
            let leaving = MemberChange(
                agent: maker, business: Self.shop, role: nil, author: .server, time: dawn)
            let results = try await store.append([
                WriteGroup(Self.message("a", to: 2)),
                // Its own message is decided before the key is gone.
                WriteGroup(Self.message("b", to: 3), after: [.member(leaving)]),
                WriteGroup(Self.message("c", to: 4)),
            ])
            for result in results { #expect(!(try result.get().isRepeat)) }
            #expect(try await Self.controller(of: 2, store) == .bot(bot.id))
            #expect(try await Self.controller(of: 4, store) == nil)
        }
    }
}

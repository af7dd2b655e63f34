import DeskModel
import DeskStore
import TestSupport
import Testing

/// What every store promises of assignments.
@Suite struct AssignmentContract {
    private static let shop = business(1)

    private static func reply(_ id: String, by number: UInt64 = 1) throws -> Submission {
        var reply = try submission(id, to: conversation(1), direction: .outbound)
        reply.facts.author = .agent(agent(number))
        reply.assignsAuthor = true
        return reply
    }

    private static func changes(_ store: any Store) async throws -> [StepChange] {
        try await store.events(after: .start, in: .everything, limit: 99).events.compactMap {
            if case .conversation(let step) = $0.body { step.change } else { nil }
        }
    }

    @Test(arguments: Kept.allCases)
    func `the first answer assigns a conversation to its agent, in its own commit`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.accept(submission("a", to: conversation(1)))
            let before = store.newest
            _ = try await store.accept(Self.reply("b"))
            #expect(try await store.require(conversation(1)).assignee == agent(1))
            #expect(store.newest.value == before.value + 2)
            #expect(
                try await store.types().suffix(2) == [.conversationAssigned, .messageAccepted])
            #expect(
                try await Self.changes(store)
                    == [.assignee(from: nil, to: agent(1), by: .reply)])
            // Another's answer, and a repeat after it was given back, change nothing.
            _ = try await store.accept(Self.reply("c", by: 2))
            #expect(try await store.require(conversation(1)).assignee == agent(1))
            _ = try await store.change(conversation(1), .assign(nil))
            #expect(try await store.accept(Self.reply("c", by: 2)).isRepeat)
            #expect(try await store.require(conversation(1)).assignee == nil)
            #expect(
                try await Self.changes(store).last
                    == .assignee(from: agent(1), to: nil, by: .hand))
        }
    }

    @Test(arguments: Kept.allCases)
    func `where the business does not want it, an answer assigns nothing`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            var shop = try #require(try await store.findBusiness(Self.shop))
            #expect(shop.assignsOnReply)
            shop.assignsOnReply = false
            try await store.save(shop, author: .agent(agent(1)))
            #expect(try await store.findBusiness(Self.shop)?.assignsOnReply == false)
            _ = try await store.accept(Self.reply("a"))
            #expect(try await store.require(conversation(1)).assignee == nil)
            #expect(try await store.types().last == .messageAccepted)
        }
    }

    @Test(arguments: Kept.allCases)
    func `of many who assign a free conversation to themselves at once one gets it`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...50 as ClosedRange<UInt64> {
                    group.addTask {
                        let result = try await store.append(
                            ChangeConversation(
                                conversation(1), .assign(agent(number)),
                                by: .agent(agent(number)), at: dawn),
                            after: [.requireAssignee(nil, of: conversation(1))])
                        switch result {
                        case .success: return true
                        case .failure(let refusal):
                            #expect(refusal == .alreadyAssigned)
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
            #expect(try await Self.changes(store).count == 1)
        }
    }

    @Test(arguments: Kept.allCases)
    func `only a member is assigned, as of the commit`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            func assign() async throws -> Result<Conversation, Refusal> {
                try await store.append(
                    ChangeConversation(
                        conversation(1), .assign(agent(3)), by: .server, at: dawn),
                    after: [.requireMember(agent(3), of: Self.shop, in: .handling)])
            }
            #expect(try await assign() == .failure(.unusable))
            try await store.setRole(.agent, of: agent(3), in: Self.shop, author: .server)
            #expect(try await assign().get().assignee == agent(3))
        }
    }
}

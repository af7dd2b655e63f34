import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

func team(_ number: UInt64) -> TeamID { TeamID(uniqueID(0x1B00 + number)) }

/// What every store promises of teams.
@Suite struct TeamContract {
    private static let shop = business(1)

    @discardableResult
    private static func save(
        _ number: UInt64, _ name: String? = nil, of owner: BusinessID = shop, isNew: Bool = true,
        members: [UInt64]? = nil, isRetired: Bool? = nil, in store: any Store
    ) async throws -> Team {
        var values = SaveTeam.Values()
        values.name = name
        values.colour = isNew ? "#336699" : nil
        values.members = members.map { $0.map { agent($0) } }
        values.isRetired = isRetired
        return try await store.one(
            SaveTeam(
                team(number), of: owner, isNew: isNew, values, permitted: .handling,
                by: .agent(agent(1)), at: dawn))
    }

    private static func list(
        _ store: any Store, _ team: TeamID?, _ states: Set<ConversationState>? = [.open],
        labels: [LabelID] = [], by size: Int = 9
    ) async throws -> [UInt64] {
        var filter = ConversationFilter(businesses: [shop], states: states)
        filter.team = .some(team)
        filter.labels = labels
        var found: [Conversation] = []
        while true {
            let page = try await store.conversations(
                filter, at: PageEdge(after: found.last?.activity), limit: size)
            found += page.elements
            guard page.hasMore, found.count < 99 else {
                return found.map { $0.id.value.low - 0xC000 }
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a team is kept with all that it has, and a business's are by name`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let one = Team(
                id: team(1), business: Self.shop, name: "Night", colour: "#336699",
                members: [agent(2), agent(1)])
            let two = Team(
                id: team(2), business: Self.shop, name: "Day", colour: "#cc0000", isRetired: true)
            let foreign = Team(id: team(3), business: business(2), name: "Day", colour: "#000000")
            for team in [one, two, foreign] {
                try await store.change(
                    .contents(.saveTeam(team.id, of: team.business)), author: .server
                ) { sql throws(StoreError) in try Teams.save(team, on: sql) }
            }
            #expect(try await store.teams(of: Self.shop) == [two, one])
            #expect(try await store.teams(of: business(2)) == [foreign])
            var renamed = one
            renamed.name = "Afternoon"
            renamed.members = []
            let changed = renamed
            try await store.change(
                .contents(.saveTeam(team(1), of: Self.shop)), author: .server
            ) { sql throws(StoreError) in try Teams.save(changed, on: sql) }
            #expect(try await store.teams(of: Self.shop) == [changed, two])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a team has a name of its own and members of its business`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            try await store.begin(conversation(2), in: business(2), customer: 2)
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.setRole(.agent, of: agent(number), in: Self.shop, author: .server)
            }
            try await Self.save(1, "Night", members: [2, 1, 2], in: store)
            #expect(
                try await store.teams(of: Self.shop).first?.members == [agent(2), agent(1)])
            await #expect(throws: Refusal.nameTaken) { try await Self.save(2, "night", in: store) }
            try await Self.save(2, "night", of: business(2), in: store)
            await #expect(throws: Refusal.notFound) {
                try await Self.save(2, "stolen", isNew: false, in: store)
            }
            await #expect(throws: Refusal.unusable) {
                try await Self.save(1, isNew: false, members: [1, 3], in: store)
            }
            await #expect(throws: Refusal.unusable) {
                try await Self.save(2, of: business(2), isNew: false, members: [1], in: store)
            }
            let before = store.newest
            try await Self.save(1, "Night", isNew: false, members: [2, 1], in: store)
            #expect(store.newest == before)
            try await Self.save(1, isNew: false, members: [1], in: store)
            #expect(try await store.types().last == .teamSaved)
        }
    }

    @Test(arguments: Kept.allCases)
    func `who leaves the business leaves its teams in the same commit`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            _ = try await store.save(
                Agent(
                    id: agent(1), name: "Ada", email: "ada@example.com", password: "p",
                    createdAt: dawn), author: .server)
            try await store.setRole(.owner, of: agent(1), in: Self.shop, author: .server)
            try await store.setRole(.agent, of: agent(2), in: Self.shop, author: .server)
            try await Self.save(1, "Night", members: [2, 1], in: store)
            try await Self.save(2, "Day", members: [1], in: store)
            try await Self.save(3, "Late", members: [2], in: store)
            _ = try await store.one(
                MemberChange(
                    agent: agent(2), business: Self.shop, role: nil, author: .agent(agent(1)),
                    permitted: [.owner], handling: .handling, time: dawn))
            #expect(
                try await store.teams(of: Self.shop).map(\.members) == [[agent(1)], [], [agent(1)]])
            #expect(try await store.types().count { $0 == .teamSaved } == 5)
            await #expect(throws: Refusal.unusable) {
                try await Self.save(1, isNew: false, members: [1, 2], in: store)
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `lists and counts follow teams through every change`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            for number in 1...2 as ClosedRange<UInt64> {
                try await Self.save(number, "Team \(number)", in: store)
            }
            for number in 1...4 as ClosedRange<UInt64> {
                _ = try await store.change(conversation(number), .move(to: team(1)))
            }
            #expect(try await Self.list(store, team(1), by: 2) == [4, 3, 2, 1])
            #expect(try await Self.list(store, nil) == [5])
            #expect(try await store.countViews(of: [Self.shop]).teams == [team(1): 4])
            // A message moves a conversation up, closing removes it, another team has it, and it
            // comes back.
            _ = try await store.accept(submission("a", to: conversation(1)))
            _ = try await store.change(conversation(2), .close)
            _ = try await store.change(conversation(3), .move(to: team(2)))
            _ = try await store.change(conversation(4), .move(to: nil))
            #expect(try await Self.list(store, team(1)) == [1])
            #expect(try await Self.list(store, team(1), nil) == [2, 1])
            #expect(try await Self.list(store, team(1), [.closed]) == [2])
            #expect(try await Self.list(store, team(2)) == [3])
            #expect(try await Self.list(store, nil) == [4, 5])
            #expect(
                try await store.countViews(of: [Self.shop]).teams == [team(1): 1, team(2): 1])
            _ = try await store.accept(submission("a", to: conversation(2)))
            #expect(
                try await store.countViews(of: [Self.shop]).teams == [team(1): 2, team(2): 1])
            // Of those who wait too.
            for (wanted, ids) in [
                (team(1), [conversation(1), conversation(2)]), (team(2), []), (nil, []),
            ] {
                var filter = ConversationFilter(businesses: [Self.shop])
                filter.team = .some(wanted)
                let waiting = try await store.waitingConversations(filter, at: .start, limit: 9)
                #expect(Set(waiting.elements.map(\.id)) == Set(ids))
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a retired team keeps what it has and is given nothing`(_ kept: Kept) async throws {
        try await kept.with { store in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
            }
            try await Self.save(1, "Night", in: store)
            _ = try await store.change(conversation(1), .move(to: team(1)))
            try await Self.save(1, isNew: false, isRetired: true, in: store)
            #expect(try await store.change(conversation(1), .move(to: team(1))).team == team(1))
            for wrong in [1, 9] as [UInt64] {
                await #expect(throws: Refusal.unusable) {
                    try await store.change(conversation(2), .move(to: team(wrong)))
                }
            }
            _ = try await store.change(conversation(1), .move(to: nil))
            let changes = try await store.events(
                after: .start, in: .everything, limit: 99
            ).events.compactMap { event -> StepChange? in
                if case .conversation(let step) = event.body { step.change } else { nil }
            }
            #expect(
                changes == [.team(from: nil, to: team(1)), .team(from: team(1), to: nil)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `of many who give a conversation without a team to one, one wins`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await store.begin(conversation(1))
            for number in 1...20 as ClosedRange<UInt64> {
                try await Self.save(number, "Team \(number)", in: store)
            }
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask {
                        let result = try await store.append(
                            ChangeConversation(
                                conversation(1), .move(to: team(number)),
                                by: .agent(agent(number)), at: dawn),
                            after: [.requireTeam(nil, of: conversation(1))])
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
        }
    }
}

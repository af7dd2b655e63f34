import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

/// What every store promises of assigning by itself.
@Suite struct AssigningContract {
    private static let shop = business(1)

    /// Opens conversations whose customers wait, in a business with some members.
    private static func begin(
        _ rule: AssignmentRule, members: UInt64 = 3, conversations: UInt64,
        capacities: [AgentID: Int] = [:], in store: any Store
    ) async throws {
        for number in 1...conversations {
            try await store.begin(conversation(number), customer: number)
            _ = try await store.accept(submission("m\(number)", to: conversation(number)))
        }
        for number in 1...members {
            try await store.setRole(.agent, of: agent(number), in: shop, author: .server)
        }
        try await save(rule, capacities: capacities, in: store)
    }

    private static func save(
        _ rule: AssignmentRule?, for team: TeamID? = nil, capacities: [AgentID: Int] = [:],
        in store: any Store
    ) async throws {
        try await store.one(
            SaveAssignment(
                of: shop, for: team,
                rule.map { StoredAssignment(of: shop, for: team, $0, capacities: capacities) },
                event: Array("{}".utf8), permitted: .handling, by: .agent(agent(1)), at: dawn))
    }

    private static func assign(
        _ number: UInt64, to online: [UInt64] = [1, 2, 3], after wait: Duration = .zero,
        in store: any Store
    ) async throws -> AssignmentOutcome {
        try await store.one(
            AssignAutomatically(
                conversation(number), to: online.map { agent($0) }, permitted: [.agent],
                at: dawn.advanced(by: wait)))
    }

    private static func reply(_ id: String, to number: UInt64, by author: UInt64) throws
        -> Submission
    {
        var reply = try submission(id, to: conversation(number), direction: .outbound)
        reply.facts.author = .agent(agent(author))
        return reply
    }

    private static func causes(_ store: any Store) async throws -> [AssignmentCause] {
        var causes: [AssignmentCause] = []
        var place = Position.start
        while true {
            let page = try await store.events(after: place, in: .everything, limit: 300)
            causes += page.events.compactMap {
                guard case .conversation(let step) = $0.body,
                    case .assignee(_, _, let cause)? = step.change
                else { return nil }
                return cause
            }
            guard page.end > place else { return causes }
            place = page.end
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business and each of its teams have rules of their own`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func put(_ rule: StoredAssignment?, _ owner: BusinessID, _ team: TeamID?) async throws {
                try await store.change(
                    .contents(.saveAssignment(of: owner, for: team)), author: .server
                ) { sql throws(StoreError) in
                    try AssignmentRows.put(rule, of: owner, for: team, on: sql)
                }
            }
            let own = StoredAssignment(
                of: Self.shop,
                AssignmentRule(.leastBusy, isSticky: true, capacity: 7, giveBackMinutes: 9),
                capacities: [agent(1): 3, agent(2): 1_000])
            let ofTeam = StoredAssignment(
                of: Self.shop, for: team(1), AssignmentRule(.roundRobin, capacity: 1))
            let foreign = StoredAssignment(of: business(2), AssignmentRule())
            try await put(ofTeam, Self.shop, team(1))
            try await put(own, Self.shop, nil)
            try await put(foreign, business(2), nil)
            #expect(try await store.assignment(of: Self.shop) == [own, ofTeam])
            #expect(try await store.assignment(of: business(2)) == [foreign])
            try await put(nil, Self.shop, team(1))
            #expect(try await store.assignment(of: Self.shop) == [own])
            try await store.change(
                .contents(.saveAssignment(of: Self.shop, for: nil)), author: .server
            ) { sql throws(StoreError) in
                try AssignmentRows.putTurn(agent(1), of: Self.shop, 4, on: sql)
                try AssignmentRows.putTurn(agent(1), of: Self.shop, 7, on: sql)
                try AssignmentRows.putTurn(agent(2), of: Self.shop, 5, on: sql)
                #expect(
                    try AssignmentRows.turns(of: Self.shop, on: sql)
                        == [agent(1): 7, agent(2): 5])
                #expect(try AssignmentRows.turns(of: business(2), on: sql) == [:])
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `a rule is saved with an event, and only for members and teams of the business`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(AssignmentRule(.roundRobin), conversations: 1, in: store)
            #expect(try await store.types().last == .assignmentSaved)
            await #expect(throws: Refusal.unusable) {
                try await Self.save(AssignmentRule(), capacities: [agent(9): 1], in: store)
            }
            await #expect(throws: Refusal.notFound) {
                try await Self.save(AssignmentRule(), for: team(9), in: store)
            }
            #expect(
                try await store.assignment(of: Self.shop).map(\.rule)
                    == [AssignmentRule(.roundRobin)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `round robin gives each in turn, and passes over those without room`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(
                AssignmentRule(.roundRobin, capacity: 3), conversations: 9,
                capacities: [agent(2): 1], in: store)
            var got: [AssignmentOutcome] = []
            for number in 1...8 as ClosedRange<UInt64> {
                got.append(try await Self.assign(number, in: store))
            }
            let order: [UInt64] = [1, 2, 3, 1, 3, 1, 3]
            #expect(got == order.map { .assigned(agent($0)) } + [.full])
            #expect(try await Self.causes(store).allSatisfy { $0 == .roundRobin })
            #expect(try await Self.assign(1, in: store) == .notDue)
            // One who is not there gets nothing, and one closed conversation is room for another.
            _ = try await store.change(conversation(1), .close)
            #expect(try await Self.assign(8, to: [2, 3], in: store) == .full)
            #expect(try await Self.assign(8, in: store) == .assigned(agent(1)))
        }
    }

    @Test(arguments: Kept.allCases)
    func `least busy gives to the one who has the fewest open conversations`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(AssignmentRule(.leastBusy), conversations: 8, in: store)
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await store.change(conversation(number), .assign(agent(1)))
            }
            _ = try await store.change(conversation(4), .assign(agent(2)))
            var got: [AssignmentOutcome] = []
            for number in 5...8 as ClosedRange<UInt64> {
                got.append(try await Self.assign(number, in: store))
            }
            #expect(got == [3, 2, 3, 2].map { .assigned(agent($0)) })
            #expect(try await Self.causes(store).last == .leastBusy)
        }
    }

    @Test(arguments: Kept.allCases)
    func `sticky gives to who answered last, and to the next when that one has no room`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(
                AssignmentRule(.roundRobin, isSticky: true), conversations: 2,
                capacities: [agent(3): 1], in: store)
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.accept(Self.reply("r\(number)", to: number, by: 3))
                _ = try await store.accept(submission("n\(number)", to: conversation(number)))
            }
            #expect(try await Self.assign(1, in: store) == .assigned(agent(3)))
            #expect(try await Self.assign(2, in: store) == .assigned(agent(1)))
            #expect(try await Self.causes(store) == [.sticky, .roundRobin])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a team's conversation goes to its members by its own rule`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(AssignmentRule(), conversations: 3, in: store)
            var values = SaveTeam.Values()
            values.name = "Night"
            values.colour = "#336699"
            values.members = [agent(2)]
            _ = try await store.one(
                SaveTeam(
                    team(1), of: Self.shop, isNew: true, values, permitted: .handling,
                    by: .agent(agent(1)), at: dawn))
            _ = try await store.change(conversation(1), .move(to: team(1)))
            #expect(try await Self.assign(1, in: store) == .notDue)
            try await Self.save(AssignmentRule(.roundRobin), for: team(1), in: store)
            #expect(try await Self.assign(1, to: [1, 3], in: store) == .full)
            #expect(try await Self.assign(1, in: store) == .assigned(agent(2)))
            #expect(try await Self.assign(2, in: store) == .notDue)
        }
    }

    @Test(arguments: Kept.allCases)
    func `only one who waits is assigned, and only to a member who may answer`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(AssignmentRule(.roundRobin), conversations: 3, in: store)
            #expect(try await Self.assign(1, to: [7], in: store) == .full)
            let outcome = try await store.one(
                AssignAutomatically(
                    conversation(1), to: [agent(1)], permitted: [.owner], at: dawn))
            #expect(outcome == .full)
            _ = try await store.accept(Self.reply("r", to: 1, by: 1))
            #expect(try await Self.assign(1, in: store) == .notDue)
            _ = try await store.change(conversation(2), .close)
            #expect(try await Self.assign(2, in: store) == .notDue)
            _ = try await store.change(conversation(3), .snooze(until: nil))
            #expect(try await Self.assign(3, in: store) == .notDue)
            await #expect(throws: Refusal.notFound) { try await Self.assign(9, in: store) }
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is not answered in time goes back, and not to the same agent at once`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(
                AssignmentRule(.roundRobin, giveBackMinutes: 5), conversations: 1, in: store)
            #expect(try await Self.assign(1, to: [1], in: store) == .assigned(agent(1)))
            let work = try #require(try await store.dueWork(.giveBack, in: conversation(1)).first)
            #expect(work.dueAt == dawn.advanced(by: .seconds(300)))
            try await store.one(
                GiveBack(conversation(1), of: agent(1), waitingSince: dawn, at: work.dueAt))
            #expect(try await store.require(conversation(1)).assignee == nil)
            #expect(try await Self.causes(store) == [.roundRobin, .givenBack])
            #expect(
                try await Self.assign(1, to: [1], after: .seconds(599), in: store) == .reserved)
            #expect(
                try await Self.assign(1, to: [1, 2], after: .seconds(599), in: store)
                    == .assigned(agent(2)))
            // By then for one who has answered nothing goes back.
            await #expect(throws: Refusal.preconditionFailed) {
                try await store.one(
                    GiveBack(conversation(1), of: agent(1), waitingSince: dawn, at: dawn))
            }
            _ = try await store.accept(Self.reply("r", to: 1, by: 2))
            await #expect(throws: Refusal.preconditionFailed) {
                try await store.one(
                    GiveBack(conversation(1), of: agent(2), waitingSince: dawn, at: dawn))
            }
            // What a person removes from an agent is not given to that one by itself.
            _ = try await store.accept(submission("n", to: conversation(1)))
            _ = try await store.change(conversation(1), .assign(nil))
            #expect(
                try await Self.assign(1, to: [2], after: .seconds(99_999), in: store) == .reserved)
            #expect(try await Self.assign(1, to: [1, 2], in: store) == .assigned(agent(1)))
        }
    }

    @Test(arguments: Kept.allCases)
    func `the last free place has one winner, however many assign at once`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let most: UInt64 = kept == .inMemory ? 400 : 60
            try await Self.begin(
                AssignmentRule(.leastBusy, capacity: 5), conversations: most, in: store)
            // Agents assign some by hand at the same moment, and several assign the same.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...most {
                    for _ in 1...5 {
                        group.addTask { _ = try await Self.assign(number, in: store) }
                    }
                    if number.isMultiple(of: 50) {
                        group.addTask {
                            _ = try await store.append(
                                ChangeConversation(
                                    conversation(number), .assign(agent(1)), by: .agent(agent(1)),
                                    at: dawn),
                                after: [.requireAssignee(nil, of: conversation(number))])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = try await store.countViews(of: [Self.shop]).assignees
            let byHand = try await Self.causes(store).count { $0 == .hand }
            #expect(counts[agent(2)] == 5)
            #expect(counts[agent(3)] == 5)
            #expect((5...(5 + byHand)).contains(counts[agent(1), default: 0]))
            #expect(try await Self.causes(store).count { $0 != .hand } <= 15)
        }
    }

    @Test(arguments: Kept.allCases)
    func `of those who race for one place thousands of times one gets it each time`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(
                AssignmentRule(.roundRobin, capacity: 1), members: 1, conversations: 4, in: store)
            for _ in 1...(kept == .inMemory ? 600 : 60) {
                let got = try await withThrowingTaskGroup(of: AssignmentOutcome.self) { group in
                    for number in 1...4 as ClosedRange<UInt64> {
                        group.addTask { try await Self.assign(number, to: [1], in: store) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(got.count { $0 == .assigned(agent(1)) } == 1)
                for number in 1...4 as ClosedRange<UInt64> {
                    guard try await store.require(conversation(number)).assignee != nil else {
                        continue
                    }
                    // Away and back: another had it in between, so it may come to the same again.
                    _ = try await store.change(conversation(number), .assign(agent(9)))
                    _ = try await store.change(conversation(number), .assign(nil))
                }
            }
        }
    }
}

import DeskModel
import DeskStore
import Testing

/// What every store promises of members whose role handles no conversations: none is given to them, and who
/// gets such a role gives back what was.
@Suite struct ReadingRoleContract {
    private static let shop = business(1)
    private static let reader = agent(3)
    private static let owner = Author.agent(agent(1))

    /// A business of an owner, a supervisor, an auditor, and agent 4.
    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        let roles: [Role] = [.owner, .supervisor, .auditor, .agent]
        for (place, role) in roles.enumerated() {
            let id = agent(UInt64(place + 1))
            try await store.save(
                Agent(
                    id: id, name: "N\(place)", email: "a\(place)@example.com", password: "scrypt",
                    createdAt: dawn), author: .server)
            try await store.setRole(role, of: id, in: shop, author: .server)
        }
    }

    private static func change(_ id: AgentID, to role: Role, in store: any Store) async throws {
        _ = try await store.one(
            MemberChange(agent: id, business: shop, role: role, author: owner, time: dawn))
    }

    private static func saveTeam(
        _ number: UInt64, isNew: Bool = true, of members: [AgentID], in store: any Store
    ) async throws {
        var values = SaveTeam.Values()
        values.name = "Team \(number)"
        values.colour = "#336699"
        values.members = members
        _ = try await store.one(
            SaveTeam(
                team(number), of: shop, isNew: isNew, values, permitted: .handling, by: owner,
                at: dawn))
    }

    @Test(arguments: Kept.allCases)
    func `work is given only to members whose role handles conversations`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            func give(_ to: AgentID, _ number: UInt64) async throws -> [Refusal?] {
                func refusal<Answer>(_ result: Result<Answer, Refusal>) -> Refusal? {
                    if case .failure(let refusal) = result { refusal } else { nil }
                }
                var values = SaveTeam.Values()
                values.name = "Team \(number)"
                values.colour = "#336699"
                values.members = [to]
                let rule = StoredAssignment(
                    of: Self.shop, AssignmentRule(.roundRobin), capacities: [to: 3])
                return [
                    refusal(
                        try await store.append(
                            ChangeConversation(
                                conversation(1), .assign(to), by: Self.owner, at: dawn),
                            after: [.requireMember(to, of: Self.shop, in: .handling)])),
                    refusal(
                        try await store.append(
                            SaveTeam(
                                team(number), of: Self.shop, isNew: true, values,
                                permitted: .handling, by: Self.owner, at: dawn))),
                    refusal(
                        try await store.append(
                            SaveAssignment(
                                of: Self.shop, for: nil, rule, event: Array("{}".utf8),
                                permitted: .handling, by: Self.owner, at: dawn))),
                    refusal(
                        try await store.append(
                            AddNote(
                                NoteID(uniqueID(number)), to: conversation(1), text: "@you",
                                mentions: Mentioned([to], permitted: .handling), by: Self.owner,
                                at: dawn))),
                ]
            }
            let before = store.newest
            #expect(
                try await give(Self.reader, 3) == Array(repeating: .some(.unusable), count: 4))
            #expect(store.newest == before)
            #expect(try await give(agent(2), 2) == [nil, nil, nil, nil])
            #expect(try await store.require(conversation(1)).assignee == agent(2))
        }
    }

    @Test(arguments: Kept.allCases)
    func `who gets a role that handles none gives conversations back and leaves the teams`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .assign(agent(4)))
            try await Self.saveTeam(1, of: [agent(4), agent(2)], in: store)
            try await Self.change(agent(4), to: .supervisor, in: store)
            #expect(try await store.require(conversation(1)).assignee == agent(4))
            #expect(try await store.teams(of: Self.shop).map(\.members) == [[agent(4), agent(2)]])
            let before = store.newest
            try await Self.change(agent(4), to: .auditor, in: store)
            #expect(try await store.require(conversation(1)).assignee == nil)
            #expect(try await store.teams(of: Self.shop).map(\.members) == [[agent(2)]])
            let types = try await store.events(after: before, in: .everything, limit: 9).events
                .map(\.type)
            #expect(types == [.teamSaved, .conversationAssigned])
            let roles = try await store.memberships(of: agent(4)).map(\.role)
            #expect(roles == [.auditor])
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is assigned to a member whose role handles none is found`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .assign(Self.reader))
            #expect(try await store.abandoned(handling: .handling) == [conversation(1)])
            #expect(try await store.abandoned(handling: [.auditor]).isEmpty)
            #expect(try await store.abandoned(handling: []) == [conversation(1)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `who only reads is given nothing by itself, also where the page says that they are there`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.accept(submission("m", to: conversation(1)))
            try await store.one(
                SaveAssignment(
                    of: Self.shop, for: nil,
                    StoredAssignment(of: Self.shop, AssignmentRule(.roundRobin)),
                    event: Array("{}".utf8), permitted: .handling, by: Self.owner, at: dawn))
            func assign(_ online: [AgentID]) async throws -> AssignmentOutcome {
                try await store.one(
                    AssignAutomatically(
                        conversation(1), to: online, permitted: .handling, at: dawn))
            }
            #expect(try await assign([Self.reader]) == .full)
            #expect(try await assign([Self.reader, agent(2)]) == .assigned(agent(2)))
        }
    }
}

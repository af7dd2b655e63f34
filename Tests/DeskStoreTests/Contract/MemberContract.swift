import DeskModel
import DeskStore
import Testing

/// What every store promises of members: one owner stays, and what a member held goes with the role.
@Suite struct MemberContract {
    private static let people = [agent(1), agent(2), agent(3)]

    /// A business of agents 1 and 2, owners who can sign in, and agent 3, who answers.
    private static func begin(_ store: any Store) async throws {
        try await store.begin(conversation(1))
        for (number, id) in people.enumerated() {
            try await store.save(
                Agent(
                    id: id, name: "N\(number)", email: "a\(number)@example.com", password: "scrypt",
                    createdAt: dawn), author: .server)
            try await store.setRole(
                number < 2 ? .owner : .agent, of: id, in: business(1), author: .server)
        }
    }

    private static func change(
        _ store: any Store, _ agent: AgentID, to role: Role?, by author: AgentID
    ) async throws -> Result<[KeyID], Refusal> {
        try await store.append(
            MemberChange(
                agent: agent, business: business(1), role: role, author: .agent(author),
                time: dawn))
    }

    private static func owners(_ store: any Store) async throws -> Int {
        var owners = 0
        for id in people {
            let parts = try await store.memberships(of: id)
            owners += parts.count { $0.business == business(1) && $0.role == .owner }
        }
        return owners
    }

    @Test(arguments: Kept.allCases, [Role?.none, .agent])
    func `two owners who remove or demote each other at once leave exactly one`(
        _ kept: Kept, role: Role?
    ) async throws {
        for _ in 0..<20 {
            try await kept.with { store in
                try await Self.begin(store)
                let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for (one, other) in [(0, 1), (1, 0)] {
                        group.addTask {
                            let result = try await Self.change(
                                store, Self.people[one], to: role, by: Self.people[other])
                            return result == .failure(.lastOwner)
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(refused == 1)
                #expect(try await Self.owners(store) == 1)
            }
        }
    }

    @Test(arguments: Kept.allCases)
    func `an owner who cannot sign in does not count`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.save(
                Agent(
                    id: agent(2), name: "", email: "b@example.com", password: nil, createdAt: dawn),
                author: .server)
            let alone = try await Self.change(store, agent(1), to: nil, by: agent(1))
            #expect(alone == .failure(.lastOwner))
            #expect(try await Self.owners(store) == 2)
            let outsider = try await Self.change(store, agent(9), to: .agent, by: agent(1))
            #expect(outsider == .failure(.notFound))
        }
    }

    @Test(arguments: Kept.allCases)
    func `a removed member's conversations are given back in the same commit, with their events`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            for number in 2...4 as ClosedRange<UInt64> {
                try await store.begin(conversation(number), customer: number)
                _ = try await store.change(conversation(number), .assign(agent(3)))
            }
            _ = try await store.change(conversation(4), .close)
            _ = try await store.change(conversation(1), .assign(agent(1)))
            try await store.begin(conversation(9), in: business(2), customer: 9)
            try await store.setRole(.agent, of: agent(3), in: business(2), author: .server)
            _ = try await store.change(conversation(9), .assign(agent(3)))
            let before = store.newest
            let removed = try await Self.change(store, agent(3), to: nil, by: agent(1))
            #expect(removed == .success([]))
            let received = try await store.events(after: before, in: .everything, limit: 300).events
            #expect(received.map(\.type) == Array(repeating: .conversationAssigned, count: 3))
            for event in received {
                guard case .conversation(let step) = event.body else { continue }
                #expect(step.assignee == nil && step.author == .agent(agent(1)))
            }
            for number in 2...4 as ClosedRange<UInt64> {
                #expect(try await store.require(conversation(number)).assignee == nil)
            }
            #expect(try await store.require(conversation(4)).state == .closed)
            #expect(try await store.require(conversation(1)).assignee == agent(1))
            #expect(try await store.require(conversation(9)).assignee == agent(3))
            #expect(try await store.abandoned(handling: .handling).isEmpty)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what is assigned to a person who is no member is found`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            _ = try await store.change(conversation(1), .assign(agent(8)))
            #expect(try await store.abandoned(handling: .handling) == [conversation(1)])
            _ = try await store.change(conversation(1), .assign(agent(3)))
            #expect(try await store.abandoned(handling: .handling).isEmpty)
        }
    }

    /// A role that no table of the product has.
    private static func lead() throws -> Role { try #require(Role("lead")) }

    @Test(arguments: Kept.allCases)
    func `a change asks whether its author's role permits it when it is committed`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            let lead = try Self.lead()
            func change(_ of: UInt64, to role: Role?, by author: UInt64) async throws -> Refusal? {
                let result = try await store.append(
                    MemberChange(
                        agent: agent(of), business: business(1), role: role,
                        author: .agent(agent(author)), permitted: [.owner, lead],
                        handling: .handling.union([lead]), time: dawn))
                return if case .failure(let refusal) = result { refusal } else { nil }
            }
            #expect(try await change(2, to: .agent, by: 3) == .notPermitted)
            #expect(try await change(2, to: .agent, by: 9) == .notPermitted)
            #expect(try await change(3, to: lead, by: 1) == nil)
            // Permitted, and only an owner makes, changes or removes one.
            #expect(try await change(3, to: .owner, by: 3) == .onlyOwners)
            #expect(try await change(2, to: .agent, by: 3) == .onlyOwners)
            #expect(try await change(2, to: nil, by: 3) == .onlyOwners)
            #expect(try await Self.owners(store) == 2)
            #expect(try await change(2, to: .agent, by: 1) == nil)
            #expect(try await change(2, to: nil, by: 3) == nil)
            // The role is lost, and with it the permission.
            #expect(try await change(3, to: .agent, by: 3) == nil)
            #expect(try await change(3, to: lead, by: 3) == .notPermitted)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a key makes no owner and changes none, and removes all but the last`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            func change(_ of: UInt64, to role: Role?) async throws -> Refusal? {
                let result = try await store.append(
                    MemberChange(
                        agent: agent(of), business: business(1), role: role,
                        author: .key(KeyID(uniqueID(7))), permitted: [], handling: .handling,
                        time: dawn))
                return if case .failure(let refusal) = result { refusal } else { nil }
            }
            #expect(try await change(3, to: .owner) == .onlyOwners)
            #expect(try await change(2, to: .agent) == .onlyOwners)
            #expect(try await change(3, to: .supervisor) == nil)
            #expect(try await Self.owners(store) == 2)
            #expect(try await change(2, to: nil) == nil)
            #expect(try await change(1, to: nil) == .lastOwner)
            #expect(try await Self.owners(store) == 1)
        }
    }

    private static func key(_ number: UInt64, maker: AgentID?) -> APIKey {
        APIKey(
            id: KeyID(uniqueID(0xB000 + number)), name: "k\(number)",
            secret: .sha256([UInt8(number)]), mode: .live,
            businesses: [business(1), business(2)], maker: maker, createdAt: dawn)
    }

    @Test(arguments: Kept.allCases, [Role?.none, .agent])
    func `a grant ends with its maker's ownership of that business, and there alone`(
        _ kept: Kept, role: Role?
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.begin(conversation(9), in: business(2), customer: 9)
            try await store.setRole(.owner, of: agent(1), in: business(2), author: .server)
            let (own, others) = (Self.key(1, maker: agent(1)), Self.key(2, maker: nil))
            try await store.add(own, author: .server)
            try await store.add(others, author: .server)
            // Looked up before, so that what is remembered of them has to be forgotten.
            #expect(try await store.findKey(own.id) == own)
            #expect(try await store.memberships(of: agent(1)).count == 2)
            let result = try await Self.change(store, agent(1), to: role, by: agent(2))
            #expect(result == .success([own.id]))
            let left = try #require(try await store.findKey(own.id))
            #expect(left.businesses == [business(2)])
            #expect(left.grants.first?.maker == agent(1))
            #expect(try await store.findKey(others.id)?.businesses.count == 2)
            #expect(
                try await store.memberships(of: agent(1)).first { $0.business == business(1) }?.role
                    == role)
        }
    }

    @Test(arguments: Kept.allCases)
    func `a grant that another owner confirmed stays, and any can be ended`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.setRole(.owner, of: agent(1), in: business(2), author: .server)
            let key = Self.key(1, maker: agent(1))
            try await store.add(key, author: .server)
            let later = dawn.advanced(by: .seconds(9))
            func confirm(_ id: AgentID, _ place: BusinessID) async throws -> Bool {
                try await store.confirmGrant(of: key.id, for: place, by: id, at: later)
            }
            #expect(try await !confirm(agent(3), business(1)))
            #expect(try await !confirm(agent(2), business(2)))
            #expect(try await confirm(agent(2), business(1)))
            #expect(try await store.findKey(key.id)?.grants.last?.grantedAt == dawn)
            _ = try await Self.change(store, agent(1), to: nil, by: agent(2))
            let kept = try #require(try await store.findKey(key.id))
            #expect(
                kept.grants.first { $0.business == business(1) }
                    == KeyGrant(business: business(1), maker: agent(2), grantedAt: later))
            #expect(try await store.removeGrant(of: key.id, for: business(1), author: .server))
            #expect(try await !store.removeGrant(of: key.id, for: business(1), author: .server))
            #expect(try await store.findKey(key.id)?.businesses == [business(2)])
            #expect(try await store.keys().first?.businesses == [business(2)])
        }
    }

    @Test(arguments: Kept.allCases)
    func `who owns a business no more leaves no invitation behind`(_ kept: Kept) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.add(InvitationContract.invitation(1, by: agent(1)))
            try await store.add(InvitationContract.invitation(2, to: "o@example.com", by: agent(2)))
            _ = try await Self.change(store, agent(1), to: .agent, by: agent(2))
            #expect(try await store.findInvitation(.sha256([1])) == nil)
            #expect(try await store.findInvitation(.sha256([2])) != nil)
        }
    }
}

import DeskModel
import DeskSQL
import DeskStore
import Testing

/// What every engine promises of invitations.
@Suite struct InvitationContract {
    /// A business of agents 1 and 2, owners who can sign in, and agent 3, who answers.
    static func begin(_ store: any SQLRegistries) async throws {
        try await store.begin()
        for number in 1...3 as ClosedRange<UInt64> {
            try await store.save(
                Agent(
                    id: agent(number), name: "N\(number)", email: "a\(number)@example.com",
                    password: "scrypt", createdAt: dawn), author: .server)
            try await store.setRole(
                number < 3 ? .owner : .agent, of: agent(number), in: business(1), author: .server)
        }
    }

    static func invitation(
        _ number: UInt8, to email: String = "new@example.com", role: Role = .agent,
        by maker: AgentID = agent(1)
    ) -> Invitation {
        Invitation(
            id: InvitationID(uniqueID(0xD000 + UInt64(number))), business: business(1),
            email: email, role: role, token: .sha256([number]), maker: maker, createdAt: dawn,
            expiresAt: dawn.advanced(by: .seconds(60)))
    }

    private static func person(_ number: UInt64, password: String? = "scrypt") -> Agent {
        Agent(
            id: agent(number), name: "New", email: "new@example.com", password: password,
            createdAt: dawn)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an invitation makes a member when it is accepted, once, and not before`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            let invitation = Self.invitation(1, role: .owner)
            try await store.add(invitation)
            #expect(try await store.findInvitation(.sha256([1])) == invitation)
            #expect(try await store.agents(of: business(1)).count == 3)
            #expect(try await store.agents(email: "new@example.com").isEmpty)
            func accept(_ id: UInt64, at time: Timestamp = dawn) async throws -> JoinOutcome {
                try await store.accept(
                    .sha256([1]), by: .new(Self.person(id), beside: []), at: time)
            }
            #expect(try await accept(5, at: invitation.expiresAt) == .gone)
            #expect(try await accept(5) == .joined(agent(5)))
            #expect(try await accept(6) == .gone)
            #expect(try await store.memberships(of: agent(5)).map(\.role) == [.owner])
            #expect(try await store.agents(email: "new@example.com").map(\.id) == [agent(5)])
            #expect(try await store.invitations(of: business(1)).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a second invitation of an address replaces the first; those of the past are forgotten`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.add(Self.invitation(1))
            try await store.add(Self.invitation(2, to: "other@example.com"))
            try await store.add(Self.invitation(3, role: .owner))
            #expect(try await store.findInvitation(.sha256([1])) == nil)
            let open = try await store.invitations(of: business(1))
            #expect(open.map(\.token) == [.sha256([2]), .sha256([3])])
            #expect(try await store.removeInvitation(open[0].id, of: business(1), author: .server))
            #expect(try await !store.removeInvitation(open[0].id, of: business(1), author: .server))
            #expect(try await !store.removeInvitation(open[1].id, of: business(2), author: .server))
            try await store.pruneInvitations(before: dawn)
            #expect(try await store.invitations(of: business(1)).count == 1)
            try await store.pruneInvitations(before: dawn.advanced(by: .seconds(61)))
            #expect(try await store.invitations(of: business(1)).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func
        `accounts of an address are distinguished, and none that the caller did not know is passed over`(
            _ kept: KeptRegistries
        ) async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            try await store.save(Self.person(5), author: .server)
            try await store.add(Self.invitation(1))
            func accept(_ joining: Joining) async throws -> JoinOutcome {
                try await store.accept(.sha256([1]), by: joining, at: dawn)
            }
            #expect(try await accept(.new(Self.person(6), beside: [])) == .changed)
            #expect(try await accept(.known(agent(6))) == .changed)
            #expect(try await accept(.known(agent(1))) == .changed)
            #expect(try await store.agents(of: business(1)).count == 3)
            #expect(
                try await accept(.new(Self.person(6), beside: [agent(5)])) == .joined(agent(6)))
            #expect(
                try await store.agents(email: "new@example.com").map(\.id) == [agent(5), agent(6)])
            #expect(try await store.memberships(of: agent(5)).isEmpty)
            try await store.add(Self.invitation(2))
            #expect(
                try await store.accept(.sha256([2]), by: .known(agent(5)), at: dawn)
                    == .joined(agent(5)))
            #expect(try await store.memberships(of: agent(5)).map(\.role) == [.agent])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a new account replaces a member without a password of this business alone`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await Self.begin(store)
            // As after an import: one is a member here, the other elsewhere too.
            try await store.save(Self.person(5, password: nil), author: .server)
            try await store.setRole(.agent, of: agent(5), in: business(1), author: .server)
            try await store.setRole(.agent, of: agent(5), in: business(2), author: .server)
            try await store.save(Self.person(6, password: nil), author: .server)
            try await store.setRole(.agent, of: agent(6), in: business(1), author: .server)
            try await store.add(Self.invitation(1, role: .owner))
            #expect(try await store.findAgent(agent(6))?.password == nil)
            #expect(try await store.memberships(of: agent(6)).map(\.role) == [.agent])
            let outcome = try await store.accept(
                .sha256([1]), by: .new(Self.person(7), beside: []), at: dawn)
            #expect(outcome == .joined(agent(6)))
            #expect(try await store.findAgent(agent(6))?.password == "scrypt")
            #expect(try await store.findAgent(agent(5))?.password == nil)
            #expect(try await store.findAgent(agent(7)) == nil)
            #expect(try await store.memberships(of: agent(6)).map(\.role) == [.owner])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `no member makes an invitation for what is not theirs`(_ kept: KeptRegistries) async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            await #expect(throws: StoreError.self) {
                try await store.add(Self.invitation(1, by: agent(3)))
            }
            #expect(try await store.invitations(of: business(1)).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a role that permits it invites every role but owner`(_ kept: KeptRegistries) async throws
    {
        try await kept.with { store in
            try await Self.begin(store)
            let lead = try #require(Role("lead"))
            try await store.setRole(lead, of: agent(3), in: business(1), author: .server)
            #expect(try await store.memberships(of: agent(3)).map(\.role) == [lead])
            try await store.add(
                Self.invitation(1, role: lead, by: agent(3)), permitted: [.owner, lead])
            await #expect(throws: StoreError(.refused, "only an owner invites an owner")) {
                try await store.add(
                    Self.invitation(2, role: .owner, by: agent(3)), permitted: [.owner, lead])
            }
            await #expect(throws: StoreError(.refused, "the agent's role does not permit it")) {
                try await store.add(Self.invitation(2, by: agent(3)), permitted: [.owner])
            }
            #expect(try await store.invitations(of: business(1)).map(\.role) == [lead])
        }
    }
}

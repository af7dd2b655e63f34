import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every engine promises of the people and teams that an identity provider keeps.
@Suite struct ProvisioningContract {
    static func person(
        _ number: UInt64, named name: String? = nil, of owner: UInt64 = 1, role: Role = .agent
    ) -> ProvisionedPerson {
        ProvisionedPerson(
            agent: agent(number), business: business(owner),
            userName: name ?? "N\(number)@Example.com", externalID: "x\(number)",
            givenName: "G\(number)", role: role, createdAt: dawn, changedAt: dawn)
    }

    static func new(
        _ number: UInt64, named name: String? = nil, of owner: UInt64 = 1, at email: String? = nil,
        password: String? = "unknown", isActive: Bool = true, role: Role = .agent
    ) -> NewlyProvisioned {
        NewlyProvisioned(
            person(number, named: name, of: owner, role: role), name: "P\(number)",
            email: email ?? "n\(number)@example.com", password: password, isActive: isActive)
    }

    static func team(_ number: UInt64) -> ProvisionedTeam {
        ProvisionedTeam(
            team: TeamID(uniqueID(number)), business: business(1), externalID: "t\(number)",
            createdAt: dawn, changedAt: dawn)
    }

    private static let me = Author.key(KeyID(uniqueID(7)))

    private static func account(
        _ number: UInt64, at email: String, password: String? = "own", in store: any SQLRegistries
    ) async throws {
        try await store.save(
            Agent(
                id: agent(number), name: "A\(number)", email: email, password: password,
                createdAt: dawn), author: .server)
    }

    private static func role(
        of number: UInt64, in owner: UInt64 = 1, _ store: any SQLRegistries
    ) async throws -> Role? {
        try await store.memberships(of: agent(number)).first { $0.business == business(owner) }?
            .role
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a new person gets an account and is a member, unless not active`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            let first = try await store.provision(Self.new(1, role: .supervisor), author: Self.me)
            #expect(first == .added(agent(1)))
            let second = try await store.provision(Self.new(2, isActive: false), author: Self.me)
            #expect(second == .added(agent(2)))
            #expect(try await Self.role(of: 1, store) == .supervisor)
            #expect(try await Self.role(of: 2, store) == nil)
            let account = try await store.findAgent(agent(1))
            #expect(account?.name == "P1" && account?.email == "n1@example.com")
            #expect(account?.password == "unknown")
            #expect(
                try await store.provisionedPeople(of: business(1))
                    == [Self.person(1, role: .supervisor), Self.person(2)])
            #expect(try await store.provisionedPeople(of: business(2)).isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `the account of an address stays as it is, and a member keeps the role`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.account(5, at: "n1@example.com", in: store)
            try await store.setRole(.owner, of: agent(5), in: business(1), author: .server)
            let added = try await store.provision(Self.new(1), author: Self.me)
            #expect(added == .added(agent(5)))
            #expect(try await Self.role(of: 5, store) == .owner)
            let account = try await store.findAgent(agent(5))
            #expect(account?.name == "A5" && account?.password == "own")
            #expect(try await store.provisionedPeople(of: business(1)).map(\.role) == [.owner])
            // The same person under another name, and another person under the same one.
            let again = Self.new(2, at: "n1@example.com")
            #expect(try await store.provision(again, author: Self.me) == .nameTaken)
            let same = Self.new(3, named: "n1@EXAMPLE.COM")
            #expect(try await store.provision(same, author: Self.me) == .nameTaken)
            #expect(try await store.findAgent(agent(3)) == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an account that another may have made becomes no member until it is linked`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.account(5, at: "n1@example.com", in: store)
            let before = try await store.provision(Self.new(1), author: Self.me)
            #expect(before == .unverifiedAccount)
            #expect(try await Self.role(of: 5, store) == nil)
            #expect(try await store.provisionedPeople(of: business(1)).isEmpty)
            let identity = Identity(issuer: "https://id.example", subject: "1")
            _ = try await store.link(identity, to: agent(5), at: dawn)
            let after = try await store.provision(Self.new(1), author: Self.me)
            #expect(after == .added(agent(5)))
            #expect(try await Self.role(of: 5, store) == .agent)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an address of several accounts names the one that is a member, or none`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.account(5, at: "n1@example.com", in: store)
            try await Self.account(6, at: "n1@example.com", in: store)
            let before = try await store.provision(Self.new(1), author: Self.me)
            #expect(before == .severalAccounts)
            try await store.setRole(.agent, of: agent(6), in: business(1), author: .server)
            let after = try await store.provision(Self.new(1), author: Self.me)
            #expect(after == .added(agent(6)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a person of an import gets the password, in no business besides`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            try await Self.account(5, at: "n1@example.com", password: nil, in: store)
            try await store.setRole(.agent, of: agent(5), in: business(2), author: .server)
            let none = try await store.provision(Self.new(1, password: nil), author: Self.me)
            #expect(none == .noAccount)
            let other = try await store.provision(Self.new(1), author: Self.me)
            #expect(other == .added(agent(1)))
            try await Self.account(6, at: "n2@example.com", password: nil, in: store)
            try await store.setRole(.agent, of: agent(6), in: business(1), author: .server)
            let own = try await store.provision(Self.new(2), author: Self.me)
            #expect(own == .added(agent(6)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what is kept is replaced under a name that no other has`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.provision(Self.new(number), author: Self.me)
            }
            let taken = Self.person(2, named: "N1@EXAMPLE.com")
            #expect(try await !store.saveProvisioned(taken, author: Self.me))
            let larger = Self.person(2, named: "n2@EXAMPLE.com", role: .auditor)
            #expect(try await store.saveProvisioned(larger, author: Self.me))
            #expect(
                try await store.provisionedPeople(of: business(1)) == [Self.person(1), larger])
            #expect(
                try await store.removeProvisioned(agent(1), of: business(1), author: Self.me))
            #expect(
                try await !store.removeProvisioned(agent(1), of: business(1), author: Self.me))
            #expect(try await store.saveProvisioned(taken, author: Self.me))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `activating makes a member of who is none, and gives no other role`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            _ = try await store.provision(Self.new(1, isActive: false), author: Self.me)
            let first = try await store.activate(
                agent(1), of: business(1), as: .auditor, author: Self.me)
            #expect(first == .auditor)
            let second = try await store.activate(
                agent(1), of: business(1), as: .supervisor, author: Self.me)
            #expect(second == .auditor)
            #expect(try await Self.role(of: 1, store) == .auditor)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `who was removed meanwhile is neither kept nor made active again`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            _ = try await store.provision(Self.new(1, isActive: false), author: Self.me)
            #expect(
                try await store.removeProvisioned(agent(1), of: business(1), author: Self.me))
            #expect(try await !store.saveProvisioned(Self.person(1), author: Self.me))
            #expect(try await store.provisionedPeople(of: business(1)).isEmpty)
            await #expect(throws: StoreError(.refused, "no provider keeps the person")) {
                try await store.activate(agent(1), of: business(1), as: .agent, author: Self.me)
            }
            #expect(try await Self.role(of: 1, store) == nil)
            // A member of before is kept from the first change on.
            try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
            #expect(try await store.saveProvisioned(Self.person(1), author: Self.me))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an account is renamed where no other business has it`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.begin()
            _ = try await store.provision(Self.new(1), author: Self.me)
            #expect(
                try await store.rename(agent(1), to: "O", in: business(1), author: Self.me))
            #expect(try await store.findAgent(agent(1))?.name == "O")
            try await store.setRole(.agent, of: agent(1), in: business(2), author: .server)
            #expect(
                try await !store.rename(agent(1), to: "P", in: business(1), author: Self.me))
            #expect(try await store.findAgent(agent(1))?.name == "O")
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `of two that add one person at once one does`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            try await store.begin()
            async let first = store.provision(
                Self.new(1, named: "n@example.com", at: "n@example.com"), author: Self.me)
            async let second = store.provision(
                Self.new(2, named: "N@example.com", at: "n@example.com"), author: Self.me)
            let outcomes = try await [first, second]
            #expect(outcomes.count { $0 == .nameTaken } == 1)
            #expect(try await store.agents(email: "n@example.com").count == 1)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a provider's id of a team is replaced and forgotten`(_ kept: KeptRegistries) async throws
    {
        try await kept.with { store in
            try await store.begin()
            try await store.saveProvisioned(Self.team(1), author: Self.me)
            var other = Self.team(1)
            other.externalID = nil
            try await store.saveProvisioned(other, author: Self.me)
            #expect(try await store.provisionedTeams(of: business(1)) == [other])
            let id = other.team
            #expect(try await store.removeProvisioned(id, of: business(1), author: Self.me))
            #expect(try await !store.removeProvisioned(id, of: business(1), author: Self.me))
            #expect(try await store.provisionedTeams(of: business(1)).isEmpty)
        }
    }
}

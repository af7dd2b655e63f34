import DeskModel
import DeskSQL
import DeskStore
import TestSupport
import Testing

/// What lookups of credentials promise, however often they were made before.
@Suite struct RememberedContract {
    private static let token = Digest.sha256([1])
    private static let other = Digest.sha256([2])
    private static let key = KeyID(uniqueID(7))

    /// Registers one of everything that lookups remember, and looks each up.
    private func begin(_ store: any SQLRegistries) async throws {
        try await store.begin()
        try await store.save(
            Agent(
                id: agent(1), name: "Ada", email: "a@example.com", password: nil, createdAt: dawn),
            author: .server
        )
        try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
        try await store.add(
            APIKey(
                id: Self.key, name: "k", secret: Self.token, mode: .test,
                businesses: [business(1)], createdAt: dawn), author: .server)
        for token in [Self.token, Self.other] {
            try await store.add(
                Session(
                    token: token, subject: .agent(agent(1)), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60))), author: .server)
        }
        for _ in 1...2 {
            _ = try await store.findKey(Self.key)
            _ = try await store.findSession(Self.token)
            _ = try await store.findSession(Self.other)
            _ = try await store.findAgent(agent(1))
            _ = try await store.findBusiness(business(1))
            _ = try await store.memberships(of: agent(1))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what is removed or changed is so for the next lookup`(_ kept: KeptRegistries)
        async throws
    {
        try await kept.with { store in
            try await begin(store)
            #expect(try await store.revokeKey(Self.key, at: dawn, author: .server))
            #expect(try await store.findKey(Self.key)?.revokedAt == dawn)
            try await store.touchKey(Self.key, at: dawn)
            #expect(try await store.findKey(Self.key)?.usedAt == dawn)
            try await store.setRole(.owner, of: agent(1), in: business(1), author: .server)
            #expect(try await store.memberships(of: agent(1)).map(\.role) == [.owner])
            try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
            let end = PeopleChange.changeMember(agent(1), of: business(1), to: nil)
            try await store.write(as: .people(end)) { sql throws(StoreError) in
                try Agents.endMembership(of: agent(1), in: business(1), on: sql)
            }
            #expect(try await store.memberships(of: agent(1)) == [])
            try await store.setRole(.agent, of: agent(1), in: business(1), author: .server)
            #expect(try await store.memberships(of: agent(1)).map(\.role) == [.agent])
            try await store.save(
                Agent(
                    id: agent(1), name: "Bea", email: "a@example.com", password: nil,
                    createdAt: dawn), author: .server)
            #expect(try await store.findAgent(agent(1))?.name == "Bea")
            try await store.save(
                Business(
                    id: business(1), name: "Stall", colour: "#336699", mode: .live,
                    createdAt: dawn), author: .server)
            #expect(try await store.findBusiness(business(1))?.name == "Stall")
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a session that ended is gone for the next lookup`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            try await begin(store)
            let soon = dawn.advanced(by: .seconds(5))
            try await store.shortenSessions(
                of: .agent(agent(1)), except: Self.token, until: soon, author: .server)
            #expect(try await store.findSession(Self.other)?.expiresAt == soon)
            let late = dawn.advanced(by: .seconds(90))
            try await store.touchSession(Self.token, at: dawn, until: late, author: .server)
            #expect(try await store.findSession(Self.token)?.expiresAt == late)
            try await store.pruneSessions(before: dawn.advanced(by: .seconds(6)))
            #expect(try await store.findSession(Self.other) == nil)
            #expect(try await store.findSession(Self.token) != nil)
            try await store.endSessions(of: .agent(agent(1)), author: .server)
            #expect(try await store.findSession(Self.token) == nil)
            try await store.add(
                Session(
                    token: Self.token, subject: .agent(agent(1)), createdAt: dawn,
                    expiresAt: late), author: .server)
            #expect(try await store.findSession(Self.token) != nil)
            #expect(try await store.takeSession(Self.token, author: .server) != nil)
            #expect(try await store.findSession(Self.token) == nil)
        }
    }
}

import DeskModel
import DeskStore
import StoreSupport
import Testing

/// What stores promise of the identities that accounts are linked to.
@Suite struct IdentityContract {
    private static let issuer = "https://id.example"

    private func identity(_ subject: String, at issuer: String = Self.issuer) -> Identity {
        Identity(issuer: issuer, subject: subject)
    }

    private func account(
        _ number: UInt64, _ email: String, password: String? = "hash", in store: any Registry
    ) async throws {
        try await store.save(
            Agent(
                id: agent(number), name: "A", email: email, password: password, createdAt: dawn),
            author: .server)
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an identity is linked to the one account of an address, and is its from then on`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await account(1, "ada@example.com", in: store)
            #expect(try await store.findAccount(of: identity("a")) == nil)
            for email in ["ada@example.com", "other@example.com"] {
                let outcome = try await store.link(identity("a"), toAccountOf: email, at: dawn)
                #expect(outcome == .account(agent(1)))
            }
            #expect(try await store.findAccount(of: identity("a")) == agent(1))
            #expect(try await store.findAccount(of: identity("A")) == nil)
            let own = LinkedIdentity(identity: identity("a"), agent: agent(1), createdAt: dawn)
            #expect(try await store.identities(of: agent(1)) == [own])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `another person of the provider does not get the account of an address`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await account(1, "ada@example.com", in: store)
            _ = try await store.link(identity("a"), toAccountOf: "ada@example.com", at: dawn)
            let second = try await store.link(
                identity("b"), toAccountOf: "ada@example.com", at: dawn)
            #expect(second == .otherIdentity)
            #expect(try await store.link(identity("b"), to: agent(1), at: dawn) == .otherIdentity)
            // Another provider knows the same person by a name of its own.
            let elsewhere = identity("b", at: "https://other.example")
            #expect(try await store.link(elsewhere, to: agent(1), at: dawn) == .account(agent(1)))
            #expect(try await store.removeIdentities(of: agent(1), author: .server))
            #expect(try await !store.removeIdentities(of: agent(1), author: .server))
            #expect(try await store.findAccount(of: identity("a")) == nil)
            let third = try await store.link(
                identity("b"), toAccountOf: "ada@example.com", at: dawn)
            #expect(third == .account(agent(1)))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `an address of no account, of several, or of a person who never joined links nothing`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await account(1, "ada@example.com", password: nil, in: store)
            try await account(2, "ben@example.com", in: store)
            try await account(3, "ben@example.com", in: store)
            for (email, outcome) in [
                ("ada@example.com", LinkOutcome.noAccount), ("eve@example.com", .noAccount),
                ("ben@example.com", .severalAccounts), ("Ben@example.com", .noAccount),
            ] {
                let found = try await store.link(identity("a"), toAccountOf: email, at: dawn)
                #expect(found == outcome, "\(email)")
            }
            #expect(try await store.findAccount(of: identity("a")) == nil)
        }
    }
}

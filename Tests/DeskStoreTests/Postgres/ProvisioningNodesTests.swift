import DeskModel
import DeskSQL
import DeskStore
import Testing

@testable import DeskStorePostgres

/// What several processes get that do what a provider asks for at the same time.
@Suite struct ProvisioningNodesTests {
    private static let me = Author.key(KeyID(uniqueID(7)))

    @Test func `of two processes that add one address under two names one makes an account`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin()
            for round in 1...20 as ClosedRange<UInt64> {
                let address = "a\(round)@example.com"
                async let first = stores[0].provision(
                    ProvisioningContract.new(round * 2, at: address), author: Self.me)
                async let second = stores[1].provision(
                    ProvisioningContract.new(round * 2 + 1, at: address), author: Self.me)
                let outcomes = try await [first, second]
                #expect(outcomes.count { $0 == .nameTaken } == 1)
                #expect(try await stores[0].agents(email: address).count == 1)
            }
            #expect(try await stores[1].provisionedPeople(of: business(1)).count == 20)
        }
    }

    @Test
    func
        `who is removed by one process and made active by another is no member without being kept`()
        async throws
    {
        try await KeptRegistries.withPostgres(2) { stores in
            try await stores[0].begin()
            for number in 1...20 as ClosedRange<UInt64> {
                _ = try await stores[0].provision(
                    ProvisioningContract.new(number, isActive: false), author: Self.me)
                async let removed = stores[0].removeProvisioned(
                    agent(number), of: business(1), author: Self.me)
                async let active = Self.activate(number, stores[1])
                let (isRemoved, isActive) = try await (removed, active)
                #expect(isRemoved)
                // Who was active first is found by the look that follows a removal.
                let parts = try await stores[0].memberships(of: agent(number))
                #expect(parts.isEmpty != isActive)
            }
        }
    }

    /// Makes a person active; false where the person was removed before.
    private static func activate(
        _ number: UInt64, _ store: PostgresStore
    ) async throws -> Bool {
        do throws(StoreError) {
            _ = try await store.activate(agent(number), of: business(1), as: .agent, author: me)
            return true
        } catch {
            guard error.code == .refused else { throw error }
            return false
        }
    }
}
